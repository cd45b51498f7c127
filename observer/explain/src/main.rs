// SPDX-License-Identifier: MIT
//! `ticklab-explain IMAGE RECORDING --spans FILE …`: docs/explain-format.md.
#![forbid(unsafe_code)]

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use ticklab_explain::{answer, collapsed, flame_graph, Analysis, Span, Subject};
use ticklab_replay::Error;

const USAGE: &str = "usage: ticklab-explain IMAGE RECORDING --spans FILE [--json FILE] \
    [--collapsed FILE] [--flame FILE] [--timeline FILE] [--log FILE]";

#[derive(Default)]
struct Arguments {
    image: PathBuf,
    recording: PathBuf,
    spans: PathBuf,
    json: Option<PathBuf>,
    collapsed: Option<PathBuf>,
    flame: Option<PathBuf>,
    timeline: Option<PathBuf>,
    log: Option<PathBuf>,
}

fn main() -> ExitCode {
    let Some(arguments) = parse(std::env::args().skip(1)) else {
        eprintln!("{USAGE}");
        return ExitCode::from(2);
    };
    match explain(&arguments) {
        Ok(()) => ExitCode::SUCCESS,
        Err(error) => {
            eprintln!("ticklab-explain: {error}");
            ExitCode::FAILURE
        }
    }
}

fn parse(mut words: impl Iterator<Item = String>) -> Option<Arguments> {
    let mut arguments = Arguments::default();
    let mut files = Vec::new();
    while let Some(word) = words.next() {
        let mut value = || words.next().map(PathBuf::from);
        match word.as_str() {
            "--spans" => arguments.spans = value()?,
            "--json" => arguments.json = Some(value()?),
            "--collapsed" => arguments.collapsed = Some(value()?),
            "--flame" => arguments.flame = Some(value()?),
            "--timeline" => arguments.timeline = Some(value()?),
            "--log" => arguments.log = Some(value()?),
            option if option.starts_with("--") => return None,
            file => files.push(PathBuf::from(file)),
        }
    }
    let [image, recording] = <[PathBuf; 2]>::try_from(files).ok()?;
    (arguments.image, arguments.recording) = (image, recording);
    let is_complete = !arguments.spans.as_os_str().is_empty();
    is_complete.then_some(arguments)
}

fn explain(arguments: &Arguments) -> Result<(), Error> {
    let name = arguments.spans.display();
    let text = std::fs::read_to_string(&arguments.spans)
        .map_err(|e| Error::new(format!("spans {name}: {e}; give --spans FILE")))?;
    let spans = Span::parse_all(&text)?;
    let subject = Subject::read(&arguments.image, &arguments.recording)?;
    if let Some(file) = &arguments.log {
        let unwritable = |e| Error::new(format!("{}: {e}; give a writable place", file.display()));
        let log = std::fs::File::create(file).map_err(unwritable)?;
        subject.write_log(std::io::BufWriter::new(log))?;
    }
    let analyses = spans.iter().enumerate().map(|(index, span)| {
        let with_timeline = index == 0 && arguments.timeline.is_some();
        Analysis::run(&subject, span, with_timeline)
    });
    let mut analyses = analyses.collect::<Result<Vec<_>, _>>()?;
    let json = answer(&mut analyses).to_string();
    outputs(arguments, &analyses[0])?;
    let is_only = arguments.outputs().all(Option::is_none);
    match &arguments.json {
        Some(file) if file.as_os_str() != "-" => write(file, json.as_bytes()),
        None if !is_only => Ok(()),
        _ => {
            println!("{json}");
            Ok(())
        }
    }
}

impl Arguments {
    /// All outputs but the JSON.
    fn outputs(&self) -> impl Iterator<Item = &Option<PathBuf>> {
        [&self.collapsed, &self.flame, &self.timeline, &self.log].into_iter()
    }
}

/// What is shown of the first span besides the JSON.
fn outputs(arguments: &Arguments, first: &Analysis) -> Result<(), Error> {
    if let Some(file) = &arguments.collapsed {
        write(file, collapsed(first).as_bytes())?;
    }
    if let Some(file) = &arguments.flame {
        write(file, flame_graph(first)?.as_bytes())?;
    }
    if let (Some(file), Some(timeline)) = (&arguments.timeline, &first.timeline) {
        let json = timeline.to_json(&first.task_names());
        write(file, json.to_string().as_bytes())?;
    }
    Ok(())
}

fn write(file: &Path, bytes: &[u8]) -> Result<(), Error> {
    let name = file.display();
    std::fs::write(file, bytes)
        .map_err(|e| Error::new(format!("{name}: {e}; give a writable place")))
}
