// SPDX-License-Identifier: MIT
//! Writes the collapsed stacks and the flame graph of a span, in instructions of its plain samples
//! (those that no tick or foreign interrupt has interrupted).

use crate::analysis::Analysis;
use crate::tree::NodeId;
use inferno::flamegraph::{from_lines, Options};
use ticklab_isa::counted;
use ticklab_replay::{Core, Error};

/// Returns one line for each call stack, the outermost function first: `task;function;function
/// 123`. Call [`crate::answer`] first, which adds up the call tree.
#[must_use]
pub fn collapsed(analysis: &Analysis, core: &Core) -> String {
    let names = analysis.task_names();
    let mut text = String::new();
    for (index, node) in analysis.tree.nodes.iter().enumerate() {
        let instructions = node.own.0[counted::INSTRUCTIONS];
        if instructions > 0 {
            let path = path(analysis, core, NodeId(index as u32), &names);
            text.push_str(&format!("{path} {instructions}\n"));
        }
    }
    text
}

fn path(analysis: &Analysis, core: &Core, leaf: NodeId, tasks: &[String]) -> String {
    let mut names = Vec::new();
    let mut next = Some(leaf);
    while let Some(NodeId(id)) = next {
        let node = &analysis.tree.nodes[id as usize];
        let name = analysis.describe(core, node.role, tasks).2;
        names.push(name.replace(';', ",")); // the form divides names by semicolons
        next = node.parent;
    }
    names.reverse();
    names.join(";")
}

/// # Errors
/// The span has no plain sample.
pub fn flame_graph(analysis: &Analysis, core: &Core) -> Result<String, Error> {
    let stacks = collapsed(analysis, core);
    let mut options = Options::default();
    options.title.clone_from(&analysis.span.name);
    options.count_name = "instructions".to_owned();
    options.deterministic = true;
    let mut svg = Vec::new();
    from_lines(&mut options, stacks.lines(), &mut svg).map_err(|e| {
        let name = &analysis.span.name;
        Error::new(format!(
            "flame graph of {name}: {e}; run longer, so that there are plain samples"
        ))
    })?;
    String::from_utf8(svg).map_err(|e| Error::new(format!("flame graph: {e}")))
}
