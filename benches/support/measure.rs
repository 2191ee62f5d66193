//! Both sides of a comparison in one run, in turn, and the table that says whether the budgets are met.

use std::time::Duration;

use nix::time::{ClockId, clock_gettime};

/// Which time is measured.
#[derive(Debug, Clone, Copy)]
pub enum Clock {
    /// What passes on the wall: for processes.
    Wall,
    /// What this thread computes: for work on one core, whatever else the machine does.
    Thread,
}

impl Clock {
    fn now(self) -> Duration {
        let clock = match self {
            Clock::Wall => ClockId::CLOCK_MONOTONIC,
            Clock::Thread => ClockId::CLOCK_THREAD_CPUTIME_ID,
        };
        clock_gettime(clock).map(Duration::from).unwrap_or_default()
    }

    fn time(self, work: &mut impl FnMut()) -> Duration {
        let start = self.now();
        work();
        self.now().saturating_sub(start)
    }
}

/// What a figure must not exceed.
#[derive(Debug, Clone, Copy)]
pub enum Budget {
    /// It is only told.
    None,
    /// As many times the other side.
    Times(f64),
    /// This long, whatever the other side takes.
    Below(Duration),
    /// The other side and this much.
    Above(Duration),
}

/// A line of the table.
#[derive(Debug)]
pub struct Row {
    /// What was measured.
    pub what: String,
    /// The median of ours.
    pub ours: Duration,
    /// The other side: what it is, and its median.
    pub other: Option<(&'static str, Duration)>,
    /// What ours must not exceed.
    pub budget: Budget,
}

/// The medians of two things done in turn, after one round that does not count.
pub fn pair(
    clock: Clock,
    rounds: usize,
    mut ours: impl FnMut(),
    mut other: impl FnMut(),
) -> (Duration, Duration) {
    ours();
    other();
    let mut times = (Vec::with_capacity(rounds), Vec::with_capacity(rounds));
    for _ in 0..rounds {
        times.0.push(clock.time(&mut ours));
        times.1.push(clock.time(&mut other));
    }
    (median(times.0), median(times.1))
}

fn median(mut times: Vec<Duration>) -> Duration {
    times.sort_unstable();
    times.get(times.len() / 2).copied().unwrap_or_default()
}

impl Row {
    fn is_met(&self) -> Option<bool> {
        let other = self.other.map(|(_, time)| time).unwrap_or_default();
        match self.budget {
            Budget::None => None,
            Budget::Times(times) => Some(self.ours <= other.mul_f64(times)),
            Budget::Below(limit) => Some(self.ours <= limit),
            Budget::Above(more) => Some(self.ours <= other + more),
        }
    }

    fn cells(&self) -> [String; 6] {
        let (other, ratio) = match self.other {
            Some((name, time)) => {
                let ratio = self.ours.as_secs_f64() / time.as_secs_f64().max(f64::MIN_POSITIVE);
                (format!("{name} {}", shown(time)), format!("{ratio:.2}"))
            }
            None => ("–".to_owned(), "–".to_owned()),
        };
        let budget = match self.budget {
            Budget::None => "–".to_owned(),
            Budget::Times(times) => format!("≤ {times} ×"),
            Budget::Below(limit) => format!("≤ {}", shown(limit)),
            Budget::Above(more) => format!("≤ + {}", shown(more)),
        };
        let met = self.is_met().map_or("–", |met| if met { "yes" } else { "NO" });
        [self.what.clone(), shown(self.ours), other, ratio, budget, met.to_owned()]
    }
}

/// The rows as a Markdown table.
pub fn table(rows: &[Row]) -> String {
    let head = ["what", "ours", "other side", "ratio", "budget", "met"].map(str::to_owned);
    let rows: Vec<[String; 6]> = std::iter::once(head).chain(rows.iter().map(Row::cells)).collect();
    let widths: Vec<usize> = (0..6)
        .map(|column| rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count()).max())
        .map(Option::unwrap_or_default)
        .collect();
    let mut text = String::new();
    for (number, row) in rows.iter().enumerate() {
        for (cell, width) in row.iter().zip(&widths) {
            text.push_str(&format!("| {cell:width$} "));
        }
        text.push_str("|\n");
        if number == 0 {
            for width in &widths {
                text.push_str(&format!("|{}", "-".repeat(width + 2)));
            }
            text.push_str("|\n");
        }
    }
    text
}

fn shown(time: Duration) -> String {
    let micros = time.as_secs_f64() * 1e6;
    if micros < 1_000.0 {
        format!("{micros:.2} µs")
    } else if micros < 1_000_000.0 {
        format!("{:.2} ms", micros / 1e3)
    } else {
        format!("{:.3} s", micros / 1e6)
    }
}
