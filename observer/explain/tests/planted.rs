// SPDX-License-Identifier: MIT
//! Compares the explanation of a small synthetic guest with values derived by hand. Each sample
//! executes B, BL in main; PUSH, BL, POP in f; CPSID, NOP, CPSIE, BX in g.

mod common;

use common::{explained, image, samples, switches};
use serde_json::Value;
use ticklab_explain::{answer, collapsed, flame_graph, Explainer};
use ticklab_replay::Core;

const SPANS: &str = r#"[{"name": "pass", "each": ["m"], "sample": "worst"}]"#;

/// Returns the JSON answer about the samples of the guest with symbols.
fn explain(spans: &str) -> Value {
    explained(&image(true), spans, None, samples, |found, core| {
        answer(&mut found.analyses, core)
    })
    .unwrap()
}

/// Returns for each node of the call tree that executed instructions its name, its calls, and its
/// instructions without and with callees.
fn nodes(span: &Value) -> Vec<(String, u64, u64, u64)> {
    let rows = span["nodes"].as_array().unwrap().iter();
    let number = |value: &Value| value.as_u64().unwrap();
    rows.filter(|node| node["total"][0] != 0)
        .map(|node| {
            let name = node["name"].as_str().unwrap().to_owned();
            (
                name,
                number(&node["calls"]),
                number(&node["self"][0]),
                number(&node["total"][0]),
            )
        })
        .collect()
}

#[test]
fn the_tree_is_the_expected_one() {
    let answer = explain(SPANS);
    let span = &answer["spans"][0];
    assert_eq!(
        (&span["samples"], &span["plain"], &span["ticked"]),
        (&3.into(), &2.into(), &1.into())
    );
    let node = |name: &str, calls, own, total| (name.to_owned(), calls, own, total);
    let expected = [
        node("main", 0, 0, 18), // the task, named after its first function
        node("main", 0, 4, 18),
        node("f", 2, 6, 14),
        node("g", 2, 8, 8),
    ];
    assert_eq!(nodes(span), expected);
}

#[test]
fn the_sum_of_a_sample_alone_includes_its_tick() {
    let asked = r#"[{"name": "pass", "each": ["m"], "sample": 2, "alone": true}]"#;
    let answer = explain(asked);
    let span = &answer["spans"][0];
    assert_eq!((&span["plain"], &span["summed"]), (&2.into(), &1.into()));
    assert_eq!(span["total"][0], 10);
    let node = |name: &str, calls, own, total| (name.to_owned(), calls, own, total);
    let expected = [
        node("main", 0, 0, 9),
        node("main", 0, 2, 9),
        node("f", 1, 3, 7),
        node("g", 1, 4, 4),
        node("tick", 1, 0, 1), // the exception, named after its handler
        node("tick", 1, 1, 1),
    ];
    assert_eq!(nodes(span), expected);
}

#[test]
fn the_cost_of_a_tick_is_the_excess_over_a_sample_without_a_tick() {
    let asked = r#"[{"name": "pass", "each": ["m"], "ticks": "cost"}]"#;
    let answer = explain(asked);
    let span = &answer["spans"][0];
    assert_eq!(
        (&span["plain"], &span["summed"], &span["less"]),
        (&1.into(), &1.into(), &1.into())
    );
    assert_eq!(span["total"][0], 1);
    let node = |name: &str, calls, own, total| (name.to_owned(), calls, own, total);
    let expected = [node("tick", 1, 0, 1), node("tick", 1, 1, 1)];
    assert_eq!(nodes(span), expected);
    assert_eq!(span["masked"]["count"], 0);
}

#[test]
fn ticks_may_belong_to_a_sample() {
    let asked = r#"[{"name": "pass", "each": ["m"], "ticks": "included"}]"#;
    let answer = explain(asked);
    let span = &answer["spans"][0];
    assert_eq!((&span["plain"], &span["ticked"]), (&3.into(), &1.into()));
    assert_eq!(span["total"][0], 28);
}

#[test]
fn nodes_and_code_add_up_to_the_total_in_every_lane() {
    let answer = explain(SPANS);
    let span = &answer["spans"][0];
    let sum = |rows: &Value, lane: usize| -> i64 {
        rows.as_array()
            .unwrap()
            .iter()
            .map(|row| row["self"][lane].as_i64().unwrap())
            .sum()
    };
    let lanes = answer["lanes"].as_array().unwrap().len();
    assert!(lanes > 11, "the run is modelled");
    for lane in 0..lanes {
        assert_eq!(
            sum(&span["nodes"], lane),
            span["total"][lane].as_i64().unwrap()
        );
        assert_eq!(
            sum(&span["code"], lane),
            span["total"][lane].as_i64().unwrap()
        );
    }
}

#[test]
fn a_critical_section_lasts_from_cpsid_to_cpsie() {
    let masked = &explain(SPANS)["spans"][0]["masked"];
    assert_eq!(
        (&masked["count"], &masked["instructions"]),
        (&2.into(), &4.into())
    );
    assert_eq!(
        (&masked["enters"], &masked["leaves"]),
        (&2.into(), &2.into())
    );
    let longest = &masked["longest"];
    assert_eq!(longest["begins"]["address"], 0x140);
    assert_eq!(longest["ends"]["address"], 0x144);
    assert_eq!(longest["longest"]["instructions"], 2);
}

#[test]
fn the_worst_sample_is_listed_with_its_tick() {
    let answer = explain(SPANS);
    let listing = &answer["spans"][0]["listing"];
    assert_eq!(
        (&listing["sample"], &listing["instructions"]),
        (&2.into(), &10.into())
    );
    assert_eq!(listing["contexts"][1]["name"], "tick");
    let rows = listing["rows"].as_array().unwrap();
    let addresses: Vec<_> = rows.iter().map(|row| row[0].as_u64().unwrap()).collect();
    let expected = [
        0x104, 0x100, 0x120, 0x122, 0x300, 0x140, 0x142, 0x144, 0x146, 0x126,
    ];
    assert_eq!(addresses, expected);
    let masked: Vec<_> = rows.iter().map(|row| row[4].as_u64().unwrap()).collect();
    assert_eq!(masked, [0, 0, 0, 0, 0, 0, 1, 1, 0, 0]);
}

#[test]
fn a_task_that_was_preempted_before_it_ran_is_known() {
    let answer = explained(&image(true), SPANS, None, switches, |found, core| {
        answer(&mut found.analyses, core)
    });
    let none = serde_json::json!({"bytes": 0, "calls": []});
    let expected = serde_json::json!([
        {"name": "main", "switches": 1, "stack": none},
        {"name": "g", "switches": 2, "stack": none},
    ]);
    assert_eq!(answer.unwrap()["tasks"], expected);
}

#[test]
fn the_depth_of_a_stack_is_the_pushed_bytes() {
    let answer = explain(SPANS);
    let pushed_lr = serde_json::json!({"bytes": 4, "calls": ["main", "f"]});
    assert_eq!(answer["tasks"][0]["stack"], pushed_lr);
    let tick = serde_json::json!([
        {"number": 15, "name": "tick", "stack": {"bytes": 0, "calls": []}}
    ]);
    assert_eq!(answer["exceptions"], tick);
    assert_eq!(answer["frame_bytes"], 32);
}

#[test]
fn without_symbols_addresses_are_names() {
    let bare = image(false);
    let answer = |starts: Option<&[u32]>| {
        let look = |found: &mut Explainer, core: &Core| answer(&mut found.analyses, core);
        explained(&bare, SPANS, starts, samples, look).unwrap()
    };
    let starts: Vec<u32> = serde_json::from_value(answer(None)["starts"].clone()).unwrap();
    assert_eq!(starts, [0x100, 0x120, 0x140, 0x300, 0x340]);
    let answer = answer(Some(&starts));
    let names: Vec<_> = nodes(&answer["spans"][0])
        .into_iter()
        .map(|node| node.0)
        .collect();
    assert_eq!(names[2..], ["0x120", "0x140"]);
    assert!(answer["notes"].to_string().contains("no symbols"));
}

#[test]
fn stacks_are_written_as_collapsed_stacks_and_flame_graph() {
    let (stacks, flame) = explained(&image(true), SPANS, None, samples, |found, core| {
        let _ = answer(&mut found.analyses, core);
        let first = &found.analyses[0];
        (collapsed(first, core), flame_graph(first, core).unwrap())
    })
    .unwrap();
    assert!(stacks.contains("main;main;f;g 8\n"), "{stacks}");
    assert!(flame.contains("</svg>"));
}

#[test]
fn the_spans_of_one_run_do_not_disturb_each_other() {
    let one = r#"[{"name": "x", "each": ["m"], "sample": 2, "alone": true}]"#;
    let both = format!("{},{}", &SPANS[..SPANS.len() - 1], &one[1..]);
    let found = explain(&both);
    assert_eq!(found["spans"][0], explain(SPANS)["spans"][0]);
    assert_eq!(found["spans"][1], explain(one)["spans"][0]);
}

#[test]
fn an_error_names_the_missing_mark_or_sample() {
    for (spans, word) in [
        (r#"[{"name": "x", "each": ["none.*"]}]"#, "none.*"),
        (r#"[{"name": "x", "each": ["m"], "sample": 9}]"#, "sample"),
    ] {
        let error = explained(&image(true), spans, None, samples, |_, _| ()).unwrap_err();
        assert!(error.to_string().contains(word), "{error}");
    }
}
