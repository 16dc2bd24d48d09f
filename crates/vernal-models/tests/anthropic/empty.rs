//! Prompts of which nothing is left to send as a turn.

use crate::HELLO;
use crate::model::model;
use crate::support::canned::Canned;
use crate::support::nobody_speaks;

#[tokio::test]
async fn a_prompt_in_which_nobody_speaks_is_refused_before_it_is_sent() {
    let canned = Canned::new(HELLO);
    nobody_speaks(&model(&canned), "Anthropic").await;
    assert!(canned.sent.lock().unwrap().is_empty());
}
