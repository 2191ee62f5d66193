//! Which proxy a request goes through, decided here so that an error can name it and the variable it came from.

use std::net::IpAddr;

use kontext_host::Env;
use url::{Host, Url};

/// A proxy and where it was configured.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Proxy {
    /// The address with user and password.
    pub(crate) address: String,
    /// The variable it came from.
    pub(crate) variable: &'static str,
}

impl Proxy {
    /// The address without user and password, for messages.
    pub(crate) fn shown(&self) -> String {
        let Ok(mut url) = Url::parse(&self.address) else { return format!("the value of {}", self.variable) };
        // An address that takes no user has none to remove.
        let _ = url.set_username("");
        let _ = url.set_password(None);
        url.as_str().trim_end_matches('/').to_owned()
    }
}

/// The proxy for this address; none for loopback, for hosts of `NO_PROXY`, and when no variable names one.
pub(crate) fn choose(env: &Env, url: &Url) -> Option<Proxy> {
    let host = url.host()?;
    if is_loopback(&host) || is_excepted(env, &host, url.port_or_known_default()) {
        return None;
    }
    let own: [&'static str; 2] =
        if url.scheme() == "https" { ["https_proxy", "HTTPS_PROXY"] } else { ["http_proxy", "HTTP_PROXY"] };
    let variables = own.into_iter().chain(["all_proxy", "ALL_PROXY"]);
    variables
        .filter_map(|variable| Some(Proxy { address: address(env.non_empty(variable)?), variable }))
        .next()
}

/// A proxy written without a scheme is an http one, as everywhere.
fn address(value: &str) -> String {
    let value = value.trim();
    if value.contains("://") { value.to_owned() } else { format!("http://{value}") }
}

/// 127.0.0.0/8, `::1`, an IPv4 loopback written as IPv6, `localhost` and names below it.
fn is_loopback(host: &Host<&str>) -> bool {
    match host {
        Host::Ipv4(address) => address.is_loopback(),
        Host::Ipv6(address) => {
            address.is_loopback() || address.to_ipv4_mapped().is_some_and(|address| address.is_loopback())
        }
        Host::Domain(name) => {
            let name = name.trim_end_matches('.').to_ascii_lowercase();
            name == "localhost" || name.ends_with(".localhost")
        }
    }
}

fn is_excepted(env: &Env, host: &Host<&str>, port: Option<u16>) -> bool {
    let list = env.non_empty("no_proxy").or_else(|| env.non_empty("NO_PROXY"));
    list.is_some_and(|list| list.split([',', ' ']).map(str::trim).any(|entry| matches(entry, host, port)))
}

/// One entry: `*`, a domain that also covers what is below it, an address, or a network such as `10.0.0.0/8`; a
/// port behind it must be the request's.
fn matches(entry: &str, host: &Host<&str>, port: Option<u16>) -> bool {
    if entry.is_empty() {
        return false;
    }
    if entry == "*" {
        return true;
    }
    match host {
        Host::Domain(name) => matches_name(entry, name, port),
        Host::Ipv4(address) => matches_address(entry, IpAddr::V4(*address), port),
        Host::Ipv6(address) => matches_address(entry, IpAddr::V6(*address), port),
    }
}

fn matches_name(entry: &str, name: &str, port: Option<u16>) -> bool {
    let Some(entry) = without_port(entry, port) else { return false };
    let domain =
        entry.trim_start_matches("*.").trim_start_matches('.').trim_end_matches('.').to_ascii_lowercase();
    let name = name.trim_end_matches('.').to_ascii_lowercase();
    !domain.is_empty()
        && (name == domain || name.strip_suffix(&domain).is_some_and(|rest| rest.ends_with('.')))
}

/// The entry without its port, or none when it has another one than the request.
fn without_port(entry: &str, port: Option<u16>) -> Option<&str> {
    match entry.rsplit_once(':') {
        Some((rest, digits)) if digits.parse::<u16>().is_ok() => {
            (digits.parse::<u16>().ok() == port).then_some(rest)
        }
        _ => Some(entry),
    }
}

fn matches_address(entry: &str, address: IpAddr, port: Option<u16>) -> bool {
    if let Some((network, bits)) = entry.split_once('/') {
        let network = network.trim_matches(['[', ']']).parse::<IpAddr>();
        return matches!((network, bits.parse::<u32>()), (Ok(network), Ok(bits)) if contains(network, bits, address));
    }
    let bare =
        |text: &str| text.trim_matches(['[', ']']).parse::<IpAddr>().is_ok_and(|found| found == address);
    bare(entry) || without_port(entry, port).is_some_and(bare)
}

fn contains(network: IpAddr, bits: u32, address: IpAddr) -> bool {
    match (network, address) {
        (IpAddr::V4(network), IpAddr::V4(address)) => {
            let mask = u32::MAX.checked_shl(32_u32.saturating_sub(bits)).unwrap_or(0);
            bits <= 32 && network.to_bits() & mask == address.to_bits() & mask
        }
        (IpAddr::V6(network), IpAddr::V6(address)) => {
            let mask = u128::MAX.checked_shl(128_u32.saturating_sub(bits)).unwrap_or(0);
            bits <= 128 && network.to_bits() & mask == address.to_bits() & mask
        }
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn variable(url: &str, pairs: &[(&str, &str)]) -> Option<&'static str> {
        let env = Env::from_pairs(pairs.iter().map(|(name, value)| (name.to_string(), value.to_string())));
        choose(&env, &Url::parse(url).unwrap()).map(|proxy| proxy.variable)
    }

    #[test]
    fn loopback_is_never_proxied() {
        let pairs =
            [("HTTP_PROXY", "http://p:1"), ("HTTPS_PROXY", "http://p:1"), ("ALL_PROXY", "http://p:1")];
        for url in [
            "http://127.0.0.1:1933",
            "http://127.9.9.9",
            "http://[::1]:1933",
            "https://localhost",
            "http://a.LOCALHOST",
        ] {
            assert_eq!(variable(url, &pairs), None, "{url}");
        }
        assert_eq!(variable("http://h.example.test", &pairs), Some("HTTP_PROXY"));
        assert_eq!(variable("https://h.example.test", &pairs), Some("HTTPS_PROXY"));
    }

    #[test]
    fn lower_case_wins_and_all_stands_in() {
        assert_eq!(
            variable("http://h.test", &[("HTTP_PROXY", "a"), ("http_proxy", "b")]),
            Some("http_proxy")
        );
        assert_eq!(variable("https://h.test", &[("HTTP_PROXY", "a"), ("ALL_PROXY", "b")]), Some("ALL_PROXY"));
        assert_eq!(variable("https://h.test", &[("HTTPS_PROXY", "")]), None);
    }

    #[test]
    fn exceptions_are_domains_addresses_and_networks() {
        let list = ".example.test,10.0.0.0/8,only.test:81,192.168.1.7,2001:db8::/32";
        let pairs = [("HTTP_PROXY", "http://p:1"), ("NO_PROXY", list)];
        for url in [
            "http://example.test",
            "http://a.example.test",
            "http://10.200.1.1",
            "http://only.test:81",
            "http://192.168.1.7",
            "http://[2001:db8::5]",
        ] {
            assert_eq!(variable(url, &pairs), None, "{url}");
        }
        for url in [
            "http://badexample.test",
            "http://11.0.0.1",
            "http://only.test",
            "http://192.168.1.8",
            "http://[2001:db9::5]",
        ] {
            assert!(variable(url, &pairs).is_some(), "{url}");
        }
        assert_eq!(variable("http://x.test", &[("HTTP_PROXY", "p"), ("NO_PROXY", "*")]), None);
    }

    #[test]
    fn shown_without_its_user() {
        let proxy = Proxy { address: "http://me:pw@proxy.test:3128".to_owned(), variable: "HTTP_PROXY" };
        assert_eq!(proxy.shown(), "http://proxy.test:3128");
    }
}
