//! `docker images`, `history`, `rmi`, `tag` and `image prune`.

use super::args::Args;
use super::format::{List, filters};
use super::{confirmed, exit_with, must, request};
use crate::base::Value;
use crate::base::http::Method;
use crate::docker::images::familiar;
use crate::docker::wire::{go_time, human, short, size};
use crate::map;
use crate::process::rerun::{Failure, Io, Outcome, Stop};
use crate::runtime::Reference;

const HEADERS: &[(&str, &str)] = &[
    ("Repository", "REPOSITORY"),
    ("Tag", "TAG"),
    ("Digest", "DIGEST"),
    ("ID", "IMAGE ID"),
    ("CreatedSince", "CREATED"),
    ("CreatedAt", "CREATED AT"),
    ("Size", "SIZE"),
    ("Containers", "CONTAINERS"),
    ("VirtualSize", "SIZE"),
    ("SharedSize", "SHARED SIZE"),
    ("UniqueSize", "UNIQUE SIZE"),
];
const HISTORY: List<'static> = List {
    kind: "*image.historyContext",
    headers: &[
        ("ID", "IMAGE"),
        ("CreatedSince", "CREATED"),
        ("CreatedAt", "CREATED AT"),
        ("CreatedBy", "CREATED BY"),
        ("Size", "SIZE"),
        ("Comment", "COMMENT"),
    ],
    default: "table {{.ID}}\t{{.CreatedSince}}\t{{.CreatedBy}}\t{{.Size}}\t{{.Comment}}",
    quiet: "{{.ID}}",
    raw: "",
};

const RAW: &str = "repository: {{.Repository}}\\n{{if .Tag}}tag: {{.Tag}}\\n{{end}}image_id: {{.ID}}\\ncreated_at: {{.CreatedAt}}\\nvirtual_size: {{.Size}}\\n";

pub fn run(args: &Args, io: &mut Io<'_, '_>) -> Outcome {
    match args.command.name {
        "image ls" => list(args, io),
        "image history" => history(args, io),
        "image rm" => each_removed(args, io),
        "image tag" => tag(args, io),
        _ => prune(args, io),
    }
}

fn list(args: &Args, io: &mut Io<'_, '_>) -> Outcome {
    if args.is("tree") {
        return exit_with(1, crate::base::gap::line("docker images --tree", "docker images lists them"));
    }
    let mut wanted = args.list("filter").to_vec();
    if !args.word(0).is_empty() {
        wanted.push(format!("reference={}", args.word(0)));
    }
    let mut ask = request(Method::Get, "/images/json");
    if !wanted.is_empty() {
        ask = ask.with_query("filters", filters(&wanted));
    }
    let found = must(io, ask)?;
    let format = args.get("format");
    let digests = args.is("digests");
    let (trunc, now) = (!args.is("no-trunc"), io.now().as_seconds());
    let mut rows = Vec::new();
    for image in found.items() {
        let id = image["Id"].str();
        let created = image["Created"].int();
        let mut names: Vec<(String, String, String)> = Vec::new();
        for tag in image["RepoTags"].items() {
            let (repository, tag) = tag.str().rsplit_once(':').unwrap_or((tag.str(), "<none>"));
            let own =
                image["RepoDigests"].items().iter().find_map(|d| d.str().strip_prefix(repository)?.strip_prefix('@'));
            let digest = own.filter(|_| digests).unwrap_or("<none>");
            names.push((repository.into(), tag.into(), digest.into()));
        }
        if names.is_empty() {
            let digest = image["RepoDigests"][0].str().split_once('@');
            let (repository, digest) = digest.unwrap_or(("<none>", "<none>"));
            names.push((
                repository.into(),
                "<none>".into(),
                if digests { digest.into() } else { "<none>".to_string() },
            ));
        }
        for (repository, tag, digest) in names {
            rows.push(map! {
                "Repository" => repository, "Tag" => tag, "Digest" => digest, "ID" => if trunc { short(id) } else { id },
                "CreatedSince" => format!("{} ago", human(now - created)), "CreatedAt" => go_time(created),
                "Size" => size(image["Size"].int(), 3), "VirtualSize" => size(image["Size"].int(), 4),
                "Containers" => "N/A", "SharedSize" => "N/A", "UniqueSize" => "N/A",
            });
        }
    }
    if args.is("quiet") && format.is_empty() {
        let mut seen: Vec<Value> = Vec::new();
        rows.retain(|row| {
            let new = !seen.contains(&row["ID"]);
            seen.push(row["ID"].clone());
            new
        });
    }
    let default = if args.is("digests") {
        "table {{.Repository}}\t{{.Tag}}\t{{.Digest}}\t{{.ID}}\t{{.CreatedSince}}\t{{.Size}}"
    } else {
        "table {{.Repository}}\t{{.Tag}}\t{{.ID}}\t{{.CreatedSince}}\t{{.Size}}"
    };
    let list = List { kind: "*formatter.imageContext", headers: HEADERS, default, quiet: "{{.ID}}", raw: RAW };
    list.print(io, format, args.is("quiet"), &rows)
}

fn history(args: &Args, io: &mut Io<'_, '_>) -> Outcome {
    let found = must(io, request(Method::Get, &format!("/images/{}/history", args.word(0))))?;
    let (trunc, now, human_ones) = (!args.is("no-trunc"), io.now().as_seconds(), args.get("human") != "false");
    let rows: Vec<Value> = found
        .items()
        .iter()
        .map(|one| {
            let (id, created) = (one["Id"].str(), one["Created"].int());
            let by = one["CreatedBy"].str().replace('\t', " ");
            map! {
                "ID" => if trunc { short(id) } else { id },
                "CreatedSince" => if human_ones { format!("{} ago", human(now - created)) } else { crate::base::Time::from_seconds(created).rfc3339() },
                "CreatedAt" => crate::base::Time::from_seconds(created).rfc3339(),
                "CreatedBy" => if trunc { super::format::ellipsis(&by, 45) } else { by },
                "Size" => if human_ones { size(one["Size"].int(), 3) } else { one["Size"].int().to_string() },
                "Comment" => &one["Comment"],
            }
        })
        .collect();
    let exact = "table {{.ID}}\t{{.CreatedAt}}\t{{.CreatedBy}}\t{{.Size}}\t{{.Comment}}";
    let list = List { default: if human_ones { HISTORY.default } else { exact }, ..HISTORY };
    list.print(io, args.get("format"), args.is("quiet"), &rows)
}

fn each_removed(args: &Args, io: &mut Io<'_, '_>) -> Outcome {
    let force = args.is("force");
    let mut failures = Vec::new();
    let mut missing_only = true;
    for name in &args.words {
        let mut delete = request(Method::Delete, &format!("/images/{name}"));
        if force {
            delete = delete.with_query("force", "1");
        }
        let response = io.send(delete)?;
        if response.ok() && response.code != 0 {
            removed(io, &crate::process::rerun::body(&response));
        } else {
            missing_only &= response.code == 404;
            failures.push(super::complaint(&response));
        }
    }
    if failures.is_empty() {
        return Ok(());
    }
    if force && missing_only {
        failures.iter().for_each(|text| io.err(format!("{text}\n")));
        return Ok(());
    }
    Err(Stop::Fail(failures.into_iter().map(Failure::Full).collect(), 1))
}

fn removed(io: &mut Io<'_, '_>, list: &Value) {
    for one in list.items() {
        match one["Deleted"].str() {
            "" => io.line(format!("Untagged: {}", one["Untagged"].str())),
            id => io.line(format!("Deleted: {id}")),
        }
    }
}

fn tag(args: &Args, io: &mut Io<'_, '_>) -> Outcome {
    let target = args.word(1);
    let reference = match Reference::parse(target) {
        Ok(reference) => reference,
        Err(error) => {
            return exit_with(
                1,
                format!(
                    "Error parsing reference: {} is not a valid repository/tag: {error}",
                    super::format::quoted(target)
                ),
            );
        }
    };
    let repository = reference.repository();
    let post = request(Method::Post, &format!("/images/{}/tag", args.word(0)))
        .with_query("repo", familiar(&repository))
        .with_query("tag", reference.tag.as_str());
    must(io, post).map(|_| ())
}

fn prune(args: &Args, io: &mut Io<'_, '_>) -> Outcome {
    let warning = if args.is("all") {
        "This will remove all images without at least one container associated to them."
    } else {
        "This will remove all dangling images."
    };
    if !confirmed(io, args, warning)? {
        return Ok(());
    }
    let mut wanted = args.list("filter").to_vec();
    wanted.push(format!("dangling={}", !args.is("all")));
    let done = must(io, request(Method::Post, "/images/prune").with_query("filters", filters(&wanted)))?;
    if !done["ImagesDeleted"].is_empty() {
        io.line("Deleted Images:");
        for one in done["ImagesDeleted"].items() {
            match one["Deleted"].str() {
                "" => io.line(format!("untagged: {}", one["Untagged"].str())),
                id => io.line(format!("deleted: {id}")),
            }
        }
        io.line("");
    }
    io.line(format!("Total reclaimed space: {}", size(done["SpaceReclaimed"].int(), 4)));
    Ok(())
}
