//! HTTP clients, each made when the first request needs it: loading trusted certificates takes milliseconds that a
//! plain request should not pay.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, PoisonError};

use kontext_host::Env;
use reqwest::{Certificate, Client, redirect};

use super::proxy::Proxy;
use crate::error::Failure;

/// Encrypted or not, who follows redirects, and the proxy's address.
type Kind = (bool, Redirects, Option<String>);

/// Who follows redirects.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub(crate) enum Redirects {
    /// The caller, by hand.
    Caller,
    /// The client: those that keep method and body and stay at the origin.
    Client,
}

/// The clients of one process, by what makes them differ.
#[derive(Debug, Default)]
pub(crate) struct Clients {
    made: Mutex<HashMap<Kind, Client>>,
}

impl Clients {
    /// The client for an encrypted or plain address through this proxy.
    pub(crate) fn get(
        &self,
        env: &Env,
        encrypted: bool,
        redirects: Redirects,
        proxy: Option<&Proxy>,
    ) -> Result<Client, Failure> {
        let address = proxy.map(|proxy| proxy.address.clone());
        let tls = encrypted || address.as_ref().is_some_and(|address| address.starts_with("https"));
        let mut made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(client) = made.get(&(tls, redirects, address.clone())) {
            return Ok(client.clone());
        }
        let client = build(env, tls, redirects, proxy)?;
        made.insert((tls, redirects, address), client.clone());
        Ok(client)
    }
}

fn build(env: &Env, tls: bool, redirects: Redirects, proxy: Option<&Proxy>) -> Result<Client, Failure> {
    let mut builder = Client::builder()
        .user_agent(concat!("kontext/", env!("CARGO_PKG_VERSION")))
        .redirect(match redirects {
            Redirects::Caller => redirect::Policy::none(),
            Redirects::Client => redirect::Policy::custom(super::redirect::same_origin),
        })
        .referer(false)
        .no_proxy();
    if let Some(proxy) = proxy {
        let through = reqwest::Proxy::all(&proxy.address).map_err(|_| {
            Failure::call(format!("`{}` names no proxy that kontext can use", proxy.variable))
        })?;
        builder = builder.proxy(through);
    }
    builder = match (tls, env.non_empty("SSL_CERT_FILE")) {
        (false, _) => builder.tls_backend_preconfigured(without_roots()?),
        (true, None) => {
            provide_ring();
            builder
        }
        (true, Some(file)) => {
            provide_ring();
            builder.tls_certs_only(certificates(file)?)
        }
    };
    builder.build().map_err(|error| {
        Failure::call(format!("the HTTP client could not be set up: {}", super::failure::innermost(&error)))
    })
}

/// Another part of the process may have installed a provider already, which serves as well.
fn provide_ring() {
    let _ = rustls::crypto::ring::default_provider().install_default();
}

/// A TLS configuration that trusts nobody and so loads nothing, for clients that never encrypt.
fn without_roots() -> Result<rustls::ClientConfig, Failure> {
    let provider = Arc::new(rustls::crypto::ring::default_provider());
    let builder = rustls::ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .map_err(|error| Failure::call(format!("the HTTP client could not be set up: {error}")))?;
    Ok(builder.with_root_certificates(rustls::RootCertStore::empty()).with_no_client_auth())
}

fn certificates(file: &str) -> Result<Vec<Certificate>, Failure> {
    let problem = |reason: &str| Failure::call(format!("`SSL_CERT_FILE` names `{file}`, {reason}"));
    let pem = fs_err::read(file).map_err(|_| problem("which cannot be read"))?;
    let found =
        Certificate::from_pem_bundle(&pem).map_err(|_| problem("which is not a list of PEM certificates"))?;
    if found.is_empty() { Err(problem("which holds no certificate")) } else { Ok(found) }
}
