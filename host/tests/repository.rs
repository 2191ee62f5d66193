//! Repository facts beside what git itself says, in every kind of worktree.

#![expect(clippy::unwrap_used, clippy::panic, reason = "helpers of tests fail as tests do")]

use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::process::Command;

use kontext_host::{Env, HostError, Places, Repository};

/// A directory of its own for one test, and git shielded from the machine's settings.
struct Bench {
    _keep: tempfile::TempDir,
    base: PathBuf,
}

impl Bench {
    /// None, with a line that says so, on a machine without git.
    fn new() -> Option<Bench> {
        if Command::new("git").arg("--version").output().is_err() {
            eprintln!("skipped: this test compares with `git`, which is not installed");
            return None;
        }
        let keep = tempfile::tempdir().unwrap();
        let base = fs::canonicalize(keep.path()).unwrap();
        Some(Bench { _keep: keep, base })
    }

    fn at(&self, path: &str) -> PathBuf {
        self.base.join(path)
    }

    fn dir(&self, path: &str) -> PathBuf {
        fs::create_dir_all(self.at(path)).unwrap();
        self.at(path)
    }

    fn write(&self, path: &str, text: &str) {
        self.dir(Path::new(path).parent().unwrap().to_str().unwrap());
        fs::write(self.at(path), text).unwrap();
    }

    /// A repository with one commit on `main`.
    fn repo(&self, path: &str) -> PathBuf {
        let dir = self.dir(path);
        git(&dir, &["init", "-q", "-b", "main"]);
        git(&dir, &["commit", "-q", "--allow-empty", "-m", "first"]);
        dir
    }
}

fn command(dir: &Path) -> Command {
    let mut command = Command::new("git");
    for (name, _) in std::env::vars_os().filter(|(name, _)| name.to_string_lossy().starts_with("GIT_")) {
        command.env_remove(name);
    }
    command.current_dir(dir).env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_NOSYSTEM", "1");
    for role in ["AUTHOR", "COMMITTER"] {
        command.env(format!("GIT_{role}_NAME"), "t").env(format!("GIT_{role}_EMAIL"), "t@example.org");
    }
    command.args(["-c", "protocol.file.allow=always"]);
    command
}

/// What git prints; none when it fails.
fn ask(dir: &Path, args: &[&str]) -> Option<String> {
    let output = command(dir).args(args).output().unwrap();
    output
        .status
        .success()
        .then(|| String::from_utf8(output.stdout).unwrap().trim_end_matches('\n').to_owned())
}

fn git(dir: &Path, args: &[&str]) -> String {
    ask(dir, args).unwrap_or_else(|| panic!("git {args:?} failed in {}", dir.display()))
}

/// Discovers, and compares everything git has an answer for.
fn discover(dir: &Path) -> Repository {
    let repo = Repository::discover(dir).unwrap();
    let path = |args: &[&str]| PathBuf::from(git(dir, args));
    assert_eq!(repo.root(), path(&["rev-parse", "--show-toplevel"]));
    assert_eq!(repo.git_dir().unwrap(), path(&["rev-parse", "--absolute-git-dir"]));
    let common = path(&["rev-parse", "--path-format=absolute", "--git-common-dir"]);
    assert_eq!(repo.common_dir().unwrap(), common);
    assert_eq!(repo.branch(), ask(dir, &["symbolic-ref", "-q", "--short", "HEAD"]));
    if let Some(url) = ask(dir, &["remote", "get-url", "origin"]).filter(|url| !url.contains('@')) {
        assert_eq!(repo.remote(), Some(url));
    }
    repo
}

fn facts(repo: &Repository) -> [String; 4] {
    [repo.id(), repo.name(), repo.dir(), repo.worktree()]
}

#[test]
fn a_plain_repository_and_its_subdirectories() {
    let Some(bench) = Bench::new() else { return };
    let root = bench.repo("clone");
    git(&root, &["remote", "add", "origin", "https://me:pw@GitHub.com/Owner/Name.git"]);
    let repo = discover(&root);
    assert_eq!(facts(&repo), ["github.com/Owner/Name", "Name", "clone", "clone"]);
    assert_eq!(repo.slug(), "github.com-Owner-Name");
    assert_eq!(repo.remote().as_deref(), Some("https://GitHub.com/Owner/Name.git"));
    assert_eq!(discover(&bench.dir("clone/a/b c")), repo);
}

#[test]
fn without_a_usable_remote_the_directory_names_it() {
    let Some(bench) = Bench::new() else { return };
    let root = bench.repo("my wörk");
    let repo = discover(&root);
    assert_eq!(facts(&repo), ["local/my wörk", "my wörk", "my wörk", "my wörk"]);
    assert_eq!((repo.slug().as_str(), repo.remote()), ("local-my-w-rk", None));
    let copy = bench.at("copy");
    git(&root, &["clone", "-q", root.to_str().unwrap(), copy.to_str().unwrap()]);
    assert_eq!(discover(&copy).id(), "local/copy");
}

#[test]
fn branches_born_unborn_nested_and_none() {
    let Some(bench) = Bench::new() else { return };
    let unborn = bench.dir("unborn");
    git(&unborn, &["init", "-q", "-b", "to/be"]);
    assert_eq!(discover(&unborn).branch().as_deref(), Some("to/be"));
    let root = bench.repo("r");
    git(&root, &["switch", "-q", "-c", "feature/ünï/x"]);
    assert_eq!(discover(&root).branch().as_deref(), Some("feature/ünï/x"));
    git(&root, &["switch", "-q", "--detach"]);
    assert_eq!(discover(&root).branch(), None);
    git(&root, &["pack-refs", "--all"]);
    assert_eq!(discover(&root).branch(), None);
}

#[test]
fn a_linked_worktree_keeps_the_identity_of_its_clone() {
    let Some(bench) = Bench::new() else { return };
    let root = bench.repo("main dir");
    git(&root, &["worktree", "add", "-q", "-b", "side", "../side tree"]);
    let (main, side) = (discover(&root), discover(&bench.dir("side tree/sub")));
    assert_eq!(facts(&side), ["local/main dir", "main dir", "main dir", "side tree"]);
    assert_eq!(side.root(), bench.at("side tree"));
    assert_eq!(side.common_dir(), main.git_dir());
    let env = Env::from_pairs([("HOME", "/h")]);
    let (main, side) = (Places::new(&env, &main, None), Places::new(&env, &side, None));
    assert_ne!(main.plan(), side.plan());
    assert_eq!(main.outbox(), side.outbox());
    assert_eq!(main.input("clone:config.toml"), side.input("clone:config.toml"));
}

#[test]
fn worktrees_of_bare_repositories() {
    let Some(bench) = Bench::new() else { return };
    let source = bench.repo("source");
    for (bare, worktree, name) in [("proj/.bare", "proj/one", "proj"), ("name.git", "two", "name")] {
        let (bare, worktree) = (bench.at(bare), bench.at(worktree));
        git(&source, &["clone", "-q", "--bare", source.to_str().unwrap(), bare.to_str().unwrap()]);
        git(&bare, &["worktree", "add", "-q", "-b", "w", worktree.to_str().unwrap()]);
        git(&bare, &["remote", "remove", "origin"]);
        assert_eq!(discover(&worktree).dir(), name);
    }
}

#[test]
fn settings_of_one_worktree_count_there() {
    let Some(bench) = Bench::new() else { return };
    let root = bench.repo("r");
    git(&root, &["config", "extensions.worktreeConfig", "true"]);
    git(&root, &["config", "--worktree", "remote.origin.url", "host.example:a/b"]);
    assert_eq!(discover(&root).id(), "host.example/a/b");
}

#[test]
fn a_submodule_is_a_repository_of_its_own() {
    let Some(bench) = Bench::new() else { return };
    let (library, root) = (bench.repo("library"), bench.repo("super"));
    git(&root, &["submodule", "add", "-q", library.to_str().unwrap(), "deps/lib"]);
    let inner = root.join("deps/lib");
    git(&inner, &["remote", "set-url", "origin", "ssh://git@host:22/~u/lib.git"]);
    let repo = discover(&inner);
    assert_eq!(facts(&repo), ["host/~u/lib", "lib", "lib", "lib"]);
    git(&inner, &["worktree", "add", "-q", "-b", "w", bench.at("lib tree").to_str().unwrap()]);
    assert_eq!(discover(&bench.at("lib tree")).dir(), "lib");
    assert_eq!(discover(&root.join("deps")).root(), root);
}

#[test]
fn a_separate_git_directory() {
    let Some(bench) = Bench::new() else { return };
    let root = bench.dir("tree");
    git(&root, &["init", "-q", "-b", "main", "--separate-git-dir", bench.at("data").to_str().unwrap()]);
    assert_eq!(facts(&discover(&root)), ["local/tree", "tree", "tree", "tree"]);
}

#[test]
fn git_variables_do_not_mislead() {
    let Some(bench) = Bench::new() else { return };
    let (root, other) = (bench.repo("r"), bench.repo("other"));
    fs::create_dir_all(root.join("hooks")).unwrap();
    // The test's own process is left alone: a child runs this test program's helper under the variables.
    let output = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "helper_prints_the_root", "--nocapture", "--include-ignored"])
        .env("KONTEXT_TEST_DIR", root.join("hooks"))
        .envs([("GIT_DIR", other.join(".git")), ("GIT_WORK_TREE", other.clone())])
        .envs([("GIT_COMMON_DIR", other.join(".git")), ("GIT_CEILING_DIRECTORIES", root.clone())])
        .output()
        .unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    assert!(text.contains(&format!("root={}\n", root.display())), "{text}");
}

#[test]
#[ignore = "run by git_variables_do_not_mislead"]
fn helper_prints_the_root() {
    if let Some(dir) = std::env::var_os("KONTEXT_TEST_DIR") {
        println!("\nroot={}", Repository::discover(Path::new(&dir)).unwrap().root().display());
    }
}

#[test]
fn two_ways_to_a_directory_are_one_repository() {
    let Some(bench) = Bench::new() else { return };
    let root = bench.repo("real");
    bench.dir("real/sub");
    symlink(&root, bench.at("link")).unwrap();
    symlink(root.join("sub"), bench.at("deep")).unwrap();
    let repo = discover(&root);
    assert_eq!(discover(&bench.at("link")), repo);
    assert_eq!(discover(&bench.at("deep")), repo);
    assert_eq!(discover(&bench.at("real/sub/../sub")), repo);
    let plain = bench.dir("plain");
    symlink(&plain, bench.at("way")).unwrap();
    assert_eq!(Repository::discover(&bench.at("way")), Repository::discover(&plain));
}

#[test]
fn no_git_at_all() {
    let Some(bench) = Bench::new() else { return };
    let dir = bench.dir("just a dir/sub");
    let repo = Repository::discover(&dir).unwrap();
    assert_eq!((repo.root(), repo.git_dir(), repo.common_dir()), (dir.as_path(), None, None));
    assert_eq!(facts(&repo), ["local/sub", "sub", "sub", "sub"]);
    assert_eq!((repo.remote(), repo.branch()), (None, None));
    assert_eq!(Repository::discover(Path::new("/")).unwrap().id(), "local/root");
}

#[test]
fn git_directories_and_bare_repositories_are_outside() {
    let Some(bench) = Bench::new() else { return };
    let root = bench.repo("r");
    git(&root, &["worktree", "add", "-q", "-b", "w", "../w"]);
    let bare = bench.dir("b.git");
    git(&bare, &["init", "-q", "--bare"]);
    for dir in [root.join(".git"), root.join(".git/hooks"), root.join(".git/worktrees/w"), bare] {
        let repo = Repository::discover(&dir).unwrap();
        assert_eq!((repo.root(), repo.git_dir()), (dir.as_path(), None));
    }
}

#[test]
fn what_is_called_git_and_is_none_is_passed_over() {
    let Some(bench) = Bench::new() else { return };
    let root = bench.repo("r");
    bench.dir("r/empty/.git");
    bench.write("r/headless/.git/config", "[remote \"origin\"]\nurl = host:a/b\n");
    bench.write("r/no-objects/.git/HEAD", "ref: refs/heads/main\n");
    for dir in ["empty", "headless", "no-objects"] {
        assert_eq!(discover(&root.join(dir)).root(), root, "{dir}");
    }
    bench.write("r/moved/.git", "gitdir: /nonexistent/.git/worktrees/moved\n");
    bench.write("r/noise/.git", "hello\n");
    for dir in ["moved", "noise"] {
        assert_eq!(Repository::discover(&root.join(dir)).unwrap().root(), root, "{dir}");
    }
}

#[test]
fn remotes_read_as_git_reads_them() {
    let Some(bench) = Bench::new() else { return };
    let root = bench.repo("r");
    let head = fs::read_to_string(root.join(".git/config")).unwrap();
    bench.write("r/.git/more", "[remote \"origin\"]\nurl = included:o/n\n");
    for text in [
        "[remote \"origin\"]\n\turl = host:o/n.git # comment\n",
        "[remote \"origin\"] url = \"host:a b\"c ; comment\n",
        "[REMOTE \"origin\"]\nURL=one:\\\n   o/n\nurl = two:o/n\n",
        "[remote.origin]\r\nurl = host:o/n\r\n",
        "[remote \"Origin\"]\nurl = host:o/n\n",
        "[remote \"origin\"]\nurl = \"ho\\\"st:\\\\o\\tn\"\n",
        "[include]\npath = more\n[remote \"origin\"]\nurl = host:o/n\n",
        "[remote \"upstream\"]\nurl = host:o/n\n",
    ] {
        fs::write(root.join(".git/config"), format!("{head}{text}")).unwrap();
        let said = ask(&root, &["config", "--get-all", "remote.origin.url"]);
        let first = said.and_then(|all| all.lines().next().map(str::to_owned));
        assert_eq!(discover(&root).remote(), first, "{text}");
    }
}

#[test]
fn what_is_no_directory_says_so() {
    let dir = tempfile::tempdir().unwrap();
    let (none, file) = (dir.path().join("none"), dir.path().join("file"));
    fs::write(&file, "").unwrap();
    let message = |path: &Path| Repository::discover(path).unwrap_err().to_string();
    assert_eq!(message(&none), format!("there is no directory `{}`", none.display()));
    assert_eq!(message(&file), format!("`{}` is not a directory", file.display()));
    assert!(matches!(Repository::discover(&file.join("x")), Err(HostError::NotADirectory { .. })));
}
