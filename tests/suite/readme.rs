//! The README's tour, executed: what a reader types gives what the page shows.
//!
//! A block ```` ```toml file=NAME ```` is written into the tour's repository. In a block ```` ```console ````
//! the lines behind `$ ` run in a shell there, and the lines below each are all it prints, standard error behind
//! standard output. `UPDATE=1` rewrites them.

use std::process::Command;

use crate::guard;
use crate::root;
use crate::sandbox::{Sandbox, program};

#[test]
fn the_tour_gives_what_it_shows() {
    let text = std::fs::read_to_string(root().join("README.md")).unwrap();
    let sandbox = Sandbox::new();
    let mut new = String::new();
    let mut lines = text.lines();
    let mut commands = 0;
    while let Some(line) = lines.next() {
        new.push_str(&format!("{line}\n"));
        let Some(info) = line.strip_prefix("```").filter(|info| !info.is_empty()) else { continue };
        let block: Vec<&str> = lines.by_ref().take_while(|line| *line != "```").collect();
        if let Some((_, file)) = info.split_once(" file=") {
            sandbox.write(&format!("repo/{file}"), &format!("{}\n", block.join("\n")));
        }
        match info == "console" {
            true => new.push_str(&session(&sandbox, &block, &mut commands)),
            false => block.iter().for_each(|line| new.push_str(&format!("{line}\n"))),
        }
        new.push_str("```\n");
    }
    assert!(commands >= 5, "the tour has {commands} commands only");
    guard::generated("README.md", &new);
}

/// The block as it would be printed.
fn session(sandbox: &Sandbox, block: &[&str], commands: &mut usize) -> String {
    let mut shown = String::new();
    for command in block.iter().filter_map(|line| line.strip_prefix("$ ")) {
        *commands += 1;
        let folder = program().parent().unwrap().display();
        let path = format!("{folder}:{}", std::env::var("PATH").unwrap_or_default());
        let mut shell = Command::new("sh");
        shell.args(["-c", command]).current_dir(sandbox.repo()).env_clear();
        shell.env("PATH", path).env("HOME", sandbox.repo().parent().unwrap()).env("LC_ALL", "C");
        let output = shell.output().unwrap();
        shown.push_str(&format!("$ {command}\n"));
        for stream in [output.stdout, output.stderr] {
            shown.push_str(&String::from_utf8(stream).unwrap());
        }
    }
    assert!(
        !shown.contains(&sandbox.repo().display().to_string()),
        "a path of this machine in the tour: {shown}"
    );
    shown
}
