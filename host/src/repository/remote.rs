//! What a remote's address says about the identity of a repository, whichever of git's forms it is written in.

/// A remote's address cut into the parts that matter.
enum Address<'a> {
    /// `scheme://host[:port]/path`, its user and password already dropped.
    Url { scheme: &'a str, host_port: &'a str, path: &'a str },
    /// `[user@]host:path`, as `scp` writes it, its user already dropped. `bracketed` when the host stood in `[…]`.
    Scp { host: &'a str, bracketed: bool, path: &'a str },
    /// A path on this machine, or something a transport helper alone understands.
    Local,
}

/// The identity `host/owner/name` of the repository at a URL of any form git accepts.
///
/// The host is in lower case, an IPv6 address without brackets; user, password, port, query, `.git` and surplus
/// slashes are dropped; every path segment stays (`gitlab.com/a/b/c`). None for paths on this machine, `file://`, and
/// anything without a host or a path.
#[must_use]
pub fn repo_id_from_url(url: &str) -> Option<String> {
    let (_, url) = helper_and_address(url.trim());
    let (host, path) = match address(url) {
        Address::Url { scheme, host_port, path } => (host_without_port(host_port), url_path(scheme, path)),
        Address::Scp { host, bracketed: true, path } => (host_without_port(host), path.to_owned()),
        Address::Scp { host, bracketed: false, path } => (host, path.to_owned()),
        Address::Local => return None,
    };
    let segments = segments(&path);
    if host.is_empty() || segments.is_empty() {
        return None;
    }
    Some(format!("{}/{}", host.to_lowercase(), segments.join("/")))
}

/// The URL without user and password, otherwise as written.
pub(super) fn without_user(url: &str) -> String {
    let (helper, url) = helper_and_address(url.trim());
    match address(url) {
        Address::Url { scheme, host_port, path } => format!("{helper}{scheme}://{host_port}{path}"),
        Address::Scp { host, bracketed: true, path } => format!("{helper}[{host}]:{path}"),
        Address::Scp { host, bracketed: false, path } => format!("{helper}{host}:{path}"),
        Address::Local => format!("{helper}{url}"),
    }
}

/// `helper::address` hands the address to the program `git-remote-helper`; the helper comes with its colons.
fn helper_and_address(url: &str) -> (&str, &str) {
    match url.find("::").and_then(|colons| url.split_at_checked(colons.saturating_add(2))) {
        Some((helper, address)) if is_scheme(helper.trim_end_matches(':')) => (helper, address),
        _ => ("", url),
    }
}

fn address(url: &str) -> Address<'_> {
    if let Some((scheme, rest)) = url.split_once("://").filter(|(scheme, _)| is_scheme(scheme)) {
        if scheme.eq_ignore_ascii_case("file") {
            return Address::Local;
        }
        let rest = after_user(rest);
        let end = rest.find(['/', '?', '#']).unwrap_or(rest.len());
        let (host_port, path) = rest.split_at_checked(end).unwrap_or((rest, ""));
        return Address::Url { scheme, host_port, path };
    }
    scp(url).unwrap_or(Address::Local)
}

fn scp(url: &str) -> Option<Address<'_>> {
    if let Some((before, path)) = url.split_once("]:")
        && let Some((user, host)) = before.split_once('[')
        && (user.is_empty() || user.ends_with('@'))
        && !before.contains('/')
    {
        return Some(Address::Scp { host: after_at(host), bracketed: true, path });
    }
    let (host, path) = url.split_once(':')?;
    let drive = host.len() == 1 && path.starts_with(['/', '\\']);
    (!host.contains('/') && !drive).then(|| Address::Scp { host: after_at(host), bracketed: false, path })
}

/// What follows the user and password of a URL. A password somebody forgot to escape may hold `/`: then what looks
/// like the port is none, and everything up to the last `@` is dropped rather than shown.
fn after_user(rest: &str) -> &str {
    let authority = rest.split(['/', '?', '#']).next().unwrap_or(rest);
    if let Some(at) = authority.rfind('@') {
        return rest.get(at.saturating_add(1)..).unwrap_or("");
    }
    let odd_port =
        authority.split_once(':').is_some_and(|(_, port)| !port.chars().all(|c| c.is_ascii_digit()));
    if odd_port && !authority.starts_with('[') { after_at(rest) } else { rest }
}

fn after_at(text: &str) -> &str {
    text.rsplit_once('@').map_or(text, |(_, rest)| rest)
}

fn host_without_port(host_port: &str) -> &str {
    if let Some(inner) = host_port.strip_prefix('[') {
        return inner.split(']').next().unwrap_or(inner);
    }
    match host_port.split_once(':') {
        Some((host, port)) if !port.contains(':') => host,
        _ => host_port,
    }
}

fn url_path(scheme: &str, path: &str) -> String {
    let web = scheme.eq_ignore_ascii_case("http") || scheme.eq_ignore_ascii_case("https");
    let path = if web { path.split(['?', '#']).next().unwrap_or(path) } else { path };
    percent_decoded(path)
}

/// Escapes are decoded once; malformed ones and those of control characters stay as written.
fn percent_decoded(path: &str) -> String {
    let mut bytes = Vec::with_capacity(path.len());
    let mut rest = path.as_bytes();
    while let Some((&first, tail)) = rest.split_first() {
        let escaped = match (first, tail) {
            (b'%', [high, low, ..]) => hex(*high).zip(hex(*low)).map(|(high, low)| high << 4 | low),
            _ => None,
        };
        match escaped.filter(|byte| !byte.is_ascii_control()) {
            Some(byte) => {
                bytes.push(byte);
                rest = tail.get(2..).unwrap_or(&[]);
            }
            None => {
                bytes.push(first);
                rest = tail;
            }
        }
    }
    String::from_utf8_lossy(&bytes).into_owned()
}

fn hex(digit: u8) -> Option<u8> {
    char::from(digit).to_digit(16).and_then(|value| u8::try_from(value).ok())
}

/// The names of a repository path, from the top: without the home directory's `~`, without `.git` in either place.
fn segments(path: &str) -> Vec<&str> {
    let mut segments: Vec<&str> = Vec::new();
    for segment in path.split('/') {
        match segment {
            "" | "." => {}
            ".." => drop(segments.pop()),
            "~" if segments.is_empty() => {}
            name => segments.push(name),
        }
    }
    if segments.last() == Some(&".git") {
        segments.pop();
    } else if let Some(name) = segments.last_mut() {
        *name = name.strip_suffix(".git").unwrap_or(name);
    }
    segments
}

fn is_scheme(text: &str) -> bool {
    text.starts_with(|c: char| c.is_ascii_alphanumeric())
        && text.chars().all(|c| c.is_ascii_alphanumeric() || matches!(c, '+' | '-' | '.'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids() {
        for (url, id) in [
            ("https://github.com/o/n", "github.com/o/n"),
            ("https://github.com/o/n.git", "github.com/o/n"),
            ("https://github.com/o/n.git/", "github.com/o/n"),
            ("https://github.com//o//n///", "github.com/o/n"),
            ("https://github.com/o/n/.git", "github.com/o/n"),
            ("https://GitHub.COM/Owner/Name", "github.com/Owner/Name"),
            ("HTTPS://github.com:443/o/n", "github.com/o/n"),
            ("https://user:to%40k@github.com/o/n.git?x=1#f", "github.com/o/n"),
            ("https://me@corp.com:pw@host/o/n", "host/o/n"),
            ("https://me:p/w@host/o/n", "host/o/n"),
            ("https://host:/o/n", "host/o/n"),
            ("https://host/@scope/n", "host/@scope/n"),
            ("ssh://git@host:2222/o/n.git", "host/o/n"),
            ("ssh://host/~user/n", "host/~user/n"),
            ("ssh://host/%7Euser/my%20n", "host/~user/my n"),
            ("ssh://host/~/n", "host/n"),
            ("git+ssh://git@host/o/n", "host/o/n"),
            ("git://host/n.git", "host/n"),
            ("git@github.com:o/n.git", "github.com/o/n"),
            ("git@GITHUB.com:/o/n.git", "github.com/o/n"),
            ("host:n", "host/n"),
            ("me@host:~user/n.git", "host/~user/n"),
            ("host:~/n", "host/n"),
            ("host:a%20b", "host/a%20b"),
            ("git@gitlab.com:a/b/c.git", "gitlab.com/a/b/c"),
            ("https://dev.azure.com/org/p/_git/r", "dev.azure.com/org/p/_git/r"),
            ("https://[::1]:8080/o/n", "::1/o/n"),
            ("ssh://git@[FE80::1]/o/n", "fe80::1/o/n"),
            ("git@[::1]:o/n", "::1/o/n"),
            ("[git@::1]:o/n", "::1/o/n"),
            ("[git@host:22]:o/n", "host/o/n"),
            ("hg::https://host/o/n", "host/o/n"),
            ("https://host/a/../o/./n", "host/o/n"),
            ("https://host/o/n%0a", "host/o/n%0a"),
            ("https://host/o/100%", "host/o/100%"),
            ("https://host/o/%E5%90%8D", "host/o/名"),
            ("  https://host/o/n\n", "host/o/n"),
            ("https://host/o/n.git.git", "host/o/n.git"),
        ] {
            assert_eq!(repo_id_from_url(url).as_deref(), Some(id), "{url}");
        }
    }

    #[test]
    fn addresses_without_a_host() {
        for url in [
            "",
            "/srv/git/n.git",
            "../n",
            "./a:b/n",
            "n",
            "~/n",
            "file:///srv/n.git",
            "FILE://host/n",
            "https://host",
            "https://host/.git",
            "https:///o/n",
            "ssh://git@/o/n",
            ":o/n",
            "host:",
            "C:/work/n",
            "C:\\work\\n",
            "ext::ssh-wrapper %S foo",
        ] {
            assert_eq!(repo_id_from_url(url), None, "{url}");
        }
    }

    #[test]
    fn user_and_password_are_dropped() {
        for (url, clean) in [
            ("https://u:p@host:1/o/n.git", "https://host:1/o/n.git"),
            ("https://u:p/q@host/o/n", "https://host/o/n"),
            ("https://u:p?q@host/o/n", "https://host/o/n"),
            ("https://u@e.com:p@host", "https://host"),
            ("https://host/@x", "https://host/@x"),
            ("ssh://git@[::1]:22/o/n", "ssh://[::1]:22/o/n"),
            ("git@host:o/n", "host:o/n"),
            ("git@[::1]:o/n", "[::1]:o/n"),
            ("[git@host:22]:o/n", "[host:22]:o/n"),
            ("hg::https://u:p@host/o", "hg::https://host/o"),
            ("/srv/a@b/n", "/srv/a@b/n"),
            ("file:///srv/a@b", "file:///srv/a@b"),
            ("../a b", "../a b"),
        ] {
            assert_eq!(without_user(url), clean);
        }
    }
}
