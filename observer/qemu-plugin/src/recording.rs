// SPDX-License-Identifier: GPL-2.0-or-later
//! Writes the recording's file, which is complete or absent, as the log is.

use crate::observation::{create, partial_file, publish};
use std::fs::File;
use std::io::{self, BufWriter};
use std::path::PathBuf;
use ticklab_replay::{image_hash, End, Plan, Recorder};

pub struct Recording {
    pub recorder: Recorder<BufWriter<File>>,
    file: PathBuf,
}

impl Recording {
    /// Starts the recording. Returns `None` if the plan requests none.
    pub fn begin(plan: &Plan, marks: &[String]) -> Result<Option<Recording>, String> {
        let Some(record) = &plan.record else {
            return Ok(None);
        };
        let image = std::fs::read(&plan.image)
            .map_err(|e| format!("image {}: {e}; build it first", plan.image.display()))?;
        let partial = partial_file(&record.file);
        let file = create(&record.file)
            .map_err(|e| format!("recording {}: {e}; give a writable path", partial.display()))?;
        let hash = image_hash(&image);
        Ok(Some(Recording {
            recorder: Recorder::new(plan, &hash, marks, BufWriter::new(file)),
            file: record.file.clone(),
        }))
    }

    /// Completes the recording. A partial file that cannot be completed stays, because this thread
    /// may not remove files (confine.rs). The lab removes the folder.
    pub fn finish(mut self, end: Option<&End>) {
        if let Err(error) = self.publish(end) {
            let file = self.file.display();
            eprintln!("ticklab: recording {file}: {error}; free some space and record again");
        }
    }

    fn publish(&mut self, end: Option<&End>) -> io::Result<()> {
        self.recorder.finish(end)?;
        publish(&self.file)
    }
}
