//! MEM-4 and MEM-7: each message once, and whole turns next to each other.

use std::sync::Arc;

use vernal_core::advisor::{Advisor, MessageChatMemoryAdvisor, ToolCallingAdvisor};
use vernal_core::memory::{ChatMemory, MemoryWindow};
use vernal_core::message::{History, Message, Role};
use vernal_testing::{Reply, ScriptedModel};

use crate::kit::{INSIDE, OUTSIDE, WAYS, Way, asked, assert_valid, builder, client, memory, read};
use crate::store::Store;

/// Two turns with a tool call each, and what was asked and kept, checked.
async fn two_turns(way: Way, store: &Store, advisors: Vec<Arc<dyn Advisor>>) -> Vec<Vec<String>> {
    let script = ScriptedModel::new().calls("look", "{}").says("one");
    let model = script.calls("look", "{}").says("two");
    let client = builder(&model).default_advisors(advisors).build().unwrap();
    for text in ["first", "second"] {
        way.send(&client.prompt(text).conversation("c"))
            .await
            .unwrap();
    }
    assert_valid(&store.kept("c").await);
    asked(&model)
}

#[tokio::test]
async fn mem_4_no_message_occurs_twice_whoever_built_the_loop_and_wherever_memories_stand() {
    for way in WAYS {
        for orders in [
            vec![OUTSIDE],
            vec![INSIDE],
            vec![OUTSIDE, INSIDE],
            vec![INSIDE, INSIDE],
            vec![INSIDE, INSIDE + 1, OUTSIDE, OUTSIDE - 1],
        ] {
            for hand_built in [None, Some(false), Some(true)] {
                let store = Store::default();
                let memories = orders.iter().map(|order| memory(&store, *order).build());
                let mut advisors: Vec<Arc<dyn Advisor>> =
                    memories.map(|memory| Arc::new(memory) as _).collect();
                if let Some(is_told) = hand_built {
                    let mut own = ToolCallingAdvisor::builder();
                    // One that is told so needs a memory inside.
                    if is_told && orders.contains(&INSIDE) {
                        own = own.disable_internal_conversation_history();
                    }
                    advisors.push(Arc::new(own.build().unwrap()));
                }
                let prompts = two_turns(way, &store, advisors).await;
                let case = format!("{way:?} {orders:?} {hand_built:?}");
                let replays_calls = orders.contains(&INSIDE);
                let history = if replays_calls { 4 } else { 2 };
                let lengths: Vec<_> = prompts.iter().map(Vec::len).collect();
                assert_eq!(lengths, [2, 4, history + 2, history + 4], "{case}");
                assert_eq!(prompts[3][history + 1], "user: second", "{case}");
            }
        }
    }
}

#[tokio::test]
async fn mem_4_a_request_that_brings_stored_messages_itself_sees_them_once_and_in_order() {
    for order in [OUTSIDE, INSIDE] {
        for way in WAYS {
            let model = ScriptedModel::new().then_always(Reply::text("yes"));
            let store = Store::default();
            let turns = ["zero", "one"].map(|text| [Message::user(text), Message::assistant("no")]);
            let stored: Vec<_> = turns.into_iter().flatten().map(Arc::new).collect();
            store.put("c", &stored).await;
            let mut own = History::from(stored[2..].to_vec());
            own.push(Message::user("two"));
            let request = client(&model, &store, order).prompt(own).conversation("c");
            way.send(&request).await.unwrap();
            let all = [
                "user: zero",
                "assistant: no",
                "user: one",
                "assistant: no",
                "user: two",
            ];
            assert_eq!(asked(&model)[0][1..], all);
            let kept = read(&store.kept("c").await);
            assert_eq!(kept.len(), 6, "{kept:?}");
            // The same request again is a turn of its own; what it brings is there once.
            way.send(&request).await.unwrap();
            assert_valid(&store.kept("c").await);
            assert_eq!(store.kept("c").await.len(), 8);
        }
    }
}

#[tokio::test]
async fn mem_4_what_the_window_leaves_out_and_the_request_brings_stays_in_order() {
    for order in [OUTSIDE, INSIDE] {
        for way in WAYS {
            let model = ScriptedModel::new().says("yes");
            let store = Store::default();
            let turns = ["0", "1", "2"].map(|text| [Message::user(text), Message::assistant(text)]);
            let stored: Vec<_> = turns.into_iter().flatten().map(Arc::new).collect();
            store.put("c", &stored).await;
            let memory = ChatMemory::new(store).with_window(MemoryWindow::messages(11));
            let memory = MessageChatMemoryAdvisor::builder(memory)
                .order(order)
                .build();
            let client = builder(&model).default_advisors(memory).build().unwrap();
            // All that is stored, the newest twice.
            let mut own = History::from(stored.clone());
            own.extend(stored[4..].iter().cloned());
            own.push(Message::user("3"));
            way.send(&client.prompt(own).conversation("c"))
                .await
                .unwrap();
            let expected = [read(&stored), vec!["user: 3".to_owned()]].concat();
            assert_eq!(asked(&model)[0][1..], expected);
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn mem_7_two_tasks_on_one_conversation_interleave_whole_turns() {
    const TURNS: usize = 25;
    for (order, length) in [(OUTSIDE, 2), (INSIDE, 4)] {
        let store = Store::default();
        let tasks = [("a", Way::Call), ("b", Way::Stream)].map(|(name, way)| {
            let mut script = ScriptedModel::new();
            for turn in 0..TURNS {
                script = script.calls("look", "{}").says(format!("{name}{turn}"));
            }
            let client = client(&script, &store, order);
            tokio::spawn(async move {
                for turn in 0..TURNS {
                    let request = client.prompt(format!("{name}{turn}")).conversation("c");
                    way.send(&request).await.unwrap();
                }
                asked(&script); // checks that every request was valid
            })
        });
        for task in tasks {
            task.await.unwrap();
        }
        let kept = store.kept("c").await;
        assert_valid(&kept);
        assert_eq!(kept.len(), 2 * TURNS * length);
        for turn in kept.chunks(length) {
            assert_eq!(turn[0].role(), Role::User);
            assert_eq!(
                turn[0].text(),
                turn[length - 1].text(),
                "a turn was torn: {:?}",
                read(turn)
            );
        }
    }
}

/// A message that is handed over again is said again: in the same request, prompt or message.
#[tokio::test]
async fn mem_7_what_is_sent_again_is_a_turn_of_its_own() {
    for order in [OUTSIDE, INSIDE] {
        for way in WAYS {
            let model = ScriptedModel::new().says("one").says("two").says("three");
            let model = model.says("four");
            let store = Store::default();
            let client = client(&model, &store, order);
            let message = Arc::new(Message::user("roll"));
            let prompt = History::from_iter([message]);
            let request = client.prompt(prompt.clone()).conversation("c");
            let again = client.prompt(prompt).conversation("c");
            for request in [&request, &request, &again] {
                way.send(request).await.unwrap();
            }
            way.send(&client.prompt("roll").user("on").conversation("c"))
                .await
                .unwrap();
            let kept = store.kept("c").await;
            assert_valid(&kept);
            let all = [
                "user: roll",
                "assistant: one",
                "user: roll",
                "assistant: two",
                "user: roll",
                "assistant: three",
                "user: roll",
                "user: on",
                "assistant: four",
            ];
            assert_eq!(read(&kept), all, "{order} {way:?}");
            let asked = asked(&model);
            assert_eq!(asked[1][1..], all[..3], "{order} {way:?}");
            assert_eq!(asked[3][1..], all[..8]);
        }
    }
}

/// The windows that see little of the conversation do not hide that a message was said before.
#[tokio::test]
async fn mem_7_what_is_sent_again_after_long_is_kept_again() {
    for way in WAYS {
        let model = ScriptedModel::new().then_always(Reply::text("yes"));
        let store = Store::default();
        let memory = ChatMemory::new(store.clone()).with_window(MemoryWindow::messages(2));
        let memory = MessageChatMemoryAdvisor::new(memory);
        let client = builder(&model).default_advisors(memory).build().unwrap();
        let again = client.prompt("roll").conversation("c");
        way.send(&again).await.unwrap();
        for _ in 0..4 {
            way.send(&client.prompt("go").conversation("c"))
                .await
                .unwrap();
        }
        way.send(&again).await.unwrap();
        let kept = read(&store.kept("c").await);
        assert_eq!(kept.len(), 12, "{kept:?}");
        assert_eq!(kept[10..], ["user: roll", "assistant: yes"]);
    }
}
