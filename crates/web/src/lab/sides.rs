//! The same story told of two tools on one clock: for Kubernetes and for Terraform what is declared, recorded and
//! running, when the apply came back and when the world was true, and who noticed a container's death.

use engine::api::object;
use engine::base::{BTreeMap, Time, Value};
use engine::trace::{Actor, ObjectRef, Role};

use super::lanes::{Glyph, Lane, Lanes};
use super::story::{Kind, Mark, Run, is_system_namespace, is_terraform};
use super::view::{Health, View};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tool {
    Kubernetes,
    Terraform,
}

#[derive(Clone, Debug, PartialEq)]
pub struct Side {
    pub tool: Tool,
    /// Declared, recorded, running.
    pub counts: [Option<i64>; 3],
    pub things: Vec<Thing>,
    pub apply: Option<Apply>,
    pub shock: Option<Shock>,
}

/// A Pod or a container.
#[derive(Clone, Debug, PartialEq)]
pub struct Thing {
    pub object: ObjectRef,
    pub word: String,
    pub health: Health,
}

/// The last apply.
#[derive(Clone, Debug, PartialEq)]
pub struct Apply {
    pub from: Time,
    pub returned: Option<(Time, i32)>,
    /// When everything it asked for was there, and when that ended.
    pub truth: Option<Time>,
    pub lost: Option<Time>,
}

/// The death of a container by somebody else's hand.
#[derive(Clone, Debug, PartialEq)]
pub struct Shock {
    pub at: Time,
    pub noticed: Option<(Time, Actor)>,
    pub mended: Option<Time>,
}

/// How the engine tells of its own doings (`Mark`s by the Lab and the state file).
pub const KILLED: &str = "killed ";
pub const STATE: &str = "terraform.tfstate: ";

/// Both sides as of an instant: what came after is not known.
pub fn sides(
    view: &View,
    marks: &[Mark],
    runs: &[Run],
    declared: Option<i64>,
    deployments: &[Value],
    managed: &[Managed],
    at: Time,
) -> [Side; 2] {
    let known: Vec<&Mark> = marks.iter().filter(|mark| mark.at <= at).collect();
    let own: Vec<&Mark> = known.iter().filter(|mark| is_managed(mark, runs, managed, at)).copied().collect();
    [kubernetes(view, &known, runs, deployments, at), terraform(&own, runs, declared, at)]
}

/// The containers of docker that Terraform's state knows from an instant on, by name.
pub type Managed = (Time, Vec<String>);

/// Whether a mark is no other container's than one of Terraform's: its state knows it, or an apply that is at work has
/// just made it.
fn is_managed(mark: &Mark, runs: &[Run], managed: &[Managed], at: Time) -> bool {
    if mark.actor != Actor::Docker {
        return true;
    }
    let name = mark.object.name.as_str();
    let state = managed.iter().rev().find(|(from, _)| *from <= at);
    let is_at_work = |run: &&Run| {
        let is_open = run.returned.is_none_or(|(back, ..)| back > at);
        is_open && run.from <= mark.at && run.line.contains("terraform")
    };
    // Whoever makes a container is the cause of its beginning.
    let is_caused = || mark.kind != Kind::Created || runs.iter().any(|run| run.seq == mark.cause && is_at_work(&run));
    state.is_some_and(|(_, names)| names.iter().any(|known| known == name))
        || (runs.iter().any(|run| is_at_work(&run)) && is_caused())
}

/// What is compared with what runs: containers, where there are any among the objects.
pub fn count(kinds: &[(String, usize)]) -> i64 {
    let containers = kinds.iter().find(|(kind, _)| kind == "docker_container");
    containers.map_or_else(|| kinds.iter().map(|(_, count)| *count as i64).sum(), |(_, count)| *count as i64)
}

fn last_apply(runs: &[Run], tool: Tool, at: Time) -> Option<&Run> {
    let is_apply = |run: &&Run| {
        run.from <= at && run.line.contains("apply") && is_terraform(&run.line) == (tool == Tool::Terraform)
    };
    runs.iter().rev().find(is_apply)
}

fn kubernetes(view: &View, marks: &[&Mark], runs: &[Run], deployments: &[Value], at: Time) -> Side {
    let own = deployments.iter().filter(|it| !is_system_namespace(object::namespace(it)));
    let counts = own.fold(None, |sum: Option<[i64; 3]>, it| {
        let sum = sum.unwrap_or_default();
        let status = &it["status"];
        Some([
            sum[0] + it["spec"]["replicas"].as_int().unwrap_or(1),
            sum[1] + status["replicas"].int(),
            sum[2] + status["readyReplicas"].int(),
        ])
    });
    let pods = view.nodes.iter().flat_map(|node| &node.pods).chain(&view.unscheduled).filter(|pod| !pod.is_system);
    let things = pods.map(|pod| {
        let restarts = if pod.restarts > 0 { format!(" ↻{}", pod.restarts) } else { String::new() };
        Thing { object: pod.object.clone(), word: format!("{}{restarts}", pod.word), health: pod.health }
    });
    let is_kubelet = |mark: &&&Mark| matches!(mark.actor, Actor::Kubelet(_));
    let apply = last_apply(runs, Tool::Kubernetes, at).map(|run| {
        let truth = run.converged.filter(|truth| *truth <= at);
        let mut stopped = marks.iter().filter(is_kubelet).filter(|mark| matches!(mark.kind, Kind::Stopped(_)));
        let after = stopped.clone().find(|mark| truth.is_some_and(|truth| mark.at > truth));
        // What ends at once has ended before its status said that it was ready.
        let is_short = truth.is_some() && counts.is_some_and(|[wanted, _, ready]| ready < wanted);
        let before = stopped.find(|mark| is_short && mark.at >= run.from);
        let lost = after.or(before).map(|mark| truth.map_or(mark.at, |truth| mark.at.max(truth)));
        Apply { from: run.from, returned: returned(run, at), truth, lost }
    });
    let shock = shock(marks, "pod/").map(|(at, _)| {
        let after = |mark: &&&Mark| mark.at > at;
        let noticed = marks
            .iter()
            .filter(is_kubelet)
            .filter(after)
            .find(|mark| matches!(mark.kind, Kind::Stopped(_) | Kind::Seen));
        let mended = marks.iter().filter(is_kubelet).filter(after).find(|mark| mark.kind == Kind::Started);
        Shock { at, noticed: noticed.map(|mark| (mark.at, mark.actor)), mended: mended.map(|mark| mark.at) }
    });
    let counts = counts.map_or([None; 3], |counts| counts.map(Some));
    Side { tool: Tool::Kubernetes, counts, things: things.collect(), apply, shock }
}

fn terraform(marks: &[&Mark], runs: &[Run], declared: Option<i64>, at: Time) -> Side {
    let mut containers: BTreeMap<String, Thing> = BTreeMap::new();
    for mark in marks.iter().filter(|mark| mark.actor == Actor::Docker) {
        let name = mark.object.name.to_string();
        let (word, health) = match mark.kind {
            Kind::Created => ("Created".to_string(), Health::Waiting),
            Kind::Started => ("Up".to_string(), Health::Good),
            Kind::Stopped(code) => (format!("Exited ({code})"), if code == 0 { Health::Ended } else { Health::Bad }),
            Kind::Seen => {
                (format!("Up ({})", mark.detail), if mark.detail == "healthy" { Health::Good } else { Health::Bad })
            }
            Kind::Deleted => {
                containers.remove(&name);
                continue;
            }
            _ => continue,
        };
        containers.insert(name, Thing { object: mark.object.clone(), word, health });
    }
    let saved = marks.iter().rev().find_map(|mark| mark.detail.strip_prefix(STATE)).map(|kinds| {
        let kinds = kinds.split(", ").filter_map(|part| part.split_once(' '));
        count(&kinds.map(|(count, kind)| (kind.to_string(), count.parse().unwrap_or(0))).collect::<Vec<_>>())
    });
    let running = containers.values().filter(|thing| thing.word.starts_with("Up")).count() as i64;
    let applied = last_apply(runs, Tool::Terraform, at);
    let apply = applied.map(|run| {
        // An apply that failed says itself that something is not as declared.
        let has_failed = run.returned.is_some_and(|(.., code)| code != 0);
        let (truth, lost) = if has_failed { (None, None) } else { truth_of(run, marks, at) };
        Apply { from: run.from, returned: returned(run, at), truth, lost }
    });
    let shock = shock(marks, "container/").map(|(at, name)| {
        let looks = |run: &&Run| {
            run.from > at
                && is_terraform(&run.line)
                && ["plan", "apply", "refresh"].iter().any(|verb| run.line.contains(verb))
        };
        let noticed = runs.iter().filter(looks).find_map(|run| run.returned);
        let mended = marks.iter().find(|mark| mark.at > at && mark.kind == Kind::Started && mark.object.name == name);
        Shock { at, noticed: noticed.map(|(at, ..)| (at, Actor::User)), mended: mended.map(|mark| mark.at) }
    });
    let is_used = applied.is_some() || declared.is_some();
    let counts = [declared, is_used.then(|| saved.unwrap_or(0)), is_used.then_some(running)];
    Side { tool: Tool::Terraform, counts, things: containers.into_values().collect(), apply, shock }
}

fn returned(run: &Run, at: Time) -> Option<(Time, i32)> {
    run.returned.filter(|(back, ..)| *back <= at).map(|(back, _, code)| (back, code))
}

/// When the last container that a run started came up, and when the first of them ended afterwards.
fn truth_of(run: &Run, marks: &[&Mark], at: Time) -> (Option<Time>, Option<Time>) {
    let end = run.returned.map_or(at, |(back, ..)| back);
    let window = |mark: &&&Mark| mark.actor == Actor::Docker && mark.at >= run.from;
    let started = marks.iter().filter(window).filter(|mark| mark.at <= end && mark.kind == Kind::Started);
    let truth = started.map(|mark| mark.at).max();
    let stopped = marks
        .iter()
        .filter(window)
        .find(|mark| matches!(mark.kind, Kind::Stopped(_)) && truth.is_some_and(|truth| mark.at > truth));
    (truth, stopped.map(|mark| mark.at))
}

/// The last container of a kind that was killed, and its name.
fn shock(marks: &[&Mark], kind: &str) -> Option<(Time, String)> {
    let of = |mark: &&&Mark| mark.detail.strip_prefix(KILLED).is_some_and(|rest| rest.starts_with(kind));
    let mark = marks.iter().rev().find(of)?;
    Some((mark.at, mark.detail.rsplit('/').next().unwrap_or_default().to_string()))
}

/// Lanes by role instead of by actor, Kubernetes above Terraform: the same roles in the same colours, and on
/// Terraform's side nobody where the controllers stand.
pub fn by_role(mut lanes: Lanes, terraform: &Side) -> Lanes {
    const ROWS: [(Tool, Role, &str, &str); 9] = [
        (Tool::Kubernetes, Role::Client, "client", "kubectl"),
        (Tool::Kubernetes, Role::Api, "api", "kube-apiserver"),
        (Tool::Kubernetes, Role::Recon, "recon", "controllers"),
        (Tool::Kubernetes, Role::Place, "place", "kube-scheduler"),
        (Tool::Kubernetes, Role::Node, "node", "kubelets"),
        (Tool::Terraform, Role::Client, "client", "terraform"),
        (Tool::Terraform, Role::Api, "store", "terraform.tfstate"),
        (Tool::Terraform, Role::Recon, "recon", ""),
        (Tool::Terraform, Role::Node, "node", "dockerd"),
    ];
    let mut rows: Vec<Lane> = ROWS
        .iter()
        .map(|(tool, _, class, name)| Lane {
            title: Some((*class, *name, *tool == Tool::Terraform)),
            actor: Actor::User,
            glyphs: Vec::new(),
        })
        .collect();
    let put = |rows: &mut [Lane], tool: Tool, role: Role, glyph: Glyph| {
        let row = ROWS.iter().position(|(own, of, ..)| (*own, *of) == (tool, role));
        if let Some(lane) = row.and_then(|row| rows.get_mut(row)) {
            lane.glyphs.push(glyph);
        }
    };
    for glyph in std::mem::take(&mut lanes.lanes).into_iter().flat_map(|lane| lane.glyphs) {
        let mark = &glyph.mark;
        let is_word = matches!(mark.kind, Kind::Command | Kind::Returned(_) | Kind::Converged);
        match mark.speaker() {
            Actor::User if is_word => {
                if is_terraform(&mark.detail) {
                    put(&mut rows, Tool::Terraform, Role::Client, glyph.clone());
                }
                if mark.detail.contains("kubectl") {
                    put(&mut rows, Tool::Kubernetes, Role::Client, glyph);
                }
            }
            Actor::User if mark.detail.starts_with(STATE) => put(&mut rows, Tool::Terraform, Role::Api, glyph),
            Actor::User => put(&mut rows, Tool::Kubernetes, Role::Api, glyph),
            Actor::Docker if mark.kind == Kind::Note => {}
            Actor::Docker => put(&mut rows, Tool::Terraform, Role::Node, glyph),
            Actor::Lab if !mark.detail.starts_with(KILLED) => {}
            Actor::Lab if mark.detail.contains("container/") => put(&mut rows, Tool::Terraform, Role::Node, glyph),
            Actor::Lab => put(&mut rows, Tool::Kubernetes, Role::Node, glyph),
            actor => put(&mut rows, Tool::Kubernetes, actor.role(), glyph),
        }
    }
    // The engine tells of a convergence after the return; Terraform's world was true before it.
    if let Some((apply, at)) = terraform.apply.as_ref().and_then(|apply| Some((apply, apply.truth?))) {
        let like = rows.iter().flat_map(|lane| &lane.glyphs).find(|glyph| {
            glyph.mark.kind == Kind::Command && glyph.mark.at == apply.from && is_terraform(&glyph.mark.detail)
        });
        if let Some(mut glyph) = like.cloned() {
            (glyph.x, glyph.until) = (lanes.axis.place(at), None);
            (glyph.mark.at, glyph.mark.kind, glyph.mark.seq) = (at, Kind::Converged, 0);
            put(&mut rows, Tool::Terraform, Role::Client, glyph);
        }
    }
    for lane in &mut rows {
        lane.glyphs.sort_by_key(|glyph| (glyph.mark.at, glyph.mark.seq));
        let mut free = f64::MIN;
        for glyph in &mut lane.glyphs {
            if glyph.until.is_none() {
                glyph.x = lanes.axis.place(glyph.mark.at).max(free);
                free = glyph.end();
            }
        }
    }
    lanes.lanes = rows;
    lanes
}
