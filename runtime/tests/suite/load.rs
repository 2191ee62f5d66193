//! Plans that are executed and plans that are refused.

use std::path::Path;

use kontext_host::{Env, Places};
use kontext_plan::{ABSENT, Input, sha256_hex};
use kontext_runtime::{RunError, load};
use serde_json::json;

use crate::support::{Machine, plan_of};

struct Desk {
    machine: Machine,
    env: Env,
}

impl Desk {
    fn new() -> Desk {
        let machine = Machine::new(&[]);
        let home = machine.directory.path().join("home").display().to_string();
        Desk { env: Env::from_pairs([("HOME", home)]), machine }
    }

    fn places(&self, explicit: Option<&Path>) -> Places {
        Places::new(&self.env, &self.machine.repository(), explicit.map(Path::to_owned))
    }

    fn root(&self) -> &Path {
        self.machine.directory.path()
    }

    fn write(&self, inputs: Vec<Input>) {
        let mut plan = plan_of(json!({}));
        plan.inputs = inputs;
        let path = self.places(None).plan();
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, kontext_plan::render(&mut plan).unwrap()).unwrap();
    }

    fn load(&self, explicit: Option<&Path>, allow_stale: bool) -> Result<(), RunError> {
        load(&self.env, &self.places(explicit), None, allow_stale).map(|_| ())
    }

    fn refused(&self) -> String {
        let error = self.load(None, false).unwrap_err();
        assert_eq!(error.exit_status(), 2);
        format!("{}: {}", error.id, error.message)
    }
}

fn input(name: &str, digest: &str) -> Input {
    Input { name: name.to_owned(), digest: digest.to_owned() }
}

#[test]
fn a_plan_must_be_there_and_whole() {
    let desk = Desk::new();
    assert!(
        desk.refused().starts_with("no-plan: there is no plan at `")
            && desk.refused().contains("run `kontext build`")
    );
    desk.write(Vec::new());
    desk.load(None, false).unwrap();
    let path = desk.places(None).plan();
    let text = std::fs::read_to_string(&path).unwrap();
    std::fs::write(&path, text.replace("0.1.0", "0.1.1")).unwrap();
    assert!(desk.refused().starts_with("plan-digest: "), "{}", desk.refused());
    std::fs::write(&path, text.replace("\"format\":1", "\"format\":2")).unwrap();
    assert!(desk.refused().contains("format 2"), "{}", desk.refused());
    std::fs::write(&path, [0xff, 0xfe]).unwrap();
    assert!(desk.refused().starts_with("plan-format: "), "{}", desk.refused());
}

#[test]
fn a_stale_plan_names_what_changed() {
    let desk = Desk::new();
    let file = desk.root().join(".kontext.toml");
    std::fs::write(&file, "version = 1\n").unwrap();
    let digest = sha256_hex(b"version = 1\n");
    desk.write(vec![
        input("repo:.ai/kontext.toml", ABSENT),
        input("repo:.kontext.toml", &digest),
        input("clone:config.toml", ABSENT),
    ]);
    desk.load(None, false).unwrap();
    std::fs::write(&file, "version = 2\n").unwrap();
    assert!(
        desk.refused()
            .contains("stale-plan: the plan is stale: `.kontext.toml` changed; run `kontext build`"),
        "{}",
        desk.refused()
    );
    desk.load(None, true).unwrap();
    std::fs::remove_file(&file).unwrap();
    assert!(desk.refused().contains("`.kontext.toml` vanished"));
    std::fs::write(&file, "version = 1\n").unwrap();
    std::fs::create_dir(desk.root().join(".ai")).unwrap();
    std::fs::write(desk.root().join(".ai/kontext.toml"), "").unwrap();
    assert!(desk.refused().contains("`.ai/kontext.toml` appeared"));
}

#[test]
fn the_explicit_layer_counts_only_when_given() {
    let desk = Desk::new();
    let file = desk.root().join("extra.toml");
    std::fs::write(&file, "x").unwrap();
    desk.write(vec![input("explicit", &sha256_hex(b"x"))]);
    desk.load(None, false).unwrap();
    desk.load(Some(&file), false).unwrap();
    std::fs::write(&file, "y").unwrap();
    desk.load(None, false).unwrap();
    assert!(desk.load(Some(&file), false).unwrap_err().message.contains("`extra.toml` changed"));
    desk.write(Vec::new());
    assert!(desk.load(Some(&file), false).unwrap_err().message.contains("was built without `extra.toml`"));
}

#[test]
fn layer_claims_count_in_the_default_place_only() {
    let desk = Desk::new();
    desk.write(Vec::new());
    let copy = desk.root().join("copy.json");
    std::fs::copy(desk.places(None).plan(), &copy).unwrap();
    let places = desk.places(None);
    let at_home = load(&desk.env, &places, None, false).unwrap().trust;
    let named = load(&desk.env, &places, Some(&places.plan()), false).unwrap().trust;
    let elsewhere = load(&desk.env, &places, Some(&copy), false).unwrap().trust;
    assert_eq!(at_home, named);
    assert_ne!(at_home, elsewhere);
}
