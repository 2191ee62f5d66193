//! A world that is read once: what is fixed is what was checked, whatever happens to the files meanwhile.

use std::cell::RefCell;
use std::collections::BTreeMap;

use kontext_compiler::world::{ReadError, RootPlace, World};
use kontext_host::{Places, Repository};
use kontext_plan::NotesRoot;

use crate::world::MachineWorld;

/// What the reading of an input gave.
type Read = Result<Option<Vec<u8>>, ReadError>;

/// The layers of this machine as they were when they were first asked for, and with what was put in their place.
#[derive(Debug)]
pub struct Snapshot<'a> {
    machine: MachineWorld<'a>,
    read: RefCell<BTreeMap<String, Read>>,
}

impl<'a> Snapshot<'a> {
    /// Of a repository.
    pub fn new(repository: &'a Repository, places: &'a Places) -> Snapshot<'a> {
        Snapshot { machine: MachineWorld::new(repository, places), read: RefCell::default() }
    }

    /// From now on these inputs hold another text.
    pub fn put(&self, inputs: &[String], text: &str) {
        for input in inputs {
            self.read.borrow_mut().insert(input.clone(), Ok(Some(text.as_bytes().to_vec())));
        }
    }
}

impl World for Snapshot<'_> {
    fn display(&self, input: &str) -> Option<String> {
        self.machine.display(input)
    }

    fn read(&self, input: &str) -> Read {
        let mut read = self.read.borrow_mut();
        read.entry(input.to_owned()).or_insert_with(|| self.machine.read(input)).clone()
    }

    fn display_note(&self, root: &NotesRoot, relative: &str) -> Option<String> {
        self.machine.display_note(root, relative)
    }

    fn read_note(&self, roots: &[NotesRoot], root: &NotesRoot, relative: &str) -> Read {
        let input = format!("root:{}/{relative}", root.name);
        let mut read = self.read.borrow_mut();
        read.entry(input).or_insert_with(|| self.machine.read_note(roots, root, relative)).clone()
    }

    fn root_place(&self, root: &NotesRoot) -> RootPlace {
        self.machine.root_place(root)
    }

    fn repo_slug(&self) -> String {
        self.machine.repo_slug()
    }

    fn repo_name(&self) -> String {
        self.machine.repo_name()
    }

    fn in_repository(&self) -> bool {
        self.machine.in_repository()
    }
}
