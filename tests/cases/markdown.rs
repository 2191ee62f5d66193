//! Markdown files as cases: headings part them, fenced blocks are their parts.

/// One Markdown file.
pub struct CaseFile {
    /// Its text, for rewriting.
    pub text: String,
    /// Its cases, in order.
    pub cases: Vec<Case>,
}

/// What stands under one heading.
#[derive(Debug)]
pub struct Case {
    /// `file: heading`.
    pub name: String,
    /// The fenced blocks.
    pub blocks: Vec<Block>,
}

/// A fenced block.
#[derive(Debug, Clone)]
pub struct Block {
    /// First word of the info string.
    pub language: String,
    /// Words of the info string without `=`.
    pub words: Vec<String>,
    /// `key=value` words of the info string.
    pub options: Vec<(String, String)>,
    /// The text between the fences, with its line breaks.
    pub text: String,
    /// Where that text stands in the file, in bytes.
    pub range: std::ops::Range<usize>,
    /// The file's line of the opening fence, from 1.
    pub line: usize,
}

impl Block {
    /// The value of an option.
    pub fn option(&self, key: &str) -> Option<&str> {
        self.options.iter().find(|(k, _)| k == key).map(|(_, value)| value.as_str())
    }

    /// Whether a word stands in the info string.
    pub fn has(&self, word: &str) -> bool {
        self.words.iter().any(|w| w == word)
    }
}

impl CaseFile {
    /// Reads a file. Text before the first `##` is a case too when it has blocks.
    ///
    /// # Errors
    /// When a fence is not closed.
    pub fn parse(name: &str, text: &str) -> Result<CaseFile, String> {
        let mut cases = Vec::new();
        let mut case = Case { name: name.to_owned(), blocks: Vec::new() };
        let mut lines = Lines { text, at: 0, number: 0 };
        while let Some(line) = lines.next() {
            if let Some(heading) = line.strip_prefix("## ") {
                let next = Case { name: format!("{name}: {}", heading.trim()), blocks: Vec::new() };
                cases.push(std::mem::replace(&mut case, next));
            } else if let Some((fence, info)) = opening(line) {
                case.blocks.push(lines.block(fence, info).ok_or(format!("{name}: a fence is not closed"))?);
            }
        }
        cases.push(case);
        cases.retain(|case| case.blocks.iter().any(is_input));
        Ok(CaseFile { text: text.to_owned(), cases })
    }
}

fn is_input(block: &Block) -> bool {
    matches!(block.language.as_str(), "toml" | "md" | "bytes" | "world") && !block.has("ignore")
}

/// The fence and the info string of a line that opens a block.
fn opening(line: &str) -> Option<(&str, &str)> {
    let ticks = line.bytes().take_while(|byte| *byte == b'`').count();
    (ticks >= 3).then(|| line.split_at(ticks)).map(|(fence, info)| (fence, info.trim()))
}

struct Lines<'a> {
    text: &'a str,
    at: usize,
    number: usize,
}

impl<'a> Lines<'a> {
    fn next(&mut self) -> Option<&'a str> {
        let rest = self.text.get(self.at..).filter(|rest| !rest.is_empty())?;
        let line = rest.split_inclusive('\n').next()?;
        self.at += line.len();
        self.number += 1;
        Some(line.trim_end_matches('\n'))
    }

    fn block(&mut self, fence: &str, info: &str) -> Option<Block> {
        let (line, start) = (self.number, self.at);
        let mut end = self.at;
        while self.next()?.trim_end() != fence {
            end = self.at;
        }
        let mut words = info.split_whitespace();
        let language = words.next().unwrap_or("").to_owned();
        let (options, words): (Vec<_>, Vec<_>) =
            words.map(str::to_owned).partition(|word| word.contains('='));
        let options = options
            .iter()
            .filter_map(|o| o.split_once('='))
            .map(|(k, v)| (k.to_owned(), v.to_owned()))
            .collect();
        Some(Block {
            language,
            words,
            options,
            text: self.text.get(start..end)?.to_owned(),
            range: start..end,
            line,
        })
    }
}
