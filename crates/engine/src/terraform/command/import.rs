//! `terraform import`: one object that exists is taken into the state.

use super::arguments::Arguments;
use super::backend::{Store, Unread};
use super::configuration::{beside, folder_of, initialised};
use super::{Screen, State as Next, target};
use crate::base::goquote;
use crate::process::{Sys, Wait};
use crate::terraform::address::Mode;
use crate::terraform::core::{Progress, Walk};
use crate::terraform::hcl::{Diagnostic, has_errors};
use crate::terraform::provider::Providers;
use crate::terraform::state::State;

#[derive(Clone)]
pub struct Import {
    walk: Walk,
    store: Store,
    saved: State,
    providers: Providers,
}

pub fn start(arguments: &Arguments, screen: &mut Screen, sys: &mut Sys<'_>, providers: &Providers) -> Next {
    let [text, id] = arguments.words.as_slice() else { return Next::Exit(1) };
    let address = match target::instance("<import-address>", text) {
        Ok(address) => address,
        Err(error) => {
            screen.texts.insert("<import-address>".into(), text.clone());
            screen.ui_diagnostics(vec![*error]);
            screen.out("For information on valid syntax, see:\nhttps://developer.hashicorp.com/terraform/cli/state/resource-addressing\n");
            return Next::Exit(1);
        }
    };
    if address.resource.mode != Mode::Managed {
        let text = "A managed resource address is required. Importing into a data resource is not allowed.";
        screen.ui_diagnostics(vec![Diagnostic::sourceless(text, "")]);
        return Next::Exit(1);
    }
    let folder = folder_of(arguments.get("config").unwrap_or("."), sys);
    let loaded = crate::terraform::config::load(&super::Disk { files: sys.files, cwd: sys.cwd }, &folder);
    if loaded.empty {
        let detail = format!(
            "The directory {} does not contain any Terraform configuration files (.tf or .tf.json). To specify a different configuration directory, use the -config=\"...\" command line option.",
            arguments.get("config").unwrap_or(sys.cwd)
        );
        screen.ui_diagnostics(vec![Diagnostic::sourceless("No Terraform configuration files", detail)]);
        return Next::Exit(1);
    }
    let Some(loaded) = initialised(&folder, screen, sys) else { return Next::Exit(1) };
    let Some(module) = loaded.module(&address.resource.module) else {
        let detail = format!(
            "{} is not defined in the configuration. Please add configuration for this module before importing into it.",
            address.resource.module
        );
        screen.ui_diagnostics(vec![Diagnostic::sourceless("Import to non-existent module", detail)]);
        return Next::Exit(1);
    };
    if module.resource(Mode::Managed, &address.resource.kind, &address.resource.name).is_none() {
        let place = if address.resource.module.is_root() {
            "the root module".into()
        } else {
            address.resource.module.to_string()
        };
        let head = screen.paint.tags(
            "[reset][bold][red]Error:[reset][bold] resource address % does not exist in the configuration.[reset]",
            &[&goquote::quote(&address.to_string())],
        );
        // The older interface colours what is coloured already.
        let head =
            if screen.paint.colour { head.trim_end_matches("\u{1b}[0m").to_string() + "\u{1b}[0m" } else { head };
        screen.ui_error(&format!(
            "{head}\n\nBefore importing this resource, please create its configuration in {place}. For example:\n\nresource {} {} {{\n  # (resource arguments)\n}}\n",
            goquote::quote(&address.resource.kind),
            goquote::quote(&address.resource.name)
        ));
        return Next::Exit(1);
    }
    let Some((mut walk, store)) = beside(loaded, Unread::Lock, arguments, screen, sys, providers) else {
        return Next::Exit(1);
    };
    let saved = walk.state.clone();
    walk.import_one(address, id.as_str().into());
    Next::Import(Box::new(Import { walk, store, saved, providers: providers.clone() }))
}

impl Import {
    pub fn resume(&mut self, screen: &mut Screen, sys: &mut Sys<'_>) -> Result<i32, Vec<Wait>> {
        let progress = self.walk.advance(sys);
        for event in std::mem::take(&mut self.walk.events) {
            screen.event(&event);
        }
        if let Progress::Wait(waits) = progress {
            return Err(waits);
        }
        let found = std::mem::take(&mut self.walk.diagnostics);
        let failed = has_errors(&found);
        if failed {
            screen.ui_diagnostics(found);
            self.store.unlock(sys);
            return Ok(1);
        }
        let mut state = self.walk.state.clone();
        self.store.write(&mut state, &self.saved, 0, sys, &self.providers);
        self.store.unlock(sys);
        screen.ui_output(
            "[reset][green]\nImport successful!\n\nThe resources that were imported are shown above. These resources are now in\nyour Terraform state and will henceforth be managed by Terraform.\n",
            &[],
        );
        screen.ui_diagnostics(found);
        Ok(0)
    }
}
