//! The snapshot that panes read.

use engine::base::Value;
use engine::lab::Obstacle;

use super::App;
use crate::browser;
use crate::lab::inspect::{Inspection, inspect};
use crate::lab::lanes::{Lanes, lay_out};
use crate::lab::roster::Roster;
use crate::lab::sides::{Side, by_role, sides};
use crate::lab::story::Mark;
use crate::lab::view::{Shared, View};
use crate::lab::why::why;
use crate::panes::inspector::Tab;
use crate::panes::sights::Sight;

/// What panes read, made anew when the world has changed.
#[derive(Default)]
pub(super) struct Seen {
    pub(super) version: u64,
    pub(super) at: f64,
    /// Wall milliseconds it took.
    pub(super) cost: f64,
    pub(super) view: Shared<View>,
    /// What is not as it is wanted, at present.
    pub(super) obstacles: Vec<Obstacle>,
    pub(super) marks: Shared<Vec<Mark>>,
    pub(super) lanes: Shared<Lanes>,
    pub(super) nodes: Shared<Vec<String>>,
    /// Both tools' sides, while they are compared.
    pub(super) sides: Option<Shared<[Side; 2]>>,
    pub(super) inspection: Option<Shared<Inspection>>,
    /// The table of objects, while it is shown.
    pub(super) roster: Option<Shared<Roster>>,
    /// Why the selected thing is as it is.
    pub(super) chain: Shared<Vec<Mark>>,
}

impl App {
    pub(super) fn look(&mut self) {
        let start = browser::wall_clock();
        let mut session = self.session.borrow_mut();
        session.check_steps();
        let at = self.past;
        let marks: Vec<Mark> = session.story.marks.iter().cloned().collect();
        // Side by side, both returns and both truths should be seen at once.
        let scale = if self.compare { 0.6 } else { 1.0 };
        let lanes = lay_out(&marks, &session.story.runs, session.now(), scale);
        let view = session.view(at);
        let sides = self.compare.then(|| {
            let declared = session.declared();
            let deployments = session.objects("deployments.apps", at);
            sides(
                &view,
                &marks,
                &session.story.runs,
                declared,
                &deployments,
                &session.managed,
                at.unwrap_or(session.now()),
            )
        });
        let lanes = match &sides {
            Some([_, terraform]) => by_role(lanes, terraform),
            None => lanes,
        };
        let nodes: Vec<String> = view.nodes.iter().map(|node| node.object.name.to_string()).collect();
        let inspection = self.selected.as_ref().and_then(|wanted| {
            let objects = session.objects(&wanted.resource, at);
            let look = |object: &Value| inspect(wanted, object, self.tab == Tab::Yaml);
            if let Some(object) = objects.iter().find(|object| object["metadata"]["uid"].str() == wanted.uid) {
                return Some(Shared::from(look(object)));
            }
            if let Some((gone, object)) = session.last_of(wanted, at) {
                return Some(Shared::from(Inspection { gone: Some(gone), ..look(&object) }));
            }
            let found = objects.iter().find(|object| {
                let metadata = &object["metadata"];
                metadata["name"].str() == wanted.name && metadata["namespace"].str() == wanted.namespace
            });
            found.map(|object| Shared::from(look(object)))
        });
        let wants_roster = self.sight == Sight::Objects && !self.compare;
        let roster = wants_roster.then(|| Shared::from(session.roster(at)));
        let wants_chain = self.tab == Tab::Why || self.picked.is_some();
        let chain = self.question.as_ref().filter(|_| wants_chain);
        let chain = chain.map(|question| why(session.trace(), question, self.asked)).unwrap_or_default();
        self.seen = Seen {
            version: session.version(),
            at: browser::wall_clock(),
            cost: browser::wall_clock() - start,
            view: view.into(),
            obstacles: session.obstacles(),
            marks: marks.into(),
            lanes: lanes.into(),
            nodes: nodes.into(),
            sides: sides.map(Shared::from),
            inspection,
            roster,
            chain: chain.into(),
        };
    }
}
