//! Answers of many calls.

use super::*;

/// Fragments of all kinds, the same in every run; the first opens a call.
fn any_deltas(seed: u64) -> Vec<ToolCallDelta<'static>> {
    let mut state = seed;
    let mut below = |bound: usize| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1);
        (state >> 33) as usize % bound
    };
    let mut deltas = vec![delta(0, "a", "sum", "")];
    for _ in 0..30 {
        deltas.push(delta(
            [None, Some(0), Some(1), Some(2), Some(3)][below(5)],
            ["", "", "a", "b", "c"][below(5)],
            ["", "", "sum", "max"][below(4)],
            ["", "{", "}", "{\"x\":1}", "\"x\":1"][below(5)],
        ));
    }
    deltas
}

#[test]
fn many_calls_before_change_nothing() {
    let names: Vec<String> = (0..40).map(|n| format!("earlier{n}")).collect();
    let earlier = |count: usize| {
        let one = |n: usize| delta(1000 + n as i64, &names[n], "early", "{\"e\":1}");
        (0..count).map(one).collect::<Vec<_>>()
    };
    // What is found by looking at all of them, and what an index finds.
    for seed in 0..2000 {
        let deltas = any_deltas(seed);
        let calls_after = |count: usize| {
            let mut calls = accumulate(&earlier(count));
            let effects: Vec<_> = deltas
                .iter()
                .map(|delta| calls.add(*delta))
                .map(|effect| effect.map(|e| (e.index - count, e.opened, e.arguments_from)))
                .collect();
            let said: Vec<_> = (count..calls.len())
                .map(|at| (calls.name(at).map(str::to_owned), calls.id(at).cloned()))
                .collect();
            (effects, said)
        };
        assert_eq!(calls_after(0), calls_after(40), "seed {seed}");
        assert_eq!(calls_after(0), calls_after(14), "seed {seed}");
    }
}

#[test]
fn many_calls_have_ids_of_their_own() {
    let mut calls = ToolCallAccumulator::new("test");
    for _ in 0..100 {
        calls.add_whole(Some("a"), "sum", "{}", None);
    }
    let parts = said(&calls.finish(None));
    let ids: std::collections::HashSet<_> = parts.iter().collect();
    assert_eq!((parts.len(), ids.len()), (100, 100));
    assert_eq!(parts[..2], ["a sum {}", "a_1 sum {}"]);
}

#[test]
fn many_calls_cost_no_square() {
    let time = |count: usize| {
        let ids: Vec<String> = (0..count).map(|n| format!("id{n}")).collect();
        let started = std::time::Instant::now();
        let mut calls = ToolCallAccumulator::new("test");
        for piece in ["{\"x\":", "1}"] {
            for (n, id) in ids.iter().enumerate() {
                calls.add(delta(n as i64, id, "sum", piece));
            }
        }
        assert_eq!(calls.finish(None).len(), count);
        started.elapsed()
    };
    // Sixteen times as many calls take sixteen times as long, and would take 256 times.
    let best = |count| (0..5).map(|_| time(count)).min().unwrap();
    let (few, many) = (best(1_000), best(16_000));
    assert!(many < few * 80, "{few:?} and {many:?}");
}
