use engine::base::Span; use engine::cluster::{Preset, Setup}; use engine::lab::{Input, Lab};
fn main() {
    let line = std::env::args().nth(1).unwrap();
    let mut lab = Lab::new(Setup::new(Preset::Bare));
    let limit = lab.now() + Span::seconds(1);
    lab.run_until_idle(limit);
    let t = std::time::Instant::now();
    if let Ok(s) = std::fs::read_to_string("/tmp/pd.tf") { lab.input(Input::WriteFile { path: "main.tf".into(), text: s }); }
    lab.input(Input::Line(line));
    let until = lab.now() + Span::seconds(24*3600);
    let mut out = String::new();
    while lab.is_busy() && lab.next_at().is_some_and(|at| at <= until) { lab.step(); for o in lab.take_output() { out.push_str(&String::from_utf8_lossy(&o.bytes)); } }
    let n = out.len().saturating_sub(600);
    println!("{} \n{:?}", &out.get(n..).unwrap_or(""), t.elapsed());
}
