//! Result maps made ready: their regular expressions are compiled when an op first needs them, and kept.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use kontext_plan::result::HitsMap;

use super::op::Target;
use crate::mapping::Mapper;
use crate::value::EvalError;

/// An adapter, an op of it, and whether that is one of a tool alone, which may have the name of another.
type Key = (String, String, bool);

/// The maps of one plan.
#[derive(Debug, Default)]
pub(super) struct Mappers(Mutex<HashMap<Key, Arc<Mapper>>>);

impl Mappers {
    /// The map of an op.
    pub(super) fn of(&self, target: Target<'_>, map: &HitsMap) -> Result<Arc<Mapper>, EvalError> {
        let key = (target.name.to_owned(), target.op_name.to_owned(), target.inline);
        let mut ready = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(mapper) = ready.get(&key) {
            return Ok(Arc::clone(mapper));
        }
        let mapper = Arc::new(Mapper::new(map)?);
        ready.insert(key, Arc::clone(&mapper));
        Ok(mapper)
    }
}
