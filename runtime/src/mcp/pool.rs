//! The servers of one process: each started when a call first needs it, shared by all calls, started again after it
//! died, and ended together.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use futures_util::FutureExt;
use futures_util::future::{BoxFuture, Shared, join_all};
use kontext_plan::McpServer;
use tokio::task::AbortHandle;
use tokio::time::timeout;

use super::connection::Connection;
use super::launch::Launch;
use crate::error::Failure;
use crate::exec::Task;

type Opening = Shared<BoxFuture<'static, Result<Arc<Connection>, Failure>>>;

/// Connections by adapter.
#[derive(Debug, Default)]
pub(crate) struct Pool {
    slots: Mutex<HashMap<String, Slot>>,
}

/// A connection that is there or on its way.
#[derive(Debug)]
struct Slot {
    opening: Opening,
    task: AbortHandle,
}

impl Drop for Slot {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Pool {
    /// The adapter's connection. Opening it goes on when `most` is over: slow to start is not broken.
    pub(crate) async fn get(
        &self,
        task: &Task<'_>,
        server: &McpServer,
        most: Option<Duration>,
    ) -> Result<Arc<Connection>, Failure> {
        let opening = self.opening(task, server)?;
        let Some(most) = most else { return opening.await };
        match timeout(most, opening).await {
            Ok(opened) => opened,
            Err(_) => Err(Failure::unsent(
                "timed-out",
                format!("its server has not started within {} ms; it goes on starting", most.as_millis()),
            )),
        }
    }

    /// The connection that is there or on its way, else a new one.
    fn opening(&self, task: &Task<'_>, server: &McpServer) -> Result<Opening, Failure> {
        let name = task.scope.adapter_name;
        let mut slots = self.slots();
        if let Some(slot) = slots.get(name) {
            let usable = match slot.opening.peek() {
                None => true,
                Some(Ok(connection)) => connection.is_alive(),
                Some(Err(_)) => false,
            };
            if usable {
                return Ok(slot.opening.clone());
            }
        }
        let launch = Launch::new(task, server)?;
        let opening = async move { Connection::open(launch).await.map(Arc::new) }.boxed().shared();
        let task = tokio::spawn(opening.clone()).abort_handle();
        slots.insert(name.to_owned(), Slot { opening: opening.clone(), task });
        Ok(opening)
    }

    /// The adapter's connection, when it is there and alive.
    pub(crate) fn open(&self, adapter: &str) -> Option<Arc<Connection>> {
        match self.slots().get(adapter)?.opening.peek() {
            Some(Ok(connection)) if connection.is_alive() => Some(Arc::clone(connection)),
            _ => None,
        }
    }

    /// Ends every server, all at once and within a second or so.
    pub(crate) async fn close(&self) {
        let slots: Vec<Slot> = self.slots().drain().map(|(_, slot)| slot).collect();
        let closing = slots.iter().filter_map(|slot| match slot.opening.peek() {
            Some(Ok(connection)) => Some(Arc::clone(connection)),
            _ => None,
        });
        join_all(closing.map(|connection| async move { connection.close().await })).await;
    }

    fn slots(&self) -> MutexGuard<'_, HashMap<String, Slot>> {
        self.slots.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
