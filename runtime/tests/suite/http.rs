//! Requests: what goes out, what is refused before it goes out, and what is made of answers.

use serde_json::json;

use crate::support::server::{Server, answer};
use crate::support::{Machine, go, http, named, plan, template, text, with};

#[tokio::test]
async fn query_headers_and_user_go_out_encoded() {
    let server = Server::saying(answer("200 OK", &[], b"fine")).await;
    let machine = Machine::new(&[("KX_PW", "p/w@rd123")]);
    let call = json!({
        "query": named(&[("q", "{{query}}"), ("none", "{{uri}}"), ("n", "{{limit}}")]),
        "headers": named(&[("X-Vault", "Bearer V:abc"), ("X-None", "{{uri}}")]),
    });
    let base = server.base().replace("http://", "http://me:p%2Fw@");
    let found = text(&machine, plan(http(&base, "api", call)), "a b&ü").await.unwrap();
    let asked = server.only();
    assert_eq!(found, "fine");
    assert_eq!(asked.line, "GET /api?q=a%20b%26%C3%BC&n=10");
    assert_eq!((asked.header("x-vault").as_deref(), asked.header("x-none")), (Some("Bearer V:abc"), None));
    assert_eq!(asked.header("authorization").as_deref(), Some("Basic bWU6cC93"));
    assert!(asked.header("accept").unwrap().starts_with("text/plain"));
}

#[tokio::test]
async fn a_header_that_would_break_the_request_is_refused() {
    let server = Server::saying(answer("200 OK", &[], b"")).await;
    for (value, said) in [
        ("s3cr3t\n", "character 7 of `env.KX_TOK` is a line feed; `|trim`"),
        ("s3cr3t\r\nX: y", "character 7 of `env.KX_TOK` is a carriage return"),
        ("s3cr3té", "character 7 of `env.KX_TOK` is not ASCII"),
        (" s3cr3t", "character 1 of `env.KX_TOK` is a blank"),
    ] {
        let machine = Machine::new(&[("KX_TOK", value)]);
        let call = json!({ "headers": named(&[("Authorization", "Bearer {{env.KX_TOK}}")]) });
        let error = text(&machine, plan(http(&server.base(), "s", call)), "x").await.unwrap_err();
        assert!(error.message.contains(said), "{}", error.message);
        assert!(error.message.contains("header `Authorization` of adapter `a`"), "{}", error.message);
        assert!(!error.message.contains("s3cr3t"), "{}", error.message);
        assert_eq!((error.id, error.at.unwrap().line), ("call-failed", 7));
    }
    assert!(server.asked().is_empty());
}

#[tokio::test]
async fn secrets_stay_out_of_every_message() {
    let variables = [("KX_PW", "hunter2-hunter2"), ("KX_KEY", "k3y with/slash")];
    let machine = Machine::new(&variables);
    let call = || json!({ "query": named(&[("q", "{{query}}"), ("api_key", "{{env.KX_KEY}}")]) });
    let clean = |message: &str| {
        for secret in ["hunter2", "k3y", "k3y%20with%2Fslash", "bWU6aHVudGVyMi1odW50ZXIy"] {
            assert!(!message.contains(secret), "{message}");
        }
    };
    let closed = plan(http("http://me:{{env.KX_PW}}@127.0.0.1:9", "s", call()));
    let refused = text(&machine, closed, "x").await.unwrap_err().message;
    assert!(refused.contains("127.0.0.1:9") && refused.contains("refused the connection"), "{refused}");
    clean(&refused);

    let echo = Server::start(|asked| answer("401 Unauthorized", &[], asked.head.as_bytes())).await;
    let base = echo.base().replace("http://", "http://me:{{env.KX_PW}}@");
    let unauthorized = text(&machine, plan(http(&base, "s", call())), "x").await.unwrap_err().message;
    assert!(unauthorized.contains("401 Unauthorized") && unauthorized.contains("***"), "{unauthorized}");
    clean(&unauthorized);

    let away = Server::start(|asked| {
        let place =
            format!("Location: http://elsewhere.example.test{}", asked.line.trim_start_matches("GET "));
        answer("302 Found", &[&place], b"")
    })
    .await;
    let base = away.base().replace("http://", "http://me:{{env.KX_PW}}@");
    let redirected = text(&machine, plan(http(&base, "s", call())), "x").await.unwrap_err().message;
    assert!(redirected.contains("another origin, `http://elsewhere.example.test/s`"), "{redirected}");
    clean(&redirected);

    let echo = Server::start(|asked| answer("200 OK", &[], asked.head.as_bytes())).await;
    clean(&text(&machine, plan(http(&echo.base(), "s", call())), "x").await.unwrap());
}

#[tokio::test]
async fn a_short_secret_in_an_address_is_not_shown() {
    let machine = Machine::new(&[("KX_PIN", "4711"), ("KX_HOST", "h9.test")]);
    for (base, path, shown) in [
        ("http://127.0.0.1:9", "s/{{env.KX_PIN}}", "`http://127.0.0.1:9/***`"),
        ("http://127.0.0.1:9/{{env.KX_PIN}}", "s", "`http://127.0.0.1:9/***`"),
        ("http://me:{{env.KX_PIN}}@127.0.0.1:9/api", "s", "`http://127.0.0.1:9/api/s`"),
        ("http://{{env.KX_HOST}}:9/api", "s", "`http://***/***`"),
    ] {
        let message = text(&machine, plan(http(base, path, json!({}))), "x").await.unwrap_err().message;
        assert!(message.contains(shown), "{message}");
        assert!(!message.contains("4711") && !message.contains("h9"), "{message}");
    }
}

#[tokio::test]
async fn path_segments_stay_segments() {
    let server = Server::start(|asked| answer("200 OK", &[], asked.line.as_bytes())).await;
    let machine = Machine::new(&[]);
    let base = format!("{}/api", server.base());
    let at = |query: &'static str| {
        let (machine, base) = (&machine, base.clone());
        async move { text(machine, plan(http(&base, "v1/{{query}}/body", json!({}))), query).await }
    };
    assert_eq!(at("a/b").await.unwrap(), "GET /api/v1/a%2Fb/body");
    assert_eq!(at("a?x=1#y").await.unwrap(), "GET /api/v1/a%3Fx%3D1%23y/body");
    assert_eq!(at("a b").await.unwrap(), "GET /api/v1/a%20b/body");
    for query in ["../../admin", "", "..", "."] {
        assert_eq!(at(query).await.unwrap_err().id, "call-failed", "{query}");
    }
}

#[tokio::test]
async fn bodies_are_json_or_as_they_are() {
    let server = Server::start(|asked| answer("200 OK", &[], asked.body.as_bytes())).await;
    let machine = Machine::new(&[]);
    let query = "say \"hi\"\nC:\\x";
    let post = |body, headers: &[(&str, &str)]| {
        plan(http(&server.base(), "c", json!({ "method": "POST", "body": body, "headers": named(headers) })))
    };
    let member =
        |key: &str, value: &str| json!({ "key": { "text": key }, "value": { "template": template(value) } });
    let object = json!({ "json": { "object": [member("q", "{{query}}"), member("n", "{{limit}}"), member("note", "q={{query}}")] } });
    let sent = text(&machine, post(object, &[]), query).await.unwrap();
    assert_eq!(sent, json!({ "q": query, "n": 10, "note": format!("q={query}") }).to_string());
    assert_eq!(server.only().header("content-type").as_deref(), Some("application/json"));

    let string = json!({ "text": template(r#"{"q":"{{query}}","n":{{limit}}}"#) });
    let declared = [("content-type", "application/json; charset=utf-8")];
    let error = text(&machine, post(string.clone(), &declared), query).await.unwrap_err();
    assert!(
        error.message.contains("line 1, column 12") && !error.message.contains("say"),
        "{}",
        error.message
    );
    assert_eq!(server.asked().len(), 1, "nothing was sent");
    assert_eq!(text(&machine, post(string, &[]), "x").await.unwrap(), r#"{"q":"x","n":10}"#);
    assert_eq!(server.asked()[1].header("content-type"), None);
}

#[tokio::test]
async fn statuses_are_told_with_retry_after() {
    let machine = Machine::new(&[]);
    for (header, said) in [
        ("Retry-After: 600", "429 Too Many Requests and asks to retry after 600 s: slow\\ndown"),
        ("Retry-After: Wed, 21 Oct 2099 07:28:00 GMT", "and asks to retry after 2099-10-21T07:28:00Z"),
        ("Retry-After: -1", "429 Too Many Requests: slow"),
        ("Retry-After: abc", "429 Too Many Requests: slow"),
    ] {
        let server = Server::saying(answer("429 Too Many Requests", &[header], b"slow\\ndown")).await;
        let error = text(&machine, plan(http(&server.base(), "s", json!({}))), "x").await.unwrap_err();
        assert!(error.message.contains(said), "{}", error.message);
        assert_eq!((error.id, server.asked().len()), ("call-failed", 1));
    }
    let server = Server::saying(answer("404 Not Found", &[], b"no such note")).await;
    let error = text(&machine, plan(http(&server.base(), "s", json!({}))), "x").await.unwrap_err();
    assert!(error.message.contains("/s` answered status 404 Not Found: no such note"), "{}", error.message);
}

#[tokio::test]
async fn redirects_are_followed_at_home_only() {
    let server = Server::start(|asked| match asked.line.split(' ').nth(1).unwrap() {
        "/loop" => answer("302 Found", &["Location: /loop"], b""),
        "/end" => answer("200 OK", &[], format!("{} {}", asked.line, asked.body).as_bytes()),
        path => answer(&format!("{} Moved", path.trim_start_matches('/')), &["Location: /end"], b""),
    })
    .await;
    let machine = Machine::new(&[]);
    let to = |path: &str, method: &str| {
        let body = json!({ "text": { "text": "payload" } });
        let call = if method == "POST" {
            json!({ "method": method, "body": body })
        } else {
            json!({ "method": method })
        };
        plan(http(&server.base(), path, call))
    };
    for status in ["301", "302", "303", "307", "308"] {
        assert_eq!(text(&machine, to(status, "GET"), "x").await.unwrap(), "GET /end ");
    }
    for status in ["307", "308"] {
        assert_eq!(text(&machine, to(status, "POST"), "x").await.unwrap(), "POST /end payload");
    }
    for status in ["301", "302", "303"] {
        let error = text(&machine, to(status, "POST"), "x").await.unwrap_err();
        assert!(error.message.contains("would lose the request's body"), "{}", error.message);
    }
    let before = server.asked().len();
    let error = text(&machine, to("loop", "GET"), "x").await.unwrap_err();
    assert!(error.message.contains("redirects more than 5 times"), "{}", error.message);
    assert_eq!(server.asked().len() - before, 6);
}

#[tokio::test]
async fn compressed_answers_are_decoded() {
    // `{"a":1}`
    let gzip =
        [31, 139, 8, 0, 0, 0, 0, 0, 2, 3, 171, 86, 74, 84, 178, 50, 172, 5, 0, 175, 172, 27, 86, 7, 0, 0, 0];
    let server = Server::saying(answer("200 OK", &["Content-Encoding: gzip"], &gzip)).await;
    let found = text(&Machine::new(&[]), plan(http(&server.base(), "s", json!({}))), "x").await;
    assert_eq!(found.unwrap(), "{\"a\":1}");
    assert!(server.only().header("accept-encoding").unwrap().contains("gzip"));
    let server =
        Server::saying(answer("200 OK", &["Content-Encoding: gzip"], b"no gzip at all, really not")).await;
    let error = text(&Machine::new(&[]), plan(http(&server.base(), "s", json!({}))), "x").await.unwrap_err();
    assert!(error.message.contains("compression cannot be decoded"), "{}", error.message);
}

#[tokio::test]
async fn answers_that_are_something_else_are_described() {
    let machine = Machine::new(&[]);
    let json_op = |base: &str| plan(with(http(base, "s", json!({})), json!({ "format": "json" })));
    let server = Server::saying(answer("200 OK", &["Content-Type: text/html"], b"<html>Login</html>")).await;
    let error = text(&machine, json_op(&server.base()), "x").await.unwrap_err();
    assert_eq!(error.id, "bad-payload");
    assert!(error.message.contains("status 200, content type `text/html`"), "{}", error.message);
    assert!(error.message.contains("it begins: <html>Login</html>"), "{}", error.message);

    let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream; charset=utf-8\r\n\r\ndata: {}\r\n\r\n";
    let server = Server::saying(head).await;
    let error = text(&machine, json_op(&server.base()), "x").await.unwrap_err();
    assert!(error.message.contains("event stream"), "{}", error.message);

    let server = Server::saying(answer("204 No Content", &[], b"")).await;
    assert_eq!(text(&machine, json_op(&server.base()), "x").await.unwrap(), "");
}

#[tokio::test]
async fn a_connection_that_fails_says_how() {
    let machine = Machine::new(&[]);
    let closing = Server::saying("").await;
    let error = text(&machine, plan(http(&closing.base(), "s", json!({}))), "x").await.unwrap_err();
    assert!(error.message.contains("closed the connection without an answer"), "{}", error.message);

    let cut = Server::saying("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf").await;
    let error = text(&machine, plan(http(&cut.base(), "s", json!({}))), "x").await.unwrap_err();
    assert!(error.message.contains("broke off its answer"), "{}", error.message);

    let error =
        text(&machine, plan(http("http://no-such-host.invalid", "s", json!({}))), "x").await.unwrap_err();
    assert!(error.message.contains("host name that cannot be resolved"), "{}", error.message);
    assert!(!error.message.contains("error sending request"), "{}", error.message);
}

#[tokio::test]
async fn the_proxy_is_named_and_loopback_has_none() {
    let server = Server::start(|asked| answer("200 OK", &[], asked.line.as_bytes())).await;
    let dead = [("HTTP_PROXY", "http://u:secretpw@127.0.0.1:9"), ("HTTPS_PROXY", "http://127.0.0.1:9")];
    let machine = Machine::new(&dead);
    assert_eq!(text(&machine, plan(http(&server.base(), "s", json!({}))), "x").await.unwrap(), "GET /s");
    for base in ["http://h.example.test", "https://h.example.test"] {
        let error = text(&machine, plan(http(base, "s", json!({}))), "x").await.unwrap_err();
        assert!(
            error.message.contains("through the proxy `http://127.0.0.1:9` of `HTTP"),
            "{}",
            error.message
        );
        assert!(!error.message.contains("secretpw"), "{}", error.message);
    }
    let proxied = Machine::new(&[("http_proxy", &server.base())]);
    let found = text(&proxied, plan(http("http://h.example.test", "s", json!({}))), "x").await;
    assert_eq!(found.unwrap(), "GET http://h.example.test/s");
    let excepted = Machine::new(&[("http_proxy", &server.base()), ("NO_PROXY", ".invalid")]);
    let error = text(&excepted, plan(http("http://h.invalid", "s", json!({}))), "x").await.unwrap_err();
    assert!(!error.message.contains("proxy"), "{}", error.message);
}

#[tokio::test]
async fn encryption_problems_name_the_setting() {
    let plain = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let https = format!("https://{}", plain.local_addr().unwrap());
    tokio::spawn(async move {
        let (mut stream, _) = plain.accept().await.unwrap();
        tokio::io::AsyncWriteExt::write_all(&mut stream, b"HTTP/1.1 400 Bad Request\r\n\r\n").await.unwrap();
        std::future::pending::<()>().await;
    });
    let machine = Machine::new(&[("SSL_CERT_FILE", "/no/such.pem")]);
    let error = text(&machine, plan(http(&https, "s", json!({}))), "x").await.unwrap_err();
    assert!(
        error.message.contains("`SSL_CERT_FILE` names `/no/such.pem`, which cannot be read"),
        "{}",
        error.message
    );
    let error = text(&Machine::new(&[]), plan(http(&https, "s", json!({}))), "x").await.unwrap_err();
    assert!(error.message.contains("does not speak TLS on this port"), "{}", error.message);
}

#[tokio::test]
async fn a_missing_variable_sends_nothing() {
    let server = Server::saying(answer("200 OK", &[], b"")).await;
    let call = || json!({ "headers": named(&[("Authorization", "Bearer {{env.KX_MISSING}}")]) });
    let error = go(&Machine::new(&[]), plan(http(&server.base(), "s", call())), "x").await.unwrap_err();
    assert_eq!(error.id, "missing-variable");
    assert!(error.message.contains("`env.KX_MISSING` is not set"), "{}", error.message);
    let error = go(&Machine::new(&[("KX_MISSING", "")]), plan(http(&server.base(), "s", call())), "x").await;
    assert!(error.unwrap_err().message.contains("set but empty"));
    assert!(server.asked().is_empty());
}
