//! What is wrong with the markup of a document.

use crate::Span;

/// One finding.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Problem {
    /// What is wrong.
    pub kind: ProblemKind,
    /// The section it is about, as its marker spells it; for a cut the section that holds it, or nothing.
    pub section: String,
    /// The marker.
    pub span: Span,
    /// The marker's line, from 1.
    pub line: usize,
}

/// What is wrong with a marker.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum ProblemKind {
    /// `section-unclosed`: an open marker without its close.
    Unclosed,
    /// `section-orphan`: a close without its open marker.
    Orphan,
    /// `section-nested`: a section that opens inside another.
    Nested {
        /// The section around it.
        outer: String,
        /// The line where that opens.
        outer_line: usize,
    },
    /// `section-duplicate`: a section that is there already; the last one is read.
    Duplicate {
        /// The line where the one before it opens.
        earlier_line: usize,
    },
    /// `cut-inside-section`.
    CutInside {
        /// The line where the section opens.
        outer_line: usize,
    },
    /// `cut-duplicate`: a second cut, which counts for nothing.
    CutDuplicate {
        /// The line of the first.
        first_line: usize,
    },
}

impl Problem {
    /// The name of the finding.
    #[must_use]
    pub fn id(&self) -> &'static str {
        match self.kind {
            ProblemKind::Unclosed => "section-unclosed",
            ProblemKind::Orphan => "section-orphan",
            ProblemKind::Nested { .. } => "section-nested",
            ProblemKind::Duplicate { .. } => "section-duplicate",
            ProblemKind::CutInside { .. } => "cut-inside-section",
            ProblemKind::CutDuplicate { .. } => "cut-duplicate",
        }
    }

    /// What is wrong, in a sentence without full stop.
    #[must_use]
    pub fn message(&self) -> String {
        let id = &self.section;
        match &self.kind {
            ProblemKind::Unclosed => format!("the section `{id}` is never closed"),
            ProblemKind::Orphan => format!("`/section:{id}` closes a section that is not open"),
            ProblemKind::Nested { outer, outer_line } => {
                format!("the section `{id}` opens inside `{outer}`, which is open since line {outer_line}")
            }
            ProblemKind::Duplicate { earlier_line } => {
                format!("the section `{id}` is there already in line {earlier_line}; the last one is read")
            }
            ProblemKind::CutInside { outer_line } => {
                format!(
                    "the public cut stands inside the section `{id}`, which is open since line {outer_line}"
                )
            }
            ProblemKind::CutDuplicate { first_line } => {
                format!("a second public cut; the one in line {first_line} counts")
            }
        }
    }
}
