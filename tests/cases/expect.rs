//! Expected findings, written as comments beside the lines they are about.

use crate::markdown::Block;

/// One expected finding.
#[derive(Debug, Clone)]
pub struct Expectation {
    /// The logical input it is in.
    pub input: String,
    /// The line its underlined text starts at, from 1.
    pub line: usize,
    /// `error`, `warning` or `info`.
    pub severity: String,
    /// The id.
    pub id: String,
    /// The underlined text; `…` stands for anything.
    pub text: Option<String>,
    /// A part of the message.
    pub message: Option<String>,
}

impl Expectation {
    /// As it is written.
    pub fn display(&self) -> String {
        let mut out = format!("{}:{}: {}: [{}]", self.input, self.line, self.severity, self.id);
        if let Some(text) = &self.text {
            out.push_str(&format!(" {text:?}"));
        }
        if let Some(message) = &self.message {
            out.push_str(&format!(" message ~ {message:?}"));
        }
        out
    }
}

const SEVERITIES: [&str; 3] = ["error", "warning", "info"];

/// The expectations in the comments of a layer's text.
///
/// # Errors
/// When a comment looks like an expectation and is not well formed.
pub fn in_comments(input: &str, text: &str) -> Result<Vec<Expectation>, String> {
    let mut found = Vec::new();
    for (at, line) in text.lines().enumerate() {
        let mut rest = line;
        while let Some((start, severity, up)) = next_comment(rest) {
            let after = rest.get(start..).unwrap_or("");
            let number = (at + 1).checked_sub(up).ok_or(format!("`{line}` points above the first line"))?;
            let (expectation, tail) =
                body(input, number, severity, after).map_err(|e| format!("{e} in `{line}`"))?;
            found.push(expectation);
            rest = tail;
        }
    }
    Ok(found)
}

/// The next `# error: [`, or `# ^N error: [` for a line N above: where its `[` stands, its severity, and N.
fn next_comment(line: &str) -> Option<(usize, &'static str, usize)> {
    line.match_indices('#').find_map(|(hash, _)| {
        let after = line.get(hash + 1..)?.trim_start();
        let (up, after) = match after.strip_prefix('^') {
            None => (0, after),
            Some(after) => {
                let digits = after.bytes().take_while(u8::is_ascii_digit).count();
                let (number, after) = after.split_at(digits);
                (number.parse().unwrap_or(1), after.trim_start())
            }
        };
        let severity = SEVERITIES.into_iter().find(|severity| after.starts_with(severity))?;
        let after = after.strip_prefix(severity)?.strip_prefix(": ")?;
        after.starts_with('[').then(|| (line.len() - after.len(), severity, up))
    })
}

/// `[id] "text" message ~ "part"`, and what follows.
fn body<'a>(
    input: &str,
    line: usize,
    severity: &str,
    text: &'a str,
) -> Result<(Expectation, &'a str), String> {
    let (id, mut rest) = text.strip_prefix('[').and_then(|t| t.split_once(']')).ok_or("an id without `]`")?;
    let mut expectation = Expectation {
        input: input.to_owned(),
        line,
        severity: severity.to_owned(),
        id: id.to_owned(),
        text: None,
        message: None,
    };
    if rest.trim_start().starts_with('"') {
        let (quoted, tail) = quoted(rest.trim_start())?;
        expectation.text = Some(quoted);
        rest = tail;
    }
    if let Some(after) = rest.trim_start().strip_prefix("message ~") {
        let (quoted, tail) = quoted(after.trim_start())?;
        expectation.message = Some(quoted);
        rest = tail;
    }
    Ok((expectation, rest))
}

/// A text in double quotes with the escapes `\"`, `\\`, `\n`, `\r` and `\t`, and what follows it.
fn quoted(text: &str) -> Result<(String, &str), String> {
    let mut out = String::new();
    let mut chars = text.strip_prefix('"').ok_or("a text without quotes")?.char_indices();
    while let Some((at, c)) = chars.next() {
        match c {
            '"' => return Ok((out, text.get(at + 2..).unwrap_or(""))),
            '\\' => out.push(match chars.next() {
                Some((_, 'n')) => '\n',
                Some((_, 'r')) => '\r',
                Some((_, 't')) => '\t',
                Some((_, other)) => other,
                None => break,
            }),
            other => out.push(other),
        }
    }
    Err("a text without closing quote".to_owned())
}

/// The lines of an `expect` block: `INPUT:LINE: error: [id] "text"`.
///
/// # Errors
/// When a line has another form.
pub fn in_block(block: &Block) -> Result<Vec<Expectation>, String> {
    let wrong = |line: &str| format!("line {}: `{line}` is no `INPUT:LINE: error: [id]`", block.line);
    let lines = block.text.lines().filter(|line| !line.trim().is_empty());
    lines
        .map(|line| {
            let (place, rest) = line.split_once(": ").ok_or_else(|| wrong(line))?;
            let (input, number) = place.rsplit_once(':').ok_or_else(|| wrong(line))?;
            let number = number.parse().map_err(|_| wrong(line))?;
            let (severity, rest) = rest.split_once(": ").ok_or_else(|| wrong(line))?;
            if !SEVERITIES.contains(&severity) {
                return Err(wrong(line));
            }
            body(&crate::check::logical(input), number, severity, rest.trim_start()).map(|(found, _)| found)
        })
        .collect()
}

/// Whether a text is the expected one, in which `…` stands for anything.
pub fn matches(pattern: &str, text: &str) -> bool {
    match pattern.split_once('…') {
        None => pattern == text,
        Some((before, after)) => {
            text.len() >= before.len() + after.len() && text.starts_with(before) && text.ends_with(after)
        }
    }
}
