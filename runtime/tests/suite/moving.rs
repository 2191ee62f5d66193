//! A process that runs for long: the clock and the branch are those of each call.

use kontext_runtime::{Runtime, Trust};
use serde_json::json;

use crate::support::{Machine, command, plan};

async fn said(runtime: &Runtime) -> String {
    let given = kontext_runtime::Given::none();
    let answer = runtime.op("a", "go", &given).await.unwrap();
    format!("{:?}", answer.result)
}

#[tokio::test]
async fn the_branch_is_the_one_checked_out_at_the_call() {
    let machine = Machine::new(&[]);
    let write = |name: &str, text: &str| {
        let path = machine.directory.path().join(name);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    };
    write(".git/HEAD", "ref: refs/heads/main\n");
    write(".git/objects/.keep", "");
    write(".git/refs/heads/.keep", "");
    let op = command(&["printf", "on %s", "{{repo.branch}}"], json!({}));
    let runtime =
        Runtime::new(plan(op), machine.env.clone(), machine.repository(), Trust::new(&machine.env, true));
    assert!(said(&runtime).await.contains("on main"));
    write(".git/HEAD", "ref: refs/heads/fix/slow\n");
    assert!(said(&runtime).await.contains("on fix/slow"));
}

#[tokio::test]
async fn the_clock_goes_on() {
    let machine = Machine::new(&[]);
    let runtime = machine.runtime(plan(command(&["printf", "%s", "{{now.iso}}"], json!({}))));
    let first = said(&runtime).await;
    let started = std::time::Instant::now();
    while said(&runtime).await == first {
        assert!(started.elapsed().as_secs() < 30, "{first}");
        tokio::time::sleep(std::time::Duration::from_millis(100)).await;
    }
}
