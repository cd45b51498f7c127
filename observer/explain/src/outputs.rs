// SPDX-License-Identifier: MIT
//! The files of an explanation. They are created before the run, because a confined target may open
//! no files during it.

use crate::answer::answer;
use crate::explainer::Explainer;
use crate::flame::{collapsed, flame_graph};
use crate::request::Request;
use std::fs::File;
use std::io::Write;
use std::path::{Path, PathBuf};
use ticklab_replay::{Core, Error};

pub struct Outputs {
    json: Output,
    collapsed: Option<Output>,
    flame: Option<Output>,
    timeline: Option<Output>,
}

struct Output {
    name: PathBuf,
    file: File,
}

impl Outputs {
    /// # Errors
    /// A file cannot be created.
    pub fn create(request: &Request) -> Result<Outputs, Error> {
        let optional = |name: &Option<PathBuf>| name.as_deref().map(Output::create).transpose();
        Ok(Outputs {
            json: Output::create(&request.json)?,
            collapsed: optional(&request.collapsed)?,
            flame: optional(&request.flame)?,
            timeline: optional(&request.timeline)?,
        })
    }

    /// Writes the answer about all spans, and the other outputs about the first span.
    ///
    /// # Errors
    /// A file cannot be written, or there is nothing to draw.
    pub fn write(&mut self, explainer: &mut Explainer, core: &Core) -> Result<(), Error> {
        self.json
            .write(&answer(&mut explainer.analyses, core).to_string())?;
        let first = &explainer.analyses[0];
        if let Some(output) = &mut self.collapsed {
            output.write(&collapsed(first, core))?;
        }
        if let Some(output) = &mut self.flame {
            output.write(&flame_graph(first, core)?)?;
        }
        if let (Some(output), Some(timeline)) = (&mut self.timeline, &first.timeline) {
            output.write(&timeline.to_json(&first.task_names()).to_string())?;
        }
        Ok(())
    }
}

impl Output {
    fn create(name: &Path) -> Result<Output, Error> {
        let file = File::create(name)
            .map_err(|e| Error::new(format!("{}: {e}; give a writable path", name.display())))?;
        Ok(Output {
            name: name.to_owned(),
            file,
        })
    }

    fn write(&mut self, text: &str) -> Result<(), Error> {
        let written = self.file.write_all(text.as_bytes());
        written.map_err(|e| Error::new(format!("{}: {e}; free some space", self.name.display())))
    }
}
