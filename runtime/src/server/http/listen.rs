//! Where a server listens, and what it must have for that.

use std::net::{IpAddr, Ipv4Addr, SocketAddr};

use tokio::net::TcpListener;

use super::guard::{Guard, Token};

/// The address and the rules of a server over HTTP.
#[derive(Debug)]
pub struct Http {
    address: SocketAddr,
    names: Vec<String>,
    token: Option<Token>,
}

/// A place that is listened at.
#[derive(Debug)]
pub struct Listening {
    pub(super) listener: TcpListener,
    pub(super) guard: Guard,
    address: SocketAddr,
}

impl Http {
    /// An address as it is written (`127.0.0.1:8080`, `localhost:8080`, `[::1]:0`, `8080`), a bearer token, and names the
    /// server is called by beside `localhost` and its addresses.
    ///
    /// # Errors
    /// What is wrong, and what to write instead.
    pub fn new(address: &str, token: Option<String>, names: Vec<String>) -> Result<Http, String> {
        let address = socket(address)?;
        if token.is_none() && !address.ip().to_canonical().is_loopback() {
            return Err(format!(
                "`{address}` can be reached from other machines, and needs `--token-env NAME`: a variable that holds a \
                 token for clients to send"
            ));
        }
        if let Some(token) = &token {
            sound(token)?;
        }
        let names = names.iter().map(|name| named(name)).collect::<Result<_, _>>()?;
        Ok(Http { address, names, token: token.map(Token) })
    }

    /// Listens.
    ///
    /// # Errors
    /// The address cannot be had.
    pub async fn listen(self) -> Result<Listening, String> {
        let fail = |error: std::io::Error| {
            let text = error.to_string();
            let words = text.split(" (os error").next().unwrap_or_default().to_lowercase();
            format!("`{}` cannot be listened at: {words}", self.address)
        };
        let listener = TcpListener::bind(self.address).await.map_err(fail)?;
        let address = listener.local_addr().map_err(fail)?;
        let guard = Guard { address: address.ip(), names: self.names, token: self.token };
        Ok(Listening { listener, guard, address })
    }
}

impl Listening {
    /// The address of the MCP endpoint.
    #[must_use]
    pub fn url(&self) -> String {
        format!("http://{}{}", self.address, super::ENDPOINT)
    }
}

/// An address as it is written.
fn socket(text: &str) -> Result<SocketAddr, String> {
    let local = IpAddr::V4(Ipv4Addr::LOCALHOST);
    if let Ok(port) = text.parse::<u16>() {
        return Ok(SocketAddr::new(local, port));
    }
    if let Some(port) = text.strip_prefix("localhost:").and_then(|port| port.parse().ok()) {
        return Ok(SocketAddr::new(local, port));
    }
    text.parse().map_err(|_| {
        let instead = match text.strip_prefix(':').and_then(|port| port.parse::<u16>().ok()) {
            Some(port) => {
                format!("write `127.0.0.1:{port}` for this machine, `0.0.0.0:{port}` for all networks")
            }
            None if text.parse::<IpAddr>().is_ok() || text == "localhost" => {
                "the port is missing, such as `:8080`; `:0` takes a free one".to_owned()
            }
            None => "write an IP address and a port, such as `127.0.0.1:8080` or `[::1]:8080`".to_owned(),
        };
        format!("`{text}` is no address to listen at: {instead}")
    })
}

/// A token must fit into a header, and be one word there.
fn sound(token: &str) -> Result<(), String> {
    match token {
        "" => Err("the token is empty".to_owned()),
        token if !token.bytes().all(|byte| byte.is_ascii_graphic()) => Err(
            "the token holds something else than letters, digits and signs of ASCII, which no header takes"
                .to_owned(),
        ),
        _ => Ok(()),
    }
}

/// A host name in lower case, without anything round it.
fn named(name: &str) -> Result<String, String> {
    let plain =
        |letter: char| letter.is_ascii_alphanumeric() || letter == '-' || letter == '.' || letter == '_';
    match !name.is_empty() && name.chars().all(plain) {
        true => Ok(name.trim_end_matches('.').to_ascii_lowercase()),
        false => Err(format!(
            "`{name}` is no host name: write it without scheme, port and path, such as `tools.example`"
        )),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_as_people_write_them() {
        for (text, address) in [
            ("8080", "127.0.0.1:8080"),
            ("localhost:0", "127.0.0.1:0"),
            ("127.0.0.1:80", "127.0.0.1:80"),
            ("[::1]:80", "[::1]:80"),
        ] {
            assert_eq!(Http::new(text, None, Vec::new()).unwrap().address.to_string(), address, "{text}");
        }
        for (text, word) in [
            (":80", "`0.0.0.0:80`"),
            ("127.0.0.1", "port is missing"),
            ("::1", "port is missing"),
            ("example.com:80", "IP address"),
            ("http://localhost:80", "IP address"),
            ("70000", "IP address"),
            ("", "IP address"),
        ] {
            let words = Http::new(text, None, Vec::new()).unwrap_err();
            assert!(words.contains(word), "{text}: {words}");
        }
    }

    #[test]
    fn other_machines_need_a_token() {
        for text in ["0.0.0.0:80", "[::]:80", "10.0.0.1:80", "[::ffff:10.0.0.1]:80"] {
            let words = Http::new(text, None, Vec::new()).unwrap_err();
            assert!(words.contains("`--token-env NAME`"), "{text}: {words}");
            assert!(Http::new(text, Some("t".to_owned()), Vec::new()).is_ok());
        }
        assert!(Http::new("[::ffff:127.0.0.1]:80", None, Vec::new()).is_ok());
        for token in ["", "a b", "a\n", "ü"] {
            let words = Http::new("80", Some(token.to_owned()), Vec::new()).unwrap_err();
            assert!(
                words.starts_with("the token") && (token.is_empty() || !words.contains(token)),
                "{words}"
            );
        }
        for name in ["http://a", "a:80", "a/b", ""] {
            assert!(Http::new("80", None, vec![name.to_owned()]).is_err(), "{name}");
        }
    }
}
