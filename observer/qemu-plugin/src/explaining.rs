// SPDX-License-Identifier: GPL-2.0-or-later
//! Explains the run while it is observed: an explainer, and the files for its answer.

use crate::observation::Core;
use std::path::Path;
use ticklab_explain::{Explainer, Outputs, Request, Subject};
use ticklab_replay::{Error, Plan};

pub struct Explaining {
    pub explainer: Explainer<'static>,
    outputs: Outputs,
}

impl Explaining {
    /// Reads the request, and creates the files for the answer. What an analysis refers to is never
    /// freed: this process has one run.
    pub fn begin(request: &Path, plan: &Plan, core: &Core) -> Result<Explaining, Error> {
        let request: &Request = Box::leak(Box::new(Request::read(request)?));
        let image = read("image", &plan.image, "build it first")?;
        let log = read("event log", &request.log, "observe first")?;
        let subject = Subject::new(image, &log, request.starts.clone(), core)?;
        let subject: &Subject = Box::leak(Box::new(subject));
        let has_timeline = request.timeline.is_some();
        Ok(Explaining {
            explainer: Explainer::begin(subject, &request.spans, core, has_timeline)?,
            outputs: Outputs::create(request)?,
        })
    }

    /// Writes the answer. The core is at its end.
    pub fn finish(&mut self, core: &Core) -> Result<(), Error> {
        self.explainer.finish(core);
        self.outputs.write(&mut self.explainer, core)
    }
}

fn read(what: &str, file: &Path, hint: &str) -> Result<Vec<u8>, Error> {
    std::fs::read(file).map_err(|e| Error::new(format!("{what} {}: {e}; {hint}", file.display())))
}
