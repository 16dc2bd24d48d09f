//! MEM-6: windows never split a call from its answer, never drop the open turn, and start at a
//! message of the user.

use std::sync::Arc;

use vernal_core::calling::ToolCallingManager;
use vernal_core::memory::{ChatMemory, ConversationId, MemoryWindow};
use vernal_core::message::{Message, Part, PartContent, Role, ToolCall, ToolContent, ToolResponse};
use vernal_testing::{Reply, ScriptedModel};

use crate::kit::{INSIDE, OUTSIDE, WAYS, asked, assert_valid, builder, read};
use crate::store::Store;
use vernal_core::advisor::MessageChatMemoryAdvisor;

/// Numbers that look random and are the same every time.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self
            .0
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % bound
    }
}

/// A turn: one or two messages of the user, rounds of parallel calls, and an answer or none yet.
fn turn(numbers: &mut Numbers, is_open: bool) -> Vec<Arc<Message>> {
    let mut messages = Vec::new();
    let text = |numbers: &mut Numbers| "x".repeat(numbers.below(60) as usize + 1);
    for _ in 0..=numbers.below(4) / 3 {
        messages.push(Message::user(text(numbers)));
    }
    for round in 0..numbers.below(5) {
        let calls = (0..=numbers.below(3)).map(|call| {
            ToolCall::new(
                format!("{round}-{call}"),
                "look",
                format!("{{\"n\":{call}}}"),
            )
        });
        let calls: Vec<_> = calls.collect();
        let answers: Vec<_> = calls
            .iter()
            .map(|call| ToolResponse::success(call, vec![ToolContent::Text(text(numbers).into())]))
            .collect();
        let parts = calls
            .into_iter()
            .map(|call| Part::from(PartContent::ToolCall(call)));
        messages.push(Message::new(Role::Assistant, parts.collect()));
        messages.push(Message::tool(answers));
    }
    if !is_open {
        messages.push(Message::assistant(text(numbers)));
    }
    messages.into_iter().map(Arc::new).collect()
}

fn window(numbers: &mut Numbers) -> MemoryWindow {
    match numbers.below(7) {
        0 => MemoryWindow::whole(),
        1..=3 => MemoryWindow::messages(numbers.below(25) as usize),
        4 | 5 => MemoryWindow::tokens(numbers.below(120) as usize),
        _ => MemoryWindow::tokens_counted(numbers.below(20) as usize, |m| m.parts().len()),
    }
}

fn ids(messages: &[Arc<Message>]) -> Vec<vernal_core::message::MessageId> {
    messages.iter().map(|message| message.id()).collect()
}

#[tokio::test]
async fn mem_6_property_no_orphan_no_lost_open_turn_and_a_user_s_message_first() {
    let mut numbers = Numbers(42);
    let mut cut = 0;
    for case in 0..3_000 {
        let closed: Vec<_> = (0..numbers.below(12))
            .flat_map(|_| turn(&mut numbers, false))
            .collect();
        let open = turn(&mut numbers, true);
        let window = window(&mut numbers);
        let check = |seen: &[Arc<Message>], open: &[Arc<Message>]| {
            let shown = [&closed[..], open].concat();
            assert!(
                ids(&shown).ends_with(&ids(seen)),
                "{case}: the newest, in order"
            );
            assert!(
                ids(seen).ends_with(&ids(open)),
                "{case} {window:?}: the open turn is lost"
            );
            assert_eq!(
                seen[0].role(),
                Role::User,
                "{case} {window:?}: {:?}",
                read(seen)
            );
            assert_valid(seen);
        };

        // A request's open turn comes behind what is seen of the history.
        let seen = window.visible(&closed, &open);
        cut += usize::from(seen.len() < closed.len());
        check(&[seen, &open].concat(), &open);
        let cost = |messages: &[Arc<Message>]| match &window {
            MemoryWindow::Whole => 0,
            MemoryWindow::Messages(_) => messages.len(),
            MemoryWindow::Tokens { counter, .. } => messages.iter().map(|m| counter(m)).sum(),
            _ => unreachable!(),
        };
        let max = match &window {
            MemoryWindow::Messages(max) | MemoryWindow::Tokens { max, .. } => *max,
            _ => usize::MAX,
        };
        let shown = [seen, &open].concat();
        assert!(
            seen.is_empty() || cost(&shown) <= max,
            "{case} {window:?}: too much is seen"
        );

        // The same where the open turn is in the repository already.
        let store = Store::default();
        store.put("c", &closed).await;
        store.put("c", &open).await;
        let memory = ChatMemory::new(store).with_window(window.clone());
        let id = ConversationId::new("c").unwrap();
        let seen: Vec<_> = memory
            .messages(&id)
            .await
            .unwrap()
            .iter()
            .cloned()
            .collect();
        check(&seen, &open);
        assert_eq!(
            ids(&seen),
            ids(&shown),
            "{case} {window:?}: both see the same"
        );
    }
    assert!(
        cut > 1_000,
        "the windows were too large to test anything: {cut}"
    );
}

#[tokio::test]
async fn mem_6_a_window_shows_twenty_messages_by_default_and_all_that_fits() {
    let window = MemoryWindow::default();
    let turns = (0..30).flat_map(|_| [Message::user("a"), Message::assistant("b")]);
    let history: Vec<_> = turns.map(Arc::new).collect();
    let open = [Arc::new(Message::user("now"))];
    assert_eq!(
        window.visible(&history, &open).len(),
        18,
        "nine turns and the open one"
    );
    assert_eq!(
        MemoryWindow::messages(21).visible(&history, &open).len(),
        20
    );
    assert_eq!(MemoryWindow::messages(0).visible(&history, &open).len(), 0);
    assert_eq!(
        MemoryWindow::tokens(9).visible(&history, &open).len(),
        8,
        "a token each"
    );
    assert_eq!(MemoryWindow::whole().visible(&history, &open).len(), 60);
}

/// Lets a tool be asked the same again and again.
fn manager() -> ToolCallingManager {
    let manager = ToolCallingManager::builder().unlimited_repeats();
    manager.build().unwrap()
}

#[tokio::test]
async fn mem_6_a_turn_longer_than_the_window_is_seen_whole_in_every_round() {
    const ROUNDS: usize = 12;
    for way in WAYS {
        for order in [OUTSIDE, INSIDE] {
            let mut model = ScriptedModel::new().says("hello");
            for _ in 0..ROUNDS {
                model = model.replies(Reply::call("look", "{}"));
            }
            let model = model.says("done").says("bye");
            let store = Store::default();
            let memory = ChatMemory::new(store.clone()).with_window(MemoryWindow::messages(5));
            let memory = MessageChatMemoryAdvisor::builder(memory)
                .order(order)
                .build();
            let client = builder(&model)
                .tool_calling_manager(manager())
                .default_advisors(memory)
                .build()
                .unwrap();
            for text in ["hi", "go", "bye"] {
                way.send(&client.prompt(text).conversation("c"))
                    .await
                    .unwrap();
            }
            let prompts = asked(&model);
            for (round, prompt) in prompts[1..ROUNDS + 2].iter().enumerate() {
                let turn = prompt.iter().position(|line| line == "user: go").unwrap();
                assert_eq!(
                    prompt.len() - turn,
                    1 + 2 * round,
                    "{way:?} {order}: {prompt:?}"
                );
                assert!(prompt[1].starts_with("user"), "{prompt:?}");
            }
            // Inside, what is kept of the long turn does not fit the next request.
            let next = prompts.last().unwrap().len();
            assert_eq!(next, if order == INSIDE { 2 } else { 6 });
        }
    }
}
