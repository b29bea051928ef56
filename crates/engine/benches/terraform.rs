//! How long Terraform takes: planning 1,000 terraform_data (what the real tool is measured with too), planning and
//! applying 1,000 docker_container: `cargo bench -p drydock-engine --bench terraform`.

#![expect(clippy::disallowed_types, clippy::print_stdout, reason = "a bench measures and tells")]

use std::time::{Duration, Instant};

use criterion::{BatchSize, Criterion, criterion_group, criterion_main};
use engine::base::Span;
use engine::cluster::{Preset, Setup};
use engine::lab::{Input, Lab};

const COUNT: usize = 1_000;

fn data() -> String {
    (0..COUNT).map(|at| format!("resource \"terraform_data\" \"d{at}\" {{\n  input = {at}\n}}\n\n")).collect()
}

fn containers() -> String {
    let head = "terraform {\n  required_providers {\n    docker = {\n      source = \"kreuzwerker/docker\"\n    }\n  }\n}\n\n\
                resource \"docker_image\" \"web\" {\n  name = \"nginx:1.29.0\"\n}\n\n";
    let one = |at: usize| {
        format!(
            "resource \"docker_container\" \"c{at}\" {{\n  name  = \"c{at}\"\n  image = docker_image.web.image_id\n}}\n\n"
        )
    };
    format!("{head}{}", (0..COUNT).map(one).collect::<String>())
}

/// A Lab in whose folder `terraform init` has run.
fn initialised(text: String) -> Lab {
    let mut lab = Lab::new(Setup::new(Preset::Bare));
    lab.input(Input::WriteFile { path: "main.tf".into(), text });
    run(lab, "terraform init")
}

/// The Lab when the command is over, which went well.
fn run(mut lab: Lab, command: &str) -> Lab {
    let limit = lab.now() + Span::seconds(24 * 3600);
    let job = lab.start_script(&format!("{command} > out"), false);
    assert!(lab.run_while(limit, |lab| lab.exit_code(job).is_none()), "{command} ends");
    assert_eq!(lab.exit_code(job), Some(0), "{command}");
    lab
}

const APPLY: &str = "terraform apply -auto-approve";

fn terraform(criterion: &mut Criterion) {
    let mut group = criterion.benchmark_group("terraform");
    group.sample_size(10).measurement_time(Duration::from_secs(5));
    let cases = [
        ("plan terraform_data", initialised(data()), "terraform plan"),
        ("plan docker_container", initialised(containers()), "terraform plan"),
        ("apply docker_container", initialised(containers()), APPLY),
        ("plan applied docker_container", run(initialised(containers()), APPLY), "terraform plan"),
    ];
    for (name, lab, command) in cases {
        let start = Instant::now();
        drop(run(lab.clone(), command));
        println!("{name}, {COUNT} of them: {} ms", start.elapsed().as_millis());
        group.bench_function(name, |bencher| {
            bencher.iter_batched(|| lab.clone(), |lab| run(lab, command), BatchSize::PerIteration);
        });
    }
    group.finish();
}

criterion_group!(benches, terraform);
criterion_main!(benches);
