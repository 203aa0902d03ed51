//! How requests leave: whose certificates are trusted, through which proxy, and who counts them.

use super::http::{Metered, MeteredConnector, chain, host_of, is_near};
use super::issuer::Issuers;
use super::meter::Meter;
use super::pace::Paces;
use super::patience::Patience;
use aws_smithy_async::rt::sleep::{SharedAsyncSleep, TokioSleep};
use aws_smithy_http_client::proxy::ProxyConfig;
use aws_smithy_http_client::tls::rustls_provider::CryptoMode;
use aws_smithy_http_client::tls::{Provider, TlsContext, TrustStore};
use aws_smithy_http_client::{Builder, Connector};
use aws_smithy_runtime_api::client::http::{HttpConnectorSettings, SharedHttpClient, SharedHttpConnector};
use aws_smithy_runtime_api::client::runtime_components::RuntimeComponents;

/// Whose certificates are trusted.
pub(super) enum Roots {
    /// The machine's, and those of a PEM file beside them.
    Machine(Option<Vec<u8>>),
    /// None: only plain HTTP on loopback is spoken.
    Nobody,
}

/// How requests leave: whose certificates are trusted, through which proxy, and who counts them.
#[derive(Debug, Clone)]
pub(super) struct Way {
    tls: TlsContext,
    proxy: bool,
    meter: Meter,
    issuers: Issuers,
    patience: Patience,
    paces: Paces,
}

impl Way {
    /// `proxy` false: no proxy at all, also if the environment names one.
    pub(super) fn new(meter: &Meter, roots: Roots, proxy: bool) -> Result<Self, String> {
        let tls = context(roots)?;
        Ok(Self {
            tls,
            proxy,
            meter: meter.clone(),
            issuers: Issuers::default(),
            patience: Patience::new(proxy),
            paces: Paces::default(),
        })
    }

    /// The client that the SDK sends with, metered.
    pub(super) fn client(&self) -> SharedHttpClient {
        let direct = one(self.tls.clone(), false);
        let outward = if self.proxy {
            one(self.tls.clone(), true)
        } else {
            direct.clone()
        };
        SharedHttpClient::new(Metered {
            direct,
            outward,
            meter: self.meter.clone(),
            issuers: self.issuers.clone(),
            patience: self.patience.clone(),
            paces: self.paces.clone(),
        })
    }

    /// The proxy by which `url` is asked, and the variable that names it.
    pub(super) fn proxy(&self, url: &str) -> Option<String> {
        self.patience.proxy(url)
    }

    /// Counts what goes this way.
    pub(super) fn meter(&self) -> &Meter {
        &self.meter
    }

    /// What sends a request that the SDK knows nothing of, metered too.
    pub(super) fn connector(&self, settings: &HttpConnectorSettings) -> SharedHttpConnector {
        let sleep = SharedAsyncSleep::new(TokioSleep::new());
        let build = |proxy| {
            SharedHttpConnector::new(connector(
                &self.tls,
                proxy,
                Some(settings.clone()),
                Some(sleep.clone()),
            ))
        };
        SharedHttpConnector::new(MeteredConnector {
            direct: build(false),
            outward: build(self.proxy),
            meter: self.meter.clone(),
            issuers: self.issuers.clone(),
            patience: self.patience.clone(),
            paces: self.paces.clone(),
        })
    }
}

fn context(roots: Roots) -> Result<TlsContext, String> {
    let store = match roots {
        Roots::Machine(None) => TrustStore::default(),
        Roots::Machine(Some(pem)) => TrustStore::default().with_pem_certificate(pem),
        Roots::Nobody => TrustStore::empty(),
    };
    TlsContext::builder()
        .with_trust_store(store)
        .build()
        .map_err(|why| chain(&why))
}

fn proxies(proxy: bool) -> ProxyConfig {
    if proxy {
        ProxyConfig::from_env()
    } else {
        ProxyConfig::disabled()
    }
}

/// A connector for one question outside the SDK: it goes the way on which the client sends what leads to `url`.
pub(super) fn once(url: &str, roots: Roots) -> Result<Connector, String> {
    Ok(connector(&context(roots)?, !is_near(&host_of(url)), None, None))
}

fn connector(
    tls: &TlsContext,
    proxy: bool,
    settings: Option<HttpConnectorSettings>,
    sleep: Option<SharedAsyncSleep>,
) -> Connector {
    let mut builder = Connector::builder()
        .tls_provider(Provider::Rustls(CryptoMode::Ring))
        .tls_context(tls.clone())
        .proxy_config(proxies(proxy));
    builder.set_connector_settings(settings);
    builder.set_sleep_impl(sleep);
    builder.build()
}

fn one(tls: TlsContext, proxy: bool) -> SharedHttpClient {
    Builder::new().build_with_connector_fn(move |settings, components| {
        let sleep = components.and_then(RuntimeComponents::sleep_impl);
        connector(&tls, proxy, settings.cloned(), sleep)
    })
}
