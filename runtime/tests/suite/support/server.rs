//! A web server that answers what a test tells it and remembers what it was asked.

use std::sync::{Arc, Mutex};

use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

/// One request as it came.
#[derive(Debug, Clone)]
pub struct Asked {
    /// Method, path and query.
    pub line: String,
    /// Everything up to the empty line.
    pub head: String,
    pub body: String,
}

impl Asked {
    /// The value of a header.
    pub fn header(&self, name: &str) -> Option<String> {
        let line =
            self.head.lines().find(|line| line.to_ascii_lowercase().starts_with(&format!("{name}:")))?;
        Some(line.split_once(':')?.1.trim().to_owned())
    }
}

/// A running server.
pub struct Server {
    pub port: u16,
    asked: Arc<Mutex<Vec<Asked>>>,
}

impl Server {
    /// Answers every request with what `answer` makes of it; nothing closes the connection.
    pub async fn start(answer: impl Fn(&Asked) -> Vec<u8> + Send + Sync + 'static) -> Server {
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let port = listener.local_addr().unwrap().port();
        let asked: Arc<Mutex<Vec<Asked>>> = Arc::default();
        let kept = Arc::clone(&asked);
        let answer = Arc::new(answer);
        tokio::spawn(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::spawn(serve(stream, Arc::clone(&answer), Arc::clone(&kept)));
            }
        });
        Server { port, asked }
    }

    /// One that always says the same.
    pub async fn saying(answer: impl Into<Vec<u8>>) -> Server {
        let answer = answer.into();
        Server::start(move |_| answer.clone()).await
    }

    pub fn base(&self) -> String {
        format!("http://127.0.0.1:{}", self.port)
    }

    pub fn asked(&self) -> Vec<Asked> {
        self.asked.lock().unwrap().clone()
    }

    /// The only request there was.
    pub fn only(&self) -> Asked {
        let mut asked = self.asked();
        assert_eq!(asked.len(), 1, "{asked:?}");
        asked.remove(0)
    }
}

async fn serve<F: Fn(&Asked) -> Vec<u8>>(
    mut stream: TcpStream,
    answer: Arc<F>,
    kept: Arc<Mutex<Vec<Asked>>>,
) {
    let mut bytes = Vec::new();
    let mut buffer = [0; 8192];
    while !is_whole(&bytes) {
        match stream.read(&mut buffer).await {
            Ok(count @ 1..) => bytes.extend_from_slice(&buffer[..count]),
            _ => return,
        }
    }
    let text = String::from_utf8_lossy(&bytes).into_owned();
    let (head, body) = text.split_once("\r\n\r\n").unwrap();
    let line = head.lines().next().unwrap().trim_end_matches(" HTTP/1.1").to_owned();
    let asked = Asked { line, head: head.to_owned(), body: body.to_owned() };
    kept.lock().unwrap().push(asked.clone());
    let answer = answer(&asked);
    let _ = stream.write_all(&answer).await;
    let _ = stream.shutdown().await;
}

fn is_whole(bytes: &[u8]) -> bool {
    let text = String::from_utf8_lossy(bytes).into_owned();
    let Some((head, body)) = text.split_once("\r\n\r\n") else { return false };
    let length = head
        .lines()
        .find_map(|line| line.to_ascii_lowercase().strip_prefix("content-length:")?.trim().parse().ok());
    body.len() >= length.unwrap_or(0)
}

/// A whole answer with this status, header lines and body.
pub fn answer(status: &str, headers: &[&str], body: &[u8]) -> Vec<u8> {
    let mut head = format!("HTTP/1.1 {status}\r\nContent-Length: {}\r\nConnection: close\r\n", body.len());
    for header in headers {
        head.push_str(header);
        head.push_str("\r\n");
    }
    head.push_str("\r\n");
    [head.as_bytes(), body].concat()
}
