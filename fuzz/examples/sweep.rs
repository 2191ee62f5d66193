//! Looks for super-linear time where chance seldom leads: a piece repeated in every slot, a line repeated in a file, an
//! argument repeated in a command.
//!
//! `cargo run --release --manifest-path fuzz/Cargo.toml --example sweep [N]`: every N-th of the texts (default 7).

use std::fmt::Display;
use std::time::Duration;

use kontext_compiler::world::MapWorld;
use kontext_compiler::{Options, compile};
use kontext_fuzz::{budget, oracle, slots};

/// Pieces of the small languages and odd texts, parted by blanks.
const PIECES: &str = r#"{{ }} {{query}} {{env.X|default: {{vars.v}} | |json |join:, |default:' query item . [ ] [*] [0] ' "
    \ \u{1} = re: tpl: (?i) ( ) * {1,9} $ ${X} $(x) ~/ ../ :// http:// user:pass@ :8080 ? # %2F string! own -9 1e400 --
    C:\new ghp_0123456789abcdefghijABCDEFGHIJ012345 é 日本 👩‍👧 a|b|[ {{x}} {{query|nope}} 'a'|"b"| a.b. (a|b)* <name> {{'"#;
const ODD: [&str; 7] = [" ", "\n", "\r\n", "\0", "\u{301}", "\u{feff}", "{{query}}\n"];
const HEADS: [&str; 4] = ["", "tpl:", "re:", "{{query|"];
/// Lines; `#` is their number, `^` the one before. `/` parts lines that belong together.
const LINES: &[&str] = &[
    "k# = 1",
    "same = 1",
    "a b",
    "x = [",
    "x = '''",
    "# kontext: allow(unknown-key)",
    "k# = 1 # kontext: allow(unknown-key)",
    "vars.v# = '{{vars.v^}}'",
    "vars.v# = '{{vars.w#}}'",
    "vars.v# = '{{vars.v#}}'",
    "vars.v# = 'ghp_#aBcD#aBcD#aBcD#aBcD#aBcD#aBcDaBcD'",
    "# ghp_#aBcD#aBcD#aBcD#aBcD#aBcD#aBcDaBcD",
    "vars.v# = '${ABC#}'",
    r#"vars.'v #' = "\q""#,
    "vars.v# = 'x'/adapters.a.ops.o#.path = '{{vars.v#}}{{vars.vv#}}'",
    "[adapters.a#]/driver = 'command'/comand = ['x']",
    "[adapters.a#]/driver = 'command'/command = ['x', '{{env.E#}}']/ops.search = {}",
    "[adapters.a#]/driver = 'mcp'/command = ['s']/ops.search = { tool = 't' }",
    "[adapters.a#]/driver = 'http'/base_url = 'h:'/ops.read = { path = '{{uri}}', owns = ['a:'] }",
    "[[adapters.a.tools]]/name = 't#'/description='d'/op = 'o#'",
    "[[adapters.a.tools]]/name = 't'/description='d'/op = 'o'",
    "[[adapters.a.tools]]/name = 't#'/description='d'/params = { q = 'string!' }/op = { path = '{{args.z}}{{y}}' }",
    "[[adapters.a.on]]/event='capture'/op='o#'",
    "[adapters.a.ops.o#]/itms = 1",
    "adapters.a.ops.search.where.k#.x = '1'",
    "adapters.a.ops.search.map.k# = 'a['",
    "adapters.a.env.E# = '{{env.X#}}'",
    "adapters.a.headers.h# = 'x'",
    "knowledge.roots.r# = 'x'",
    "[[knowledge.read_only]]/id = 'x'/path = 'y'",
];

/// Programs, with what stands before their arguments.
const PROGRAMS: [&str; 14] = [
    "'rg'",
    "'grep', '-r'",
    "'git', 'log'",
    "'find'",
    "'curl'",
    "'ssh', 'host'",
    "'env', 'A=b', 'rg'",
    "'xargs', '-0', 'grep'",
    "'jq', '-n'",
    "'awk'",
    "'python3', '-c'",
    "'node', '-e'",
    "'sh', '-c'",
    "'{{env.P|default:rg}}'",
];
/// Arguments, some with their option.
const ARGUMENTS: [&str; 16] = [
    "'*.md'",
    "'$(pwd)'",
    "'|'",
    "'2>&1'",
    "'`date`'",
    "'--'",
    "'-'",
    "'-e'",
    "'a'",
    "'{{query}}'",
    "'-e', '{{query}}'",
    "'--x={{query}}'",
    "'{{query}}', '-x'",
    "'$1 {{query}}'",
    "'--arg', 'q', '{{query}}'",
    "'{{vars.v}}', '*.md'",
];

fn main() {
    let every = std::env::args().nth(1).and_then(|number| number.parse().ok()).unwrap_or(7);
    let mut sweep = Sweep { tried: 0, slow: 0 };
    sweep.pieces(every);
    sweep.lines();
    sweep.arguments();
    println!("{} texts tried, {} take more than linear time", sweep.tried, sweep.slow);
    std::process::exit(i32::from(sweep.slow > 0));
}

struct Sweep {
    tried: usize,
    slow: usize,
}

impl Sweep {
    fn pieces(&mut self, every: usize) {
        let slots = slots::all();
        for (number, piece) in PIECES.split_whitespace().chain(ODD).enumerate() {
            for (at, slot) in slots.iter().enumerate().filter(|(at, _)| (number + at) % every == 0) {
                let style = slots::STYLES[(number + at / every) % slots::STYLES.len()];
                let head = HEADS[(number / 2 + at) % HEADS.len()];
                let text = |size: usize| {
                    slot.config(&format!("{head}{}", piece.repeat(size * 1024 / piece.len())), style)
                };
                self.compare(format!("{head:?} {piece:?} {style:?} in {}", slot.line), text);
            }
        }
    }

    fn lines(&mut self) {
        let own = "[adapters.a]\ndriver = 'http'\nbase_url = 'http://h'\n";
        for line in LINES {
            let one = |number: usize| {
                let before = (number - 1).to_string();
                format!("{line}\n").replace('/', "\n").replace('#', &number.to_string()).replace('^', &before)
            };
            for head in ["", own] {
                let text = |size: usize| head.to_owned() + &(1..=size * 175).map(one).collect::<String>();
                self.compare(format!("{line:?} behind {} bytes", head.len()), text);
            }
        }
    }

    fn arguments(&mut self) {
        for program in PROGRAMS {
            for argument in ARGUMENTS {
                for stdin in ["", ", stdin = '{{query}}'"] {
                    let text = |size: usize| {
                        let arguments = format!(", {argument}").repeat(size * 1024 / argument.len());
                        format!(
                            "vars.v = 'x'\nadapters.a.driver = 'command'\n\
                             adapters.a.ops.search = {{ command = [{program}{arguments}]{stdin} }}\n"
                        )
                    };
                    self.compare(format!("{program}, {argument} again and again{stdin}"), text);
                }
            }
        }
    }

    /// Four times as much text may take seven times as long, and a little.
    fn compare(&mut self, what: impl Display, text: impl Fn(usize) -> String) {
        let (short, long) = (text(4), text(16));
        let mut least = (Duration::MAX, Duration::MAX);
        self.tried += 1;
        for _ in 0..3 {
            least = (least.0.min(budget::cost(&short, &run)), least.1.min(budget::cost(&long, &run)));
            if least.1 <= least.0 * 7 + Duration::from_millis(3) {
                return;
            }
        }
        self.slow += 1;
        println!("{:?} and {:?}: {what}", least.0, least.1);
    }
}

fn run(text: &str) {
    let world = MapWorld::default().with("clone:config.toml", text);
    if let Err(why) = oracle::output(&compile(&world, &Options::default())) {
        panic!("{why}");
    }
}
