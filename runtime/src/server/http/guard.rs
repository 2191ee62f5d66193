//! Who may ask: every request is held against the names of this server, the pages that may call it, and its token.

use std::net::IpAddr;
use std::sync::Arc;

use axum::body::Body;
use axum::extract::{Request, State};
use axum::http::header::{AUTHORIZATION, HOST, ORIGIN, WWW_AUTHENTICATE};
use axum::http::uri::Authority;
use axum::http::{HeaderMap, HeaderValue, StatusCode, Uri};
use axum::middleware::Next;
use axum::response::Response;
use subtle::ConstantTimeEq;

/// What requests are held against.
#[derive(Debug)]
pub(super) struct Guard {
    /// Where the server listens.
    pub(super) address: IpAddr,
    /// Names it is called by beside addresses, in lower case.
    pub(super) names: Vec<String>,
    pub(super) token: Option<Token>,
}

/// A bearer token.
pub(super) struct Token(pub(super) String);

/// The value stays out of debug text.
impl std::fmt::Debug for Token {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Token")
    }
}

/// Whether a request brought the token.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Caller {
    /// There is none to bring, or it did.
    Known,
    /// It did not.
    Unknown,
}

/// Why a request is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Refused {
    Host,
    Origin,
    Token { given: bool },
}

/// Lets a request through or answers it.
pub(super) async fn check(State(guard): State<Arc<Guard>>, mut request: Request, next: Next) -> Response {
    match guard.admit(request.uri(), request.headers()) {
        Ok(caller) => {
            request.extensions_mut().insert(caller);
            next.run(request).await
        }
        Err(refused) => {
            tracing::info!(reason = refused.word(), "request refused");
            refused.response()
        }
    }
}

impl Guard {
    fn admit(&self, uri: &Uri, headers: &HeaderMap) -> Result<Caller, Refused> {
        if !host(uri, headers).is_some_and(|host| self.is_here(&host)) {
            return Err(Refused::Host);
        }
        if !headers.get_all(ORIGIN).iter().all(|origin| self.may_call(origin)) {
            return Err(Refused::Origin);
        }
        let caller = self.caller(headers);
        match caller {
            Caller::Unknown if uri.path() != super::HEALTH => {
                Err(Refused::Token { given: headers.contains_key(AUTHORIZATION) })
            }
            caller => Ok(caller),
        }
    }

    /// Whether a `Host` means this server. A page that had its own name point here still sends that name; it has no way to
    /// send an address.
    fn is_here(&self, host: &str) -> bool {
        match address(host) {
            Some(address) => {
                address.is_loopback()
                    || address == self.address.to_canonical()
                    || self.address.is_unspecified()
            }
            None => self.is_named(host),
        }
    }

    /// Whether a page of this origin may call: one of this machine, or of a name of this server.
    fn may_call(&self, origin: &HeaderValue) -> bool {
        let Some(uri) = origin.to_str().ok().and_then(|origin| origin.parse::<Uri>().ok()) else {
            return false;
        };
        let (Some("http" | "https"), Some(authority)) = (uri.scheme_str(), uri.authority()) else {
            return false;
        };
        let host = authority.host().to_ascii_lowercase();
        let own = |address: IpAddr| address.is_loopback() || address == self.address.to_canonical();
        !authority.as_str().contains('@') && address(&host).map_or_else(|| self.is_named(&host), own)
    }

    fn is_named(&self, host: &str) -> bool {
        let host = host.strip_suffix('.').unwrap_or(host);
        host == "localhost" || self.names.iter().any(|name| name == host)
    }

    fn caller(&self, headers: &HeaderMap) -> Caller {
        let Some(Token(token)) = &self.token else { return Caller::Known };
        let mut given = headers.get_all(AUTHORIZATION).iter();
        let (Some(only), None) = (given.next(), given.next()) else { return Caller::Unknown };
        let given = only.as_bytes().split_at_checked("Bearer ".len());
        let Some((scheme, given)) = given else { return Caller::Unknown };
        let same = bool::from(given.trim_ascii().ct_eq(token.as_bytes()));
        if same && scheme.eq_ignore_ascii_case(b"Bearer ") { Caller::Known } else { Caller::Unknown }
    }
}

/// The host a request names, in lower case and without its port; none when it names none or two.
fn host(uri: &Uri, headers: &HeaderMap) -> Option<String> {
    let mut hosts = headers.get_all(HOST).iter();
    let named = match (hosts.next(), hosts.next()) {
        (Some(only), None) => only.to_str().ok()?.parse::<Authority>().ok()?,
        (None, _) => uri.authority()?.clone(),
        (Some(_), Some(_)) => return None,
    };
    (!named.as_str().contains('@')).then(|| named.host().to_ascii_lowercase())
}

/// The address a host is, when it is no name.
fn address(host: &str) -> Option<IpAddr> {
    let bare = host.strip_prefix('[').and_then(|host| host.strip_suffix(']')).unwrap_or(host);
    bare.parse::<IpAddr>().ok().map(|address| address.to_canonical())
}

impl Refused {
    fn word(self) -> &'static str {
        match self {
            Refused::Host => "host",
            Refused::Origin => "origin",
            Refused::Token { .. } => "token",
        }
    }

    fn response(self) -> Response {
        let (status, words) = match self {
            Refused::Host => (StatusCode::FORBIDDEN, "this host is not served here (`--allow-host`)\n"),
            Refused::Origin => {
                (StatusCode::FORBIDDEN, "pages of this origin may not call (`--allow-host`)\n")
            }
            Refused::Token { .. } => (StatusCode::UNAUTHORIZED, "a bearer token is needed\n"),
        };
        let mut response = Response::new(Body::from(words));
        *response.status_mut() = status;
        if let Refused::Token { given } = self {
            let challenge = match given {
                true => "Bearer realm=\"kontext\", error=\"invalid_token\"",
                false => "Bearer realm=\"kontext\"",
            };
            response.headers_mut().insert(WWW_AUTHENTICATE, HeaderValue::from_static(challenge));
        }
        response
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn guard(address: &str, names: &[&str], token: Option<&str>) -> Guard {
        Guard {
            address: address.parse().unwrap(),
            names: names.iter().map(|name| (*name).to_owned()).collect(),
            token: token.map(|token| Token(token.to_owned())),
        }
    }

    fn admit(guard: &Guard, path: &str, headers: &[(&str, &str)]) -> Result<Caller, Refused> {
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            let name: axum::http::HeaderName = name.parse().unwrap();
            map.append(name, HeaderValue::from_bytes(value.as_bytes()).unwrap());
        }
        guard.admit(&path.parse().unwrap(), &map)
    }

    #[test]
    fn hosts_that_mean_this_server() {
        let local = guard("127.0.0.1", &[], None);
        for host in [
            "localhost",
            "LOCALHOST:80",
            "127.0.0.1:8080",
            "127.9.9.9",
            "[::1]:1",
            "[::ffff:127.0.0.1]",
            "localhost.",
        ] {
            assert_eq!(admit(&local, "/mcp", &[("host", host)]), Ok(Caller::Known), "{host}");
        }
        for host in [
            "evil.example",
            "localhost.evil.example",
            "10.0.0.1",
            "a@localhost",
            "",
            "[::2]",
            "local host",
            "127.0.0.1.nip.io",
        ] {
            assert_eq!(admit(&local, "/mcp", &[("host", host)]), Err(Refused::Host), "{host}");
        }
        assert_eq!(admit(&local, "/mcp", &[]), Err(Refused::Host));
        assert_eq!(
            admit(&local, "/mcp", &[("host", "localhost"), ("host", "evil.example")]),
            Err(Refused::Host)
        );
        let open = guard("0.0.0.0", &["tools.example"], None);
        for (host, good) in [
            ("10.0.0.1:80", true),
            ("tools.example:80", true),
            ("Tools.Example", true),
            ("evil.example", false),
        ] {
            assert_eq!(admit(&open, "/mcp", &[("host", host)]).is_ok(), good, "{host}");
        }
        assert!(admit(&guard("10.0.0.1", &[], None), "/mcp", &[("host", "10.0.0.1")]).is_ok());
        assert!(admit(&guard("10.0.0.1", &[], None), "/mcp", &[("host", "10.0.0.2")]).is_err());
    }

    #[test]
    fn origins_that_may_call() {
        let open = guard("0.0.0.0", &["tools.example"], None);
        for origin in
            ["http://localhost:3000", "https://127.0.0.1", "http://[::1]:5", "https://tools.example"]
        {
            let headers = [("host", "localhost"), ("origin", origin)];
            assert_eq!(admit(&open, "/mcp", &headers), Ok(Caller::Known), "{origin}");
        }
        for origin in [
            "http://evil.example",
            "null",
            "",
            "http://10.0.0.1",
            "file:///a",
            "localhost",
            "http://localhost@evil.example",
            "http://evil.example@localhost",
        ] {
            let headers = [("host", "localhost"), ("origin", origin)];
            assert_eq!(admit(&open, "/mcp", &headers), Err(Refused::Origin), "{origin}");
        }
    }

    #[test]
    fn the_token_is_asked_for_everywhere_but_for_health() {
        let closed = guard("127.0.0.1", &[], Some("s3cret"));
        for good in ["Bearer s3cret", "bearer s3cret", "Bearer  s3cret "] {
            let headers = [("host", "localhost"), ("authorization", good)];
            assert_eq!(admit(&closed, "/metrics", &headers), Ok(Caller::Known), "{good}");
        }
        for bad in ["Bearer s3cre", "Bearer s3cretx", "Basic s3cret", "s3cret", "Bearer", "Bearer ", ""] {
            let headers = [("host", "localhost"), ("authorization", bad)];
            assert_eq!(admit(&closed, "/mcp", &headers), Err(Refused::Token { given: true }), "{bad}");
            assert_eq!(admit(&closed, "/healthz", &headers), Ok(Caller::Unknown), "{bad}");
        }
        let twice =
            [("host", "localhost"), ("authorization", "Bearer s3cret"), ("authorization", "Bearer x")];
        assert!(admit(&closed, "/mcp", &twice).is_err());
        assert_eq!(admit(&closed, "/mcp", &[("host", "localhost")]), Err(Refused::Token { given: false }));
        assert!(!format!("{closed:?}").contains("s3cret"));
    }
}
