//! CTX-4 and STR-1: what a tool reports while it runs is in the stream at once.

use std::sync::{Mutex, mpsc};
use std::time::Duration;

use vernal_core::advisor::ChatEvent;
use vernal_core::client::ChatClient;
use vernal_core::tool::{ProgressSender, ToolContext, ToolOutput};
use vernal_testing::ScriptedModel;

use crate::closures::custom;
use crate::drivers::{Driver, run};
use crate::live::all_now;
use crate::scenario::Scenario;

#[tokio::test(start_paused = true)]
async fn progress_is_in_the_stream_while_the_tool_runs() {
    let copies = custom("copy", |_, context: ToolContext| async move {
        for done in [1.0, 2.0] {
            context.progress().report(done, Some(2.0), Some("copying"));
            tokio::time::sleep(Duration::from_secs(1)).await;
        }
        Ok(ToolOutput::from_text("copied"))
    });
    let model = ScriptedModel::new().calls("copy", "{}").says("done");
    let client = ChatClient::builder(model)
        .default_tools(copies)
        .build()
        .unwrap();
    let mut events = client.prompt("go").stream();
    let reported = |lines: &[String]| -> Vec<String> {
        let ours = lines
            .iter()
            .filter(|line| line.contains("Progress") || line.contains("result"));
        ours.cloned().collect()
    };
    let at = |done: f64| {
        format!(
            "ToolProgress {{ round: 1, call_id: \"call_0\", progress: ToolProgress {{ message: \
             Some(\"copying\"), done: {done:?}, total: Some(2.0) }} }}"
        )
    };
    assert_eq!(reported(&all_now(&mut events)), [at(1.0)]);
    tokio::time::advance(Duration::from_secs(1)).await;
    assert_eq!(reported(&all_now(&mut events)), [at(2.0)]);
    tokio::time::advance(Duration::from_secs(1)).await;
    assert_eq!(reported(&all_now(&mut events)), ["1 result copy Success"]);
}

#[tokio::test]
async fn progress_from_a_blocking_thread_wakes_the_stream() {
    let (go, wait) = mpsc::channel::<()>();
    let wait = Mutex::new(wait);
    let copies = custom("copy", move |_, context: ToolContext| {
        for done in [1.0, 2.0, 3.0] {
            // The stream is surely waiting by then.
            std::thread::sleep(Duration::from_millis(50));
            context.progress().report(done, Some(3.0), None);
            // Goes on only after the report was heard.
            wait.lock()
                .unwrap()
                .recv_timeout(Duration::from_secs(10))
                .unwrap();
        }
        std::future::ready(Ok(ToolOutput::from_text("copied")))
    });
    let model = ScriptedModel::new().calls("copy", "{}").says("done");
    let client = ChatClient::builder(model)
        .default_tools(copies.metadata(|m| m.blocking(true)))
        .build()
        .unwrap();
    let mut events = client.prompt("go").stream();
    let mut heard = Vec::new();
    let listen = async {
        while let Some(event) = events.next().await {
            if let ChatEvent::ToolProgress {
                round, progress, ..
            } = event.unwrap()
            {
                heard.push((round, progress.done));
                go.send(()).unwrap();
            }
        }
    };
    tokio::time::timeout(Duration::from_secs(8), listen)
        .await
        .expect("the stream is woken");
    assert_eq!(heard, [(1, 1.0), (1, 2.0), (1, 3.0)]);
}

#[tokio::test]
async fn progress_without_a_listener_or_after_the_call_does_nothing() {
    let kept: std::sync::Arc<Mutex<Vec<ProgressSender>>> = std::sync::Arc::default();
    let keep = kept.clone();
    let keeps = custom("keep", move |_, context: ToolContext| {
        context.progress().report(1.0, None, None);
        keep.lock().unwrap().push(context.progress());
        std::future::ready(Ok(ToolOutput::from_text("kept")))
    });
    let scenario = Scenario::new()
        .callback(keeps)
        .calls("keep", "{}")
        .says("done");
    for driver in Driver::ALL {
        let outcome = run(driver, &scenario).await;
        assert_eq!(outcome.text(), "done");
    }
    kept.lock()
        .unwrap()
        .iter()
        .for_each(|sender| sender.report(2.0, None, Some("late")));

    let model = scenario.model();
    let mut events = crate::drivers::request(&scenario, &model).stream();
    while let Some(event) = events.next().await {
        if let ChatEvent::ToolProgress { progress, .. } = event.unwrap() {
            assert!(progress.done < 2.0, "reported after the call: {progress:?}");
        }
        let kept = kept.lock().unwrap();
        kept.iter()
            .for_each(|sender| sender.report(2.0, None, Some("late")));
    }
    assert!(events.next().await.is_none(), "nothing follows the end");
}
