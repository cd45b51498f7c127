// SPDX-License-Identifier: MIT
//! The command line `ticklab-explain IMAGE RECORDING --spans FILE …`
//! (docs/reference/explain-format.md).
#![forbid(unsafe_code)]

use std::fs::File;
use std::io::{self, BufWriter};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use ticklab_explain::{answer, collapsed, flame_graph, Analysis, Span, Subject};
use ticklab_replay::Error;

const USAGE: &str = "usage: ticklab-explain IMAGE RECORDING --spans FILE [--json FILE] \
    [--collapsed FILE] [--flame FILE] [--timeline FILE] [--log FILE]
       ticklab-explain IMAGE RECORDING --log FILE";

#[derive(Default)]
struct Arguments {
    image: PathBuf,
    recording: PathBuf,
    spans: Option<PathBuf>,
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
            "--spans" => arguments.spans = Some(value()?),
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
    let is_complete = arguments.spans.is_some() || arguments.is_log_only();
    is_complete.then_some(arguments)
}

fn explain(arguments: &Arguments) -> Result<(), Error> {
    let Some(spans) = &arguments.spans else {
        return arguments.subject().map(|_| ());
    };
    let spans = read(spans)?;
    let subject = arguments.subject()?;
    let analyses = spans.iter().enumerate().map(|(index, span)| {
        let with_timeline = index == 0 && arguments.timeline.is_some();
        Analysis::run(&subject, span, with_timeline)
    });
    let mut analyses = analyses.collect::<Result<Vec<_>, _>>()?;
    let json = answer(&mut analyses).to_string();
    outputs(arguments, &analyses[0])?;
    let is_only = arguments
        .outputs()
        .chain([&arguments.log])
        .all(Option::is_none);
    match &arguments.json {
        Some(file) if file.as_os_str() != "-" => write(file, json.as_bytes()),
        None if !is_only => Ok(()),
        _ => {
            println!("{json}");
            Ok(())
        }
    }
}

fn read(spans: &Path) -> Result<Vec<Span>, Error> {
    let name = spans.display();
    let text = std::fs::read_to_string(spans)
        .map_err(|e| Error::new(format!("spans {name}: {e}; give --spans FILE")))?;
    Span::parse_all(&text)
}

impl Arguments {
    /// Replays the recording once, and writes the log if one is requested.
    fn subject(&self) -> Result<Subject, Error> {
        let (image, recording) = (&self.image, &self.recording);
        let Some(file) = &self.log else {
            return Subject::read(image, recording, None::<io::Sink>);
        };
        let unwritable = |e| Error::new(format!("{}: {e}; give a writable path", file.display()));
        let log = File::create(file).map_err(unwritable)?;
        Subject::read(image, recording, Some(BufWriter::new(log)))
    }

    fn is_log_only(&self) -> bool {
        let mut others = self.outputs().chain([&self.json]);
        self.log.is_some() && others.all(Option::is_none)
    }

    /// Returns the outputs about spans other than the JSON.
    fn outputs(&self) -> impl Iterator<Item = &Option<PathBuf>> {
        [&self.collapsed, &self.flame, &self.timeline].into_iter()
    }
}

/// Writes the outputs about the first span other than the JSON.
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
        .map_err(|e| Error::new(format!("{name}: {e}; give a writable path")))
}
