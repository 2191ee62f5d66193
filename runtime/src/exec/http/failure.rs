//! What a person needs to know when a request got no answer: which host, what it did, and through which proxy.

use std::error::Error;
use std::io;

use rustls::CertificateError;

use super::proxy::Proxy;
use crate::error::Failure;

/// The failure of a request to `shown` that got no answer.
pub(crate) fn no_answer(error: &reqwest::Error, shown: &str, proxy: Option<&Proxy>) -> Failure {
    let mut message = format!("`{shown}` {}", reason(error));
    if let Some(proxy) = proxy {
        message.push_str(&format!(" (through the proxy `{}` of `{}`)", proxy.shown(), proxy.variable));
    }
    Failure::call(message)
}

/// The failure of an answer that broke off or could not be decoded.
pub(crate) fn broken_answer(error: &reqwest::Error, shown: &str) -> Failure {
    let cause = innermost(error);
    let compression = ["gzip", "deflate", "brotli", "CRC", "checksum"];
    let what = if compression.iter().any(|word| cause.contains(word)) {
        format!("sent an answer whose compression cannot be decoded ({cause})")
    } else {
        format!("broke off its answer: {cause}")
    };
    Failure::call(format!("`{shown}` {what}"))
}

fn reason(error: &reqwest::Error) -> String {
    if error.is_redirect() {
        return innermost(error);
    }
    if let Some(tls) = chain(error).find_map(tls_error) {
        return encryption(tls);
    }
    let texts: Vec<String> = chain(error).map(|cause| cause.to_string()).collect();
    let says = |needle: &str| texts.iter().any(|text| text.contains(needle));
    if says("dns error") {
        return "has a host name that cannot be resolved".to_owned();
    }
    if says("tunnel error") || says("unsuccessful tunnel") {
        return format!("could not be reached: the proxy refused the tunnel ({})", innermost(error));
    }
    if says("connection closed before message completed") || says("connection closed") {
        return "closed the connection without an answer".to_owned();
    }
    match chain(error).find_map(|cause| cause.downcast_ref::<io::Error>()).map(io::Error::kind) {
        Some(io::ErrorKind::ConnectionRefused) => "refused the connection".to_owned(),
        Some(io::ErrorKind::TimedOut) => "could not be reached: the connection timed out".to_owned(),
        Some(
            io::ErrorKind::ConnectionReset | io::ErrorKind::BrokenPipe | io::ErrorKind::ConnectionAborted,
        ) => "reset the connection".to_owned(),
        Some(io::ErrorKind::HostUnreachable | io::ErrorKind::NetworkUnreachable) => {
            "could not be reached: there is no route to it".to_owned()
        }
        _ => format!("could not be reached: {}", innermost(error)),
    }
}

fn encryption(error: &rustls::Error) -> String {
    const CA: &str = "to trust another authority, name a file with its certificate in `SSL_CERT_FILE`";
    match error {
        rustls::Error::InvalidCertificate(problem) => match problem {
            CertificateError::UnknownIssuer => {
                format!("has a certificate whose issuer is not trusted here; {CA}")
            }
            CertificateError::Expired | CertificateError::ExpiredContext { .. } => {
                "has a certificate that has expired".to_owned()
            }
            CertificateError::NotValidYet | CertificateError::NotValidYetContext { .. } => {
                "has a certificate that is not valid yet".to_owned()
            }
            CertificateError::NotValidForName | CertificateError::NotValidForNameContext { .. } => {
                "has a certificate for another host name".to_owned()
            }
            other => format!("has a certificate that cannot be accepted: {other}; {CA}"),
        },
        rustls::Error::InvalidMessage(_) => "does not speak TLS on this port; is `http://` meant?".to_owned(),
        other => format!("failed the TLS handshake: {other}"),
    }
}

fn tls_error<'a>(cause: &'a (dyn Error + 'static)) -> Option<&'a rustls::Error> {
    if let Some(found) = cause.downcast_ref::<rustls::Error>() {
        return Some(found);
    }
    // An I/O error does not count itself among the sources of what it wraps.
    tls_error(cause.downcast_ref::<io::Error>()?.get_ref()?)
}

/// The last text of the chain of causes, which is the one that says something.
pub(crate) fn innermost(error: &reqwest::Error) -> String {
    chain(error).last().map_or_else(|| "no reason given".to_owned(), |cause| cause.to_string())
}

/// The causes of an error, without the error itself: its own text holds the URL.
fn chain(error: &reqwest::Error) -> impl Iterator<Item = &(dyn Error + 'static)> {
    std::iter::successors(error.source(), |cause: &&(dyn Error + 'static)| (*cause).source())
}
