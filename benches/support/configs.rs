//! Configurations of any size, made from a counter: the same text for the same number, always.

use std::fmt::Write as _;

use kontext_compiler::world::MapWorld;

/// Templates in each adapter that [`adapters`] writes.
#[allow(dead_code, reason = "not every bench counts templates")]
pub const TEMPLATES: usize = 10;

/// Layers over which [`spread`] lays each adapter: by logical name, lowest first.
pub const LAYERS: [&str; 5] = [
    "user:config.toml",
    "user:repos/example.test-ann-notes.toml",
    "repo:.kontext.toml",
    "clone:config.toml",
    "explicit",
];

/// A file of adapters, with ten templates each, of two drivers in turn.
pub fn adapters(count: usize) -> String {
    let mut text = head();
    for number in 0..count {
        let [adapter, more, op, rest, last] = parts(number);
        // `rest` opens the table of `op` again, as another layer has to.
        let rest = rest.split_once('\n').map_or("", |(_, rest)| rest);
        for part in [&adapter, &more, &op, rest, &last] {
            text.push_str(part);
        }
    }
    text
}

/// As many whole adapters as fill a file of about `bytes`.
pub fn of_size(bytes: usize) -> String {
    let (few, more) = (adapters(100).len(), adapters(200).len());
    adapters(200 + bytes.saturating_sub(more) * 100 / (more - few))
}

/// The same adapters, every one of them written in five layers: each layer's text, lowest first.
pub fn spread(count: usize) -> [String; LAYERS.len()] {
    let mut layers = [const { String::new() }; LAYERS.len()];
    for number in 0..count {
        for (layer, part) in layers.iter_mut().zip(parts(number)) {
            layer.push_str(&part);
        }
    }
    if let Some(first) = layers.first_mut() {
        first.insert_str(0, &head());
    }
    layers
}

/// A file with one mistake in each of `count` adapters' templates, keys and values, in turn.
pub fn mistakes(count: usize) -> String {
    let mut text = head();
    for number in 0..count.div_ceil(5) {
        let _ = write!(
            text,
            "[adapters.broken-{number}]\ndriver = \"http\"\nbase_url = \"http://localhost/{{{{nobody}}}}\"\n\
             retries = {number}\ntimeout_ms = \"soon\"\n[adapters.broken-{number}.ops.search]\n\
             path = \"/{{{{query|uper}}}}\"\nmap = {{ title = \"name[\" }}\n"
        );
    }
    text
}

/// A world with this text as the repository's own layer.
pub fn world(text: &str) -> MapWorld {
    MapWorld::default().with("repo:.kontext.toml", text)
}

/// A world with one text a layer.
pub fn layered(texts: &[String; LAYERS.len()]) -> MapWorld {
    LAYERS
        .iter()
        .zip(texts)
        .fold(MapWorld::default(), |world, (input, text)| world.with(input, text.as_str()))
}

fn head() -> String {
    "version = 1\n\n[vars]\nteam = \"{{env.TEAM_PROFILE|default:core}}\"\n\n".to_owned()
}

/// One adapter in as many parts as there are layers; none of them is empty.
fn parts(number: usize) -> [String; LAYERS.len()] {
    if number.is_multiple_of(2) { http(number) } else { command(number) }
}

fn http(n: usize) -> [String; LAYERS.len()] {
    [
        format!(
            "[adapters.notes-{n}]\ndriver = \"http\"\ndescription = \"Notes of team {n}\"\n\
             base_url = \"{{{{env.NOTES_{n}_URL|default:http://localhost:1933}}}}/api/v1\"\n\
             when = {{ env = \"NOTES_{n}_URL\" }}\n"
        ),
        format!(
            "[adapters.notes-{n}.headers]\nAuthorization = \"Bearer {{{{env.NOTES_TOKEN|default:none}}}}\"\n\
             X-Repository = \"{{{{repo.id}}}}\"\n\
             [adapters.notes-{n}.vars]\nspace = \"{{{{repo.slug|lower}}}}-{{{{vars.team}}}}\"\n"
        ),
        format!("[adapters.notes-{n}.ops.search]\nformat = \"json\"\ntimeout_ms = {}\n", 1000 + n),
        format!(
            "[adapters.notes-{n}.ops.search]\npath = \"/spaces/{{{{vars.space}}}}/search\"\n\
             query = {{ q = \"{{{{query|trim}}}}\", n = \"{{{{limit}}}}\" }}\nitems = \"data.results[*]\"\n\
             map = {{ title = \"name|title|=untitled\", uri = \"tpl:notes{n}://{{{{id}}}}\", \
             snippet = \"text\" }}\n"
        ),
        format!(
            "[adapters.notes-{n}.ops.read]\npath = \"/documents/{{{{uri|after:://}}}}\"\n\
             text = \"document.text\"\nowns = [\"notes{n}://\"]\n\n"
        ),
    ]
}

fn command(n: usize) -> [String; LAYERS.len()] {
    [
        format!(
            "[adapters.files-{n}]\ndriver = \"command\"\ndescription = \"Files of team {n}\"\n\
             cwd = \"{{{{env.FILES_{n}_ROOT|default:/srv}}}}/files\"\nwhen = {{ command = \"rg\" }}\n"
        ),
        format!(
            "[adapters.files-{n}.env]\nNOTES_TOKEN = \"{{{{env.NOTES_TOKEN|default:none}}}}\"\nBRANCH = \"{{{{repo.branch|default:main}}}}\"\n\
             [adapters.files-{n}.vars]\nroot = \"{{{{repo.root}}}}/{{{{vars.team}}}}/{n}\"\n"
        ),
        format!("[adapters.files-{n}.ops.search]\nok_exit = [0, 1]\ntimeout_ms = {}\n", 1000 + n),
        format!(
            "[adapters.files-{n}.ops.search]\n\
             command = [\"rg\", \"--json\", \"-m\", \"{{{{limit}}}}\", \"-e\", \"{{{{query}}}}\", \"{{{{vars.root}}}}\"]\n\
             where = {{ type = \"match\" }}\n\
             map = {{ title = \"data.path.text\", uri = \"tpl:files{n}://{{{{data.path.text}}}}\" }}\n"
        ),
        format!(
            "[adapters.files-{n}.ops.read]\ncommand = [\"cat\", \"--\", \"{{{{uri|after:://|within:docs}}}}\"]\n\
             format = \"text\"\nowns = [\"files{n}://\"]\n\n"
        ),
    ]
}
