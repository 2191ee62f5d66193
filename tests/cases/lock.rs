//! Lock files of cases: what `kontext lock` computes is filled in, so that a case shows only what it is about.

use std::collections::BTreeMap;

use kontext_compiler::pin::{LockUse, Place};
use kontext_compiler::world::MapWorld;
use kontext_compiler::{Options, compile};
use kontext_plan::lock::{Lock, LockedAdapter, LockedTool, render};
use kontext_plan::{Pin, Profile};
use serde_json::Value;

/// Where the entries of a world's adapters belong, and what they are bound to.
pub fn places(world: &MapWorld, profile: Profile) -> BTreeMap<String, Place> {
    compile(world, &Options { profile, lock: LockUse::Ignore }).pins.places
}

/// The lock of a block: an object with an adapter's tools, as its server lists them, a name; or with a whole entry,
/// whose `connection`, when it is not given, is the adapter's.
pub fn fill(text: &str, places: &BTreeMap<String, Place>) -> Result<String, String> {
    let given: BTreeMap<String, Value> = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let mut lock = Lock::default();
    for (name, given) in given {
        let known = places.get(&name).map(|place| place.connection.as_str());
        let member = |key: &str| given.get(key).and_then(Value::as_str);
        let pin = member("pin").map(|pin| serde_json::from_value(Value::from(pin)));
        let pin = pin.transpose().map_err(|error| error.to_string())?.unwrap_or(Pin::Full);
        let tools = given.get("tools").unwrap_or(&given).as_array().ok_or("an adapter without tools")?;
        let tools = tools.iter().map(|tool| {
            let entry = tool.as_object().ok_or("a tool that is no object")?;
            LockedTool::of_entry(entry, pin).map_err(|error| error.to_string())
        });
        let connection = member("connection").or(known).ok_or(format!("there is no server `{name}`"))?;
        let (connection, tools) = (connection.to_owned(), tools.collect::<Result<_, String>>()?);
        lock.adapters.insert(name, LockedAdapter { connection, pin, server: None, tools });
    }
    Ok(render(&lock))
}
