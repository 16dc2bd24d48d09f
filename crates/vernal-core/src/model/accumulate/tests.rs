use super::*;

mod many;

fn raw(json: &str) -> &RawValue {
    serde_json::from_str(json).unwrap()
}

fn delta<'a>(
    index: impl Into<Option<i64>>,
    id: &'a str,
    name: &'a str,
    arguments: &'a str,
) -> ToolCallDelta<'a> {
    ToolCallDelta {
        index: index.into(),
        id: Some(id),
        name: Some(name),
        arguments: ArgumentsDelta::Fragment(arguments),
        provider_data: None,
    }
}

fn accumulate(deltas: &[ToolCallDelta<'_>]) -> ToolCallAccumulator {
    let mut calls = ToolCallAccumulator::new("test");
    for delta in deltas {
        calls.add(*delta);
    }
    calls
}

/// Each call as `id name arguments`.
fn said(parts: &[Part]) -> Vec<String> {
    let of = |part: &Part| match &part.content {
        PartContent::ToolCall(call) => format!("{} {} {}", call.id, call.name, call.arguments),
        other => panic!("not a call: {other:?}"),
    };
    parts.iter().map(of).collect()
}

fn collected(deltas: &[ToolCallDelta<'_>]) -> Vec<String> {
    said(&accumulate(deltas).finish(Some(&FinishReason::ToolCalls)))
}

#[test]
fn interleaved_calls_are_kept_apart_by_index() {
    let got = collected(&[
        delta(0, "a", "sum", ""),
        delta(1, "b", "max", ""),
        delta(0, "", "", "{\"x\":"),
        delta(1, "", "", "{\"y\":"),
        delta(0, "", "", "1}"),
        delta(1, "", "", "2}"),
    ]);
    assert_eq!(got, ["a sum {\"x\":1}", "b max {\"y\":2}"]);
}

#[test]
fn rule_1_order_is_that_of_appearance_and_opening_data_is_kept() {
    let mut calls = ToolCallAccumulator::new("test");
    let signed = raw(r#"{"google":{"thought_signature":"s"}}"#);
    calls.add(ToolCallDelta {
        provider_data: Some(signed),
        ..delta(7, "a", "late", "{}")
    });
    calls.add(ToolCallDelta {
        provider_data: Some(raw("{}")),
        ..delta(7, "", "", "")
    });
    calls.add(delta(2, "b", "early", "{}"));
    let parts = calls.finish(None);
    assert_eq!(parts[0].provider_data("test").unwrap().get(), signed.get());
    assert_eq!(said(&parts), ["a late {}", "b early {}"]);
}

#[test]
fn rule_2_without_index_and_id_the_latest_call_goes_on() {
    let got = collected(&[
        delta(None, "a", "sum", "{\"x\""),
        delta(None, "", "", ":1}"),
    ]);
    assert_eq!(got, ["a sum {\"x\":1}"]);
}

#[test]
fn rule_2_a_known_id_wins_over_everything() {
    let got = collected(&[
        delta(0, "a", "sum", "{"),
        delta(1, "b", "max", "{"),
        delta(None, "a", "", "}"),
        delta(None, "b", "max", "}"),
    ]);
    assert_eq!(got, ["a sum {}", "b max {}"]);
}

#[test]
fn rule_3_a_new_id_in_each_fragment_opens_nothing() {
    let got = collected(&[
        delta(0, "1", "sum", ""),
        delta(0, "2", "", "{"),
        delta(0, "3", "", "}"),
        delta(None, "4", "", " "),
    ]);
    assert_eq!(got, ["1 sum {} "]);
}

#[test]
fn rule_3_what_comes_before_the_name_is_held() {
    let mut calls = ToolCallAccumulator::new("test");
    assert_eq!(calls.add(delta(0, "a", "", "{\"x\":")), None);
    let opened = calls.add(delta(0, "", "sum", "1")).unwrap();
    assert!(opened.opened && opened.arguments_from == 0);
    assert_eq!(calls.arguments(0), Some("{\"x\":1"));
    let more = calls.add(delta(0, "", "", "}")).unwrap();
    assert_eq!(&calls.arguments(0).unwrap()[more.arguments_from..], "}");
    assert_eq!(said(&calls.finish(None)), ["a sum {\"x\":1}"]);
}

#[test]
fn rule_3_a_second_call_may_begin_without_its_name() {
    let got = collected(&[
        delta(0, "a", "sum", "{}"),
        delta(1, "b", "", ""),
        delta(1, "", "max", "{}"),
    ]);
    assert_eq!(got, ["a sum {}", "b max {}"]);
}

#[test]
fn rule_4_every_index_0() {
    let got = collected(&[
        delta(0, "a", "sum", "{\"x\":1}"),
        delta(0, "b", "sum", "{\"x\":1}"),
        delta(0, "c", "max", "{}"),
    ]);
    assert_eq!(got, ["a sum {\"x\":1}", "b sum {\"x\":1}", "c max {}"]);
}

#[test]
fn rule_4_every_index_0_and_no_id() {
    let got = collected(&[delta(0, "", "sum", "{\"x\":1}"), delta(0, "", "max", "{}")]);
    assert_eq!(got, ["call_0 sum {\"x\":1}", "call_1 max {}"]);
}

#[test]
fn whole_calls_without_index_and_id() {
    let got = collected(&[
        delta(None, "", "sum", "{\"x\":1}"),
        delta(None, "", "sum", "{\"x\":2}"),
    ]);
    assert_eq!(got, ["call_0 sum {\"x\":1}", "call_1 sum {\"x\":2}"]);
}

#[test]
fn rule_5_a_repeated_name_is_no_news() {
    for index in [Some(0), None] {
        let got = collected(&[
            delta(index, "", "terminal", "{\"c\":"),
            delta(index, "", "terminal", "\"ls\""),
            delta(index, "", "terminal", "}"),
        ]);
        assert_eq!(got, ["call_0 terminal {\"c\":\"ls\"}"]);
    }
}

#[test]
fn rule_5_names_in_pieces_only_where_it_was_said() {
    let pieces = [
        delta(0, "a", "get_", ""),
        delta(0, "a", "weather", ""),
        delta(0, "", "", "{}"),
    ];
    let mut calls = ToolCallAccumulator::new("test").with_name_fragments();
    for piece in pieces {
        calls.add(piece);
    }
    assert_eq!(calls.name(0), Some("get_weather"));
    assert_eq!(accumulate(&pieces).name(0), Some("get_"));
}

#[test]
fn rule_6_the_first_id_stays() {
    let got = collected(&[
        delta(0, "", "sum", "{"),
        delta(0, "a", "", ""),
        delta(0, "a", "", ""),
        delta(0, "b", "", "}"),
    ]);
    assert_eq!(got, ["a sum {}"]);
}

#[test]
fn rule_7_an_object_is_the_whole_and_null_is_nothing() {
    let mut calls = accumulate(&[delta(0, "a", "sum", "")]);
    calls.add(ToolCallDelta {
        arguments: ArgumentsDelta::None,
        ..delta(0, "", "", "")
    });
    let whole = ArgumentsDelta::Whole(raw(r#"{"x": [1, 2]}"#));
    let effect = calls
        .add(ToolCallDelta {
            arguments: whole,
            ..delta(0, "", "", "")
        })
        .unwrap();
    assert_eq!(effect.arguments_from, 0);
    let again = calls
        .add(ToolCallDelta {
            arguments: whole,
            ..delta(0, "", "", "")
        })
        .unwrap();
    assert_eq!(again.arguments_from, calls.arguments(0).unwrap().len());
    assert_eq!(said(&calls.finish(None)), [r#"a sum {"x": [1, 2]}"#]);
}

#[test]
fn rule_8_a_prefix_that_parses_may_still_grow() {
    let got = collected(&[
        delta(0, "a", "sum", "1"),
        delta(0, "", "", "2"),
        delta(0, "", "", "3"),
    ]);
    assert_eq!(got, ["a sum 123"]);
}

#[test]
fn rule_9_empty_blank_and_double_encoded_arguments() {
    let cases = [
        ("", "{}"),
        (" \n", "{}"),
        (r#""{\"x\":1}""#, r#"{"x":1}"#),
        (r#""text""#, r#""text""#),
        (r#""{broken""#, r#""{broken""#),
        ("{broken", "{broken"),
        ("null", "null"),
    ];
    for (sent, expected) in cases {
        assert_eq!(
            collected(&[delta(0, "a", "sum", sent)]),
            [format!("a sum {expected}")]
        );
    }
}

#[test]
fn rule_10_a_summary_at_the_end_is_no_news() {
    let whole = r#"{"x":1,"y":2}"#;
    for summary in [whole, r#"{ "y": 2, "x": 1 }"#, r#""{\"x\":1,\"y\":2}""#] {
        let mut calls = accumulate(&[
            delta(0, "a", "sum", "{\"x\":1,"),
            delta(0, "a", "", "\"y\":2}"),
        ]);
        for index in [Some(0), Some(1), None] {
            let effect = calls.add(delta(index, "a", "sum", summary)).unwrap();
            assert_eq!((effect.index, effect.opened), (0, false));
            assert_eq!(effect.arguments_from, whole.len());
        }
        assert_eq!(said(&calls.finish(None)), [format!("a sum {whole}")]);
    }
}

#[test]
fn rule_11_ids_are_made_where_there_are_none() {
    let mut calls = ToolCallAccumulator::new("test").with_turn(4);
    calls.add(delta(0, "", "sum", ""));
    calls.add(delta(1, "x", "max", ""));
    let parts = calls.finish(None);
    assert_eq!(said(&parts), ["call_4_0 sum {}", "x max {}"]);
    let synthetic = |part: &Part| match &part.content {
        PartContent::ToolCall(call) => call.synthetic_id,
        _ => false,
    };
    assert_eq!(
        parts.iter().map(synthetic).collect::<Vec<_>>(),
        [true, false]
    );
}

#[test]
fn rule_12_a_cut_call_is_not_made_to_look_whole() {
    let cut = |arguments| {
        let calls = accumulate(&[delta(0, "a", "sum", arguments)]);
        assert!(calls.has_incomplete_arguments());
        said(&calls.finish(Some(&FinishReason::Length)))
    };
    assert_eq!(cut(""), ["a sum "]);
    assert_eq!(cut("{\"x\":"), ["a sum {\"x\":"]);
    assert!(!accumulate(&[delta(0, "a", "sum", "{}")]).has_incomplete_arguments());
}

#[test]
fn rule_13_one_id_for_two_calls() {
    let in_pieces = collected(&[
        delta(0, "a", "sum", ""),
        delta(0, "a", "", "{\"x\":1}"),
        delta(1, "a", "sum", ""),
        delta(1, "a", "", "{\"x\":2}"),
        delta(0, "a", "", " "),
    ]);
    assert_eq!(in_pieces, ["a sum {\"x\":1} ", "a_1 sum {\"x\":2}"]);
    let at_once = collected(&[delta(0, "a", "sum", "{}"), delta(1, "a", "max", "{}")]);
    assert_eq!(at_once, ["a sum {}", "a_1 max {}"]);
}

#[test]
fn calls_outside_a_stream_are_never_merged() {
    let mut whole = ToolCallAccumulator::new("test");
    whole.add_whole(Some("a"), "sum", "{}", None);
    whole.add_whole(Some("a"), "sum", "{}", Some(raw("{\"k\":1}")));
    whole.add_whole(Some(""), "sum", "", None);
    let mut parts = vec![Part::text("first")];
    whole.finish_into(None, &mut parts);
    assert_eq!(
        said(&parts[1..]),
        ["a sum {}", "a_1 sum {}", "call_2 sum {}"]
    );
    assert_eq!(parts[2].provider_data("test").unwrap().get(), "{\"k\":1}");
}

#[test]
fn long_arguments_in_small_pieces_cost_no_square() {
    let mut calls = accumulate(&[delta(0, "a", "sum", "[")]);
    let started = std::time::Instant::now();
    for _ in 0..100_000 {
        for piece in ["{\"", "x", "\":\"", "y", "\"}", ","] {
            calls.add(delta(0, "", "", piece));
        }
    }
    assert!(started.elapsed().as_secs() < 10, "{:?}", started.elapsed());
}
