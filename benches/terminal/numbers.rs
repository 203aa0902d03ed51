//! From times to rows of a Markdown table.

use std::time::Duration;

/// Times of one thing, one list a run.
#[derive(Default)]
pub struct Times {
    runs: Vec<Vec<Duration>>,
}

impl Times {
    /// A new run begins.
    pub fn run(&mut self) {
        self.runs.push(Vec::new());
    }

    /// False while only warming up.
    pub fn has_begun(&self) -> bool {
        !self.runs.is_empty()
    }

    pub fn push(&mut self, time: Duration) {
        self.runs.last_mut().expect("a run has begun").push(time);
    }

    pub fn is_empty(&self) -> bool {
        self.runs.iter().all(Vec::is_empty)
    }

    /// How many there are in all runs.
    pub fn count(&self) -> usize {
        self.runs.iter().map(Vec::len).sum()
    }

    /// The share `part` (0.5: the median) of each run, in milliseconds.
    fn shares(&self, part: f64) -> Vec<f64> {
        let runs = self.runs.iter().filter(|run| !run.is_empty());
        runs.map(|run| share(run, part)).collect()
    }

    /// `7.1 (6.9–7.4)`: the median of the runs' shares, with the least and the greatest of them.
    pub fn spread(&self, part: f64) -> String {
        spread(self.shares(part))
    }

    /// The same of the ratios to another's, run by run.
    pub fn ratio(&self, other: &Times, part: f64) -> String {
        let pairs = self.shares(part).into_iter().zip(other.shares(part));
        spread(pairs.map(|(mine, its)| mine / its).collect())
    }

    /// The worst of all.
    pub fn worst(&self) -> String {
        let worst = self.runs.iter().flatten().max().copied().unwrap_or_default();
        short(millis(worst))
    }
}

fn millis(time: Duration) -> f64 {
    time.as_secs_f64() * 1000.0
}

fn share(times: &[Duration], part: f64) -> f64 {
    let mut sorted = times.to_vec();
    sorted.sort_unstable();
    let at = ((sorted.len() as f64 * part).ceil() as usize).clamp(1, sorted.len()) - 1;
    millis(sorted[at])
}

fn spread(mut values: Vec<f64>) -> String {
    if values.is_empty() {
        return "–".to_owned();
    }
    values.sort_by(f64::total_cmp);
    let (least, greatest) = (values[0], values[values.len() - 1]);
    let middle = values[values.len() / 2];
    format!("{} ({}–{})", short(middle), short(least), short(greatest))
}

/// Three digits at most: more would pretend.
fn short(value: f64) -> String {
    match value {
        v if v < 1.0 => format!("{v:.2}"),
        v if v < 100.0 => format!("{v:.1}"),
        v => format!("{v:.0}"),
    }
}

/// Prints a table in Markdown.
pub fn table(title: &str, head: &[&str], rows: &[Vec<String>]) {
    println!("\n### {title}\n");
    println!("| {} |", head.join(" | "));
    println!("|{}", "---|".repeat(head.len()));
    for row in rows {
        println!("| {} |", row.join(" | "));
    }
}
