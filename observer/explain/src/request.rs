// SPDX-License-Identifier: MIT
//! Parses the request for an explanation: the spans, how their samples are labelled, and the files
//! to write.

use serde::Deserialize;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use ticklab_replay::Error;

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Request {
    /// The event log of the first run. None: there is only this run, and each span is the whole
    /// run.
    pub log: Option<PathBuf>,
    /// The file to which QEMU writes how the states of interrupts change. None: latencies of
    /// interrupts are not computed.
    pub interrupts: Option<PathBuf>,
    /// The interrupt controller whose events QEMU writes to `interrupts`.
    #[serde(default)]
    pub controller: Controller,
    /// The set of events that QEMU writes to `interrupts`.
    #[serde(default)]
    pub events: Events,
    /// The virtual time that one instruction takes, in nanoseconds.
    #[serde(default)]
    pub instruction_ns: u64,
    pub spans: Vec<Span>,
    /// For an image without symbols: the addresses at which functions begin, from the answer of an
    /// earlier run.
    pub starts: Option<BTreeSet<u32>>,
    /// A file that lists the functions of the system under which the image runs as a program.
    pub system: Option<PathBuf>,
    pub json: PathBuf,
    pub collapsed: Option<PathBuf>,
    pub flame: Option<PathBuf>,
    pub timeline: Option<PathBuf>,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Controller {
    #[default]
    Nvic,
    Gic,
    Aclint,
}

#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Events {
    #[default]
    All,
    /// All events except those that the observer derives from the entries of handlers.
    Few,
    /// The events of `Few` without the guest's writes, which the observer derives from the guest's
    /// code.
    Least,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Span {
    pub name: String,
    /// Every pass of one of these marks ends a sample and begins the next. `*` matches any text.
    #[serde(default)]
    pub each: Vec<String>,
    pub from: Option<String>,
    pub to: Option<String>,
    /// The samples, if the laboratory has paired the marks: for each sample the indices of its
    /// first and last pass among the passes of all marks.
    pub pairs: Option<Vec<(usize, usize)>>,
    /// Whether the span lasts from reset to the end of the run. Then it has no marks.
    #[serde(default)]
    pub whole: bool,
    /// The number of samples at the beginning that are warm-up, and therefore do not count.
    #[serde(default)]
    pub warm_up: usize,
    /// The number of external interrupts that each sample must contain to count as plain. None
    /// accepts any number.
    #[serde(default = "no_interrupts")]
    pub external: Option<u32>,
    /// The meaning of ticks inside a sample. None: a sample with a tick inside is not plain.
    pub ticks: Option<Ticks>,
    pub sample: Option<Choice>,
    pub suspension: Option<Suspension>,
    /// Whether the sums include only the sample that `sample` chooses, even if ticks or foreign
    /// interrupts have interrupted it.
    #[serde(default)]
    pub alone: bool,
}

#[allow(clippy::unnecessary_wraps)] // serde wants the type of the field
fn no_interrupts() -> Option<u32> {
    Some(0)
}

/// The functions with which a kernel suspends and resumes its scheduler. A suspension lasts from
/// the store in `begin`, inlined or not, to the first instruction of `end`.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Suspension {
    pub begin: String,
    pub end: String,
}

/// The meaning of ticks, as in lab/src/ticklab/analysis/ticks.py.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Ticks {
    /// The span measures the cost of a tick: a sample with one tick counts, less the cost of a
    /// sample without a tick.
    Cost,
    /// The span measures the period between ticks: a sample may contain any number of ticks.
    Jitter,
    /// The span is a whole workload: the cost of a sample includes its ticks.
    Included,
}

#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(untagged)]
pub enum Choice {
    Number(usize),
    Named(Named),
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Named {
    /// The first plain sample with the most frequent length.
    Typical,
    /// The first plain sample with the greatest length.
    Worst,
}

impl Request {
    /// # Errors
    /// The file cannot be read or is not a request.
    pub fn read(path: &Path) -> Result<Request, Error> {
        let name = path.display();
        let text = std::fs::read_to_string(path)
            .map_err(|e| Error::new(format!("request {name}: {e}; give explain=FILE")))?;
        Request::parse(&text)
    }

    /// # Errors
    /// The text is not a request.
    pub fn parse(text: &str) -> Result<Request, Error> {
        let request: Request = serde_json::from_str(text).map_err(|e| {
            Error::new(format!(
                "request: {e}; docs/reference/explain-format.md has the format"
            ))
        })?;
        if request.spans.is_empty() {
            return Err(Error::new(
                "request: the list of spans is empty; name at least one span",
            ));
        }
        for span in &request.spans {
            span.check()?;
            if request.log.is_none() && !span.whole {
                let name = &span.name;
                return Err(Error::new(format!(
                    "request: span {name} needs the log of a first run; give `log` or `whole`"
                )));
            }
        }
        Ok(request)
    }
}

impl Span {
    fn check(&self) -> Result<(), Error> {
        let name = &self.name;
        if self.alone && self.sample.is_none() {
            return Err(Error::new(format!(
                "span {name}: `alone` needs `sample`; name the sample"
            )));
        }
        let is_pair = self.from.is_some() && self.to.is_some();
        let has_half = self.from.is_some() || self.to.is_some();
        let has_marks = has_half || !self.each.is_empty() || self.pairs.is_some();
        if self.whole && !has_marks && self.sample.is_none() {
            return Ok(());
        }
        if self.whole || self.each.is_empty() != is_pair || (!self.each.is_empty() && has_half) {
            return Err(Error::new(format!(
                "span {name}: give either `each`, or `from` and `to`, or `whole` alone"
            )));
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spans(spans: &str) -> Result<Vec<Span>, Error> {
        let text = format!(r#"{{"log": "events.log", "json": "answer.json", "spans": {spans}}}"#);
        Request::parse(&text).map(|request| request.spans)
    }

    #[test]
    fn reads_the_documented_spans() {
        let text = r#"[{"name": "iteration", "each": ["iteration.*"], "from": null, "to": null,
            "warm_up": 50, "external": 0, "sample": "typical"},
            {"name": "take", "from": "a", "to": "b", "sample": 17}]"#;
        let spans = spans(text).unwrap();
        assert_eq!(spans[0].sample, Some(Choice::Named(Named::Typical)));
        assert_eq!(spans[1].sample, Some(Choice::Number(17)));
    }

    #[test]
    fn a_run_without_a_log_is_explained_as_a_whole() {
        let parsed = |span: &str| {
            let text = format!(r#"{{"log": null, "json": "answer.json", "spans": [{span}]}}"#);
            Request::parse(&text)
        };
        assert!(parsed(r#"{"name": "x", "whole": true}"#).is_ok());
        let error = parsed(r#"{"name": "x", "each": ["a"]}"#).unwrap_err();
        assert!(error.to_string().contains("needs the log"));
    }

    #[test]
    fn refuses_invalid_spans() {
        for text in [
            "[]",
            r#"[{"name": "x"}]"#,
            r#"[{"name": "x", "from": "a"}]"#,
            r#"[{"name": "x", "each": ["a"], "from": "a", "to": "b"}]"#,
            r#"[{"name": "x", "each": ["a"], "sample": "best"}]"#,
            r#"[{"name": "x", "each": ["a"], "alone": true}]"#,
            r#"[{"name": "x", "each": ["a"], "whole": true}]"#,
            r#"[{"name": "x", "whole": true, "sample": 1}]"#,
        ] {
            let error = spans(text).unwrap_err().to_string();
            assert_eq!(error.lines().count(), 1, "{error}");
        }
    }
}
