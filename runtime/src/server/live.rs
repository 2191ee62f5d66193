//! A plan that is served: its runtime, the calls that run on it, and its tools as the protocol has them.

use std::collections::BTreeSet;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

use rmcp::model::Tool;
use tokio::sync::{Notify, OwnedRwLockReadGuard, RwLock, watch};
use tokio::time::{Instant, sleep, timeout};

use super::{Server, convert};
use crate::engine::{Catalogue, Runtime};

/// How long the first list waits for servers whose tools only they know.
const FIRST_LIST: Duration = Duration::from_millis(500);
/// How long a call of a tool that nobody knows yet waits for them.
const FIRST_CALL: Duration = Duration::from_secs(10);
/// After how long a server that did not answer is asked again, at first.
const AGAIN: Duration = Duration::from_secs(15);
/// After how long at most.
const AGAIN_AT_MOST: Duration = Duration::from_secs(600);
/// For how long the list of a server that says nothing of changes is taken for what it has.
const LIST_AGE: Duration = Duration::from_secs(60);

/// A plan that is served.
pub(super) struct Live {
    pub(super) runtime: Runtime,
    /// Held by every call; who gets it for writing is alone.
    calls: Arc<RwLock<()>>,
    tools: Mutex<Option<Listed>>,
    /// Servers that have not been heard of since serving began.
    pending: watch::Sender<BTreeSet<String>>,
    /// When the list was first asked for.
    first: OnceLock<Instant>,
    /// Somebody asked for the list.
    asked: Notify,
    retired: watch::Sender<bool>,
}

/// A catalogue and its tools.
type Listed = (Arc<Catalogue>, Arc<Vec<Tool>>);

/// A call that runs: as long as it is there, the plan's servers are not ended.
pub(super) struct Running(#[expect(dead_code, reason = "it is held")] OwnedRwLockReadGuard<()>);

impl Live {
    pub(super) fn new(runtime: Runtime) -> Arc<Live> {
        Arc::new(Live {
            runtime,
            calls: Arc::default(),
            tools: Mutex::default(),
            pending: watch::Sender::default(),
            first: OnceLock::new(),
            asked: Notify::new(),
            retired: watch::Sender::new(false),
        })
    }

    /// Says that a call runs; none when the plan was replaced meanwhile.
    pub(super) fn enter(&self) -> Option<Running> {
        Arc::clone(&self.calls).try_read_owned().ok().map(Running)
    }

    /// The tools as they are known now.
    pub(super) fn tools(&self) -> Arc<Vec<Tool>> {
        let catalogue = self.runtime.catalogue();
        let mut tools = self.tools.lock().unwrap_or_else(PoisonError::into_inner);
        match tools.as_ref() {
            Some((of, tools)) if Arc::ptr_eq(of, &catalogue) => Arc::clone(tools),
            _ => {
                let made = Arc::new(catalogue.tools().map(convert::tool).collect());
                *tools = Some((catalogue, Arc::clone(&made)));
                made
            }
        }
    }

    /// The first list waits a moment for servers that were not heard of yet, others no longer than it does.
    pub(super) async fn first_list(&self) {
        let asked = self.first.get_or_init(Instant::now).elapsed();
        self.pend(FIRST_LIST.saturating_sub(asked), BTreeSet::is_empty).await;
        self.asked.notify_waiters();
    }

    /// A call of a tool that is not known yet waits until one of them has it, or those that may have it were heard of.
    pub(super) async fn first_call(&self, name: &str) {
        if !self.runtime.knows_tool(name) {
            self.pend(FIRST_CALL, |pending| {
                self.runtime.knows_tool(name) || !self.runtime.may_come_from(name, pending)
            })
            .await;
        }
    }

    async fn pend(&self, time: Duration, enough: impl FnMut(&BTreeSet<String>) -> bool) {
        let mut pending = self.pending.subscribe();
        let _ = timeout(time, pending.wait_for(enough)).await;
    }

    /// Ends the plan's servers once its calls are over.
    pub(super) async fn retire(&self) {
        self.retired.send_replace(true);
        let alone = self.calls.write().await;
        self.runtime.close().await;
        drop(alone);
    }

    async fn is_retired(&self) {
        let mut retired = self.retired.subscribe();
        let _ = retired.wait_for(|retired| *retired).await;
    }

    /// Ends the plan's servers now.
    pub(super) async fn close(&self) {
        self.retired.send_replace(true);
        self.runtime.close().await;
    }
}

impl Server {
    /// Asks the servers whose tools no lock holds, all at once, and goes on listening to them.
    pub(super) fn learn(&self, live: &Arc<Live>) {
        for warning in live.runtime.catalogue().warnings() {
            self.warn(warning);
        }
        let names: Vec<String> = live.runtime.unpinned().into_iter().map(str::to_owned).collect();
        live.pending.send_replace(names.iter().cloned().collect());
        for name in names {
            let (server, live) = (self.clone(), Arc::clone(live));
            self.spawn(async move {
                tokio::select! {
                    () = server.follow(&live, &name) => {}
                    () = live.is_retired() => {}
                }
            });
        }
    }

    async fn follow(&self, live: &Live, name: &str) {
        let mut pause = AGAIN;
        let mut first = true;
        let mut told = String::new();
        loop {
            let list = self.list();
            let learnt = live.runtime.learn(name).await;
            match &learnt {
                Ok((changed, notes)) => {
                    pause = AGAIN;
                    if *changed {
                        notes.iter().for_each(|note| self.warn(&format!("`{name}`: {note}")));
                        live.runtime.catalogue().warnings().iter().for_each(|warning| self.warn(warning));
                        self.tools_changed(&list);
                    }
                }
                // Once: nobody may be reading standard error, and what is not read fills it.
                Err(error) if error.message == told => {}
                Err(error) => {
                    self.warn(&format!("the tools of `{name}` are not there: {}", error.message));
                    told.clone_from(&error.message);
                }
            }
            if std::mem::take(&mut first) {
                live.pending.send_modify(|pending| {
                    pending.remove(name);
                });
            }
            if learnt.is_ok() {
                self.until_outdated(live, name).await;
            } else {
                sleep(pause).await;
                pause = (pause * 2).min(AGAIN_AT_MOST);
            }
        }
    }

    /// Waits until the server says that its tools changed, or somebody asks for a list after a while.
    async fn until_outdated(&self, live: &Live, name: &str) {
        let listed = Instant::now();
        loop {
            let old_enough = sleep(LIST_AGE.saturating_sub(listed.elapsed()));
            let asked = async {
                old_enough.await;
                live.asked.notified().await;
            };
            tokio::select! {
                () = live.runtime.tools_changed(name) => return,
                () = asked => {}
            }
            // One that died is started again by the next call of its tools, not by this.
            if live.runtime.is_connected(name) {
                return;
            }
        }
    }
}
