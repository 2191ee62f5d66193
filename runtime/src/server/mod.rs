//! kontext as an MCP server, for both eras of the protocol: what the plan publishes, and word to the agent when there
//! is none to serve.
//!
//! A [`Server`] is one state that every connection shares: a plan that is [`live`], or the reason why there is none,
//! which [`status`] tells. [`handler`] answers requests from it; [`stdio`] is the connection of a client that started
//! kontext, [`http`] those of clients that come over the network; [`watch`] swaps a new plan in.

mod batch;
mod convert;
mod era;
mod flight;
mod handler;
mod http;
mod instructions;
mod lines;
mod live;
mod output;
mod params;
mod passed;
mod status;
mod stdio;
mod watch;

use std::path::PathBuf;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;

use futures_util::future::join_all;
use kontext_plan::Origin;
use rmcp::model::Tool;
use tokio::sync::watch as channel;
use tokio::task::JoinSet;
use tokio::time::timeout;

pub use self::http::{Http, Listening};
use self::live::Live;
use self::watch::Fingerprint;
use crate::engine::Runtime;
use crate::error::RunError;
use crate::observe::Observer;

/// How long servers may take to end, all together.
const CLOSE_TIME: Duration = Duration::from_secs(3);

/// Where a server gets its plan, and how it speaks to people.
pub struct Source {
    /// Makes a runtime of the plan as it is now.
    pub load: Box<dyn Fn() -> Result<Runtime, RunError> + Send + Sync>,
    /// The plan's file, which is watched; none watches nothing.
    pub plan: Option<PathBuf>,
    /// `file:line:column` as people read it.
    pub place: Box<dyn Fn(&Origin) -> String + Send + Sync>,
    /// The command that makes a plan, and the directory it is for.
    pub mend: String,
    /// Takes a sentence for people: a line on standard error.
    pub warn: Box<dyn Fn(&str) + Send + Sync>,
}

/// A server, as one connection has it; clones are the same.
#[derive(Clone)]
pub struct Server {
    inner: Arc<Inner>,
    /// How far the connection's end has come.
    over: channel::Sender<Ending>,
}

/// How far the end of a connection has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Ending {
    No,
    /// The client says nothing more: calls that run may go on for a moment.
    Soon,
    /// Calls that still run are given up.
    Now,
}

struct Inner {
    source: Source,
    state: Mutex<State>,
    /// How often the tools have changed.
    changes: channel::Sender<u64>,
    /// Calls are to end now.
    ending: channel::Sender<bool>,
    tasks: Mutex<JoinSet<()>>,
    observer: Observer,
}

struct State {
    served: Served,
    /// The plan's file when it was last looked at.
    seen: Option<Fingerprint>,
    /// Plans that were replaced and whose calls may still run.
    older: Vec<Weak<Live>>,
}

/// What there is to serve.
#[derive(Clone)]
enum Served {
    /// A plan.
    Plan(Arc<Live>),
    /// Nothing, and why.
    Nothing(Arc<RunError>),
}

impl Server {
    /// A server of the plan as it is now, or of the reason why there is none. Nothing is started or contacted.
    #[must_use]
    pub fn new(source: Source) -> Server {
        let seen = source.plan.as_deref().and_then(Fingerprint::of);
        let observer = Observer::default();
        let served = match (source.load)() {
            Ok(runtime) => Served::Plan(Live::new(runtime.seen_by(&observer))),
            Err(error) => Served::Nothing(Arc::new(error)),
        };
        let state = State { served, seen, older: Vec::new() };
        Server::of(Arc::new(Inner {
            source,
            state: Mutex::new(state),
            changes: channel::Sender::new(0),
            ending: channel::Sender::new(false),
            tasks: Mutex::default(),
            observer,
        }))
    }

    fn of(inner: Arc<Inner>) -> Server {
        Server { inner, over: channel::Sender::new(Ending::No) }
    }

    /// The same server for another connection, which is over by itself.
    #[must_use]
    pub fn connection(&self) -> Server {
        Server::of(Arc::clone(&self.inner))
    }

    /// Begins to serve: looks for new plans, and asks servers whose tools no lock holds. Needs tokio's runtime.
    pub fn start(&self) {
        match self.served() {
            Served::Plan(live) => self.learn(&live),
            Served::Nothing(error) => self.warn(&self.reason(&error)),
        }
        if self.inner.source.plan.is_some() {
            self.spawn(watch::watch(Arc::downgrade(&self.inner)));
        }
    }

    /// Why there is nothing to serve; none when there is.
    #[must_use]
    pub fn problem(&self) -> Option<String> {
        match self.served() {
            Served::Plan(_) => None,
            Served::Nothing(error) => Some(self.reason(&error)),
        }
    }

    /// Ends calls that still run and every MCP server that was started, in a few seconds at most.
    pub async fn close(&self) {
        self.inner.ending.send_replace(true);
        let lives: Vec<Arc<Live>> = {
            let mut state = self.state();
            let older = std::mem::take(&mut state.older);
            let current = match &state.served {
                Served::Plan(live) => Some(Arc::clone(live)),
                Served::Nothing(_) => None,
            };
            older.iter().filter_map(Weak::upgrade).chain(current).collect()
        };
        let closing = join_all(lives.iter().map(|live| live.close()));
        let _ = timeout(CLOSE_TIME, closing).await;
        self.tasks().abort_all();
    }

    /// This connection comes to its end; one that is nearer to it already stays there.
    fn end(&self, ending: Ending) {
        self.over.send_modify(|now| *now = (*now).max(ending));
    }

    /// Waits until none runs any more.
    async fn calls_ended(&self) {
        self.inner.observer.idle().await;
    }

    /// What was counted, as text; counting begins with the first question at the latest.
    fn counts(&self) -> String {
        self.inner.observer.count().text(self.problem().is_none())
    }

    /// Waits until calls of this connection are to end.
    async fn calls_end(&self) {
        let (mut over, mut ending) = (self.over.subscribe(), self.inner.ending.subscribe());
        tokio::select! {
            _ = over.wait_for(|over| *over == Ending::Now) => {}
            _ = ending.wait_for(|ending| *ending) => {}
        }
    }

    /// Waits until nobody is to be told of news over this connection any more.
    async fn news_end(&self) {
        let mut over = self.over.subscribe();
        tokio::select! {
            _ = over.wait_for(|over| *over >= Ending::Soon) => {}
            () = self.calls_end() => {}
        }
    }

    /// Looks at the plan's file, and serves the plan in it when it is a new one that can be served. What is served
    /// stays when it is not.
    fn look(&self) {
        let seen = self.inner.source.plan.as_deref().and_then(Fingerprint::of);
        {
            let mut state = self.state();
            if state.seen == seen {
                return;
            }
            state.seen.clone_from(&seen);
        }
        match self.served() {
            Served::Plan(_) if seen.is_none() => {
                self.warn("the plan vanished; what was served before is served further");
            }
            Served::Plan(live) => match (self.inner.source.load)() {
                Ok(runtime) if runtime.plan().digest == live.runtime.plan().digest => {}
                Ok(runtime) => self.swap(runtime),
                Err(error) => {
                    let reason = self.reason(&error);
                    self.warn(&format!("the new plan is not served, the one before is: {reason}"));
                }
            },
            Served::Nothing(_) => self.try_again(),
        }
    }

    /// Serves the plan when there is one that can be served by now.
    fn try_again(&self) {
        match (self.inner.source.load)() {
            Ok(runtime) => self.swap(runtime),
            Err(error) => {
                let mut state = self.state();
                if matches!(&state.served, Served::Nothing(_)) {
                    state.served = Served::Nothing(Arc::new(error));
                }
            }
        }
    }

    /// Serves another plan from now on. Calls of the one before go on; then its servers end.
    fn swap(&self, runtime: Runtime) {
        let list = self.list();
        let live = Live::new(runtime.seen_by(&self.inner.observer));
        let before = {
            let mut state = self.state();
            let before = std::mem::replace(&mut state.served, Served::Plan(Arc::clone(&live)));
            state.older.retain(|older| older.strong_count() > 0);
            if let Served::Plan(before) = &before {
                state.older.push(Arc::downgrade(before));
            }
            before
        };
        if let Served::Plan(before) = before {
            self.spawn(async move { before.retire().await });
        }
        self.learn(&live);
        self.tools_changed(&list);
    }

    /// The tools as they are known now.
    fn list(&self) -> Arc<Vec<Tool>> {
        match self.served() {
            Served::Plan(live) => live.tools(),
            Served::Nothing(_) => Arc::new(vec![status::tool()]),
        }
    }

    /// Tells every client that the tools are others, unless they are those of before.
    fn tools_changed(&self, before: &Arc<Vec<Tool>>) {
        if self.list() != *before {
            self.inner.changes.send_modify(|changes| *changes += 1);
        }
    }

    fn warn(&self, words: &str) {
        (self.inner.source.warn)(words);
    }

    fn spawn(&self, task: impl Future<Output = ()> + Send + 'static) {
        let mut tasks = self.tasks();
        while tasks.try_join_next().is_some() {}
        tasks.spawn(task);
    }

    fn served(&self) -> Served {
        self.state().served.clone()
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.inner.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn tasks(&self) -> MutexGuard<'_, JoinSet<()>> {
        self.inner.tasks.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
