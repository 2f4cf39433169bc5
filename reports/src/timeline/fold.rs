//! Fewer rows for a long run.

use std::collections::BTreeMap;

use super::{Kind, Row};
use crate::text::{count, thousands};

/// Rows of a run that stay at its start.
const HEAD: usize = 2;
/// A run that is folded stands for at least this many rows.
const LEAST: usize = 6;

pub(super) fn fold(rows: &[Row], most: usize) -> Vec<Row> {
    if rows.len() <= most {
        return rows.to_vec();
    }
    let mut shorter = Vec::new();
    for run in rows.chunk_by(|a, b| (a.lane, a.kind) == (b.lane, b.kind)) {
        if run.len() < LEAST {
            shorter.extend_from_slice(run);
            continue;
        }
        let (head, rest) = run.split_at(HEAD);
        let (middle, last) = rest.split_at(rest.len() - 1);
        shorter.extend_from_slice(head);
        shorter.push(Row {
            text: format!("… {} more", thousands(middle.len() as u64)),
            kind: Kind::Folded,
            ..middle[0].clone()
        });
        shorter.extend_from_slice(last);
    }
    if shorter.len() <= most {
        return shorter;
    }
    let head = (most - 1) / 2;
    let tail = shorter.len() - (most - 1 - head);
    let (from, to) = (shorter[head].step, shorter[tail].step);
    // Counted in the run itself: rows between may stand for many.
    let hidden = rows.iter().filter(|row| (from..to).contains(&row.step));
    let mut counts = BTreeMap::new();
    for row in hidden {
        *counts.entry(row.kind).or_insert(0u64) += 1;
    }
    let total: u64 = counts.values().sum();
    let kinds: Vec<_> = counts
        .iter()
        .map(|(kind, number)| format!("{} {}", thousands(*number), kind.name()))
        .collect();
    let gap = Row {
        step: from,
        lane: 0,
        to: None,
        kind: Kind::Folded,
        text: format!("… {} not shown: {}", count(total, "step"), kinds.join(", ")),
    };
    let mut short = shorter[..head].to_vec();
    short.push(gap);
    short.extend_from_slice(&shorter[tail..]);
    short
}

#[cfg(test)]
mod tests {
    use super::super::Timeline;
    use super::*;

    fn long() -> Timeline {
        let mut timeline = Timeline::new("x", &["driver", "memory"]);
        for index in 0..100 {
            timeline.push(0, Kind::Stage, format!("pair {index}"));
        }
        for index in 0..1000 {
            timeline.push(0, Kind::Fetch, format!("fetch {index}"));
            timeline.push(1, Kind::Data, format!("visible {index}"));
        }
        timeline.push(0, Kind::Ack, "ack");
        timeline
    }

    #[test]
    fn runs_are_folded_before_the_middle_is_left_out() {
        let timeline = long();
        assert_eq!(timeline.folded(5000), timeline);
        let rows = timeline.folded(40).rows;
        assert_eq!(rows.len(), 40);
        let texts: Vec<_> = rows.iter().map(|row| row.text.as_str()).collect();
        assert_eq!(
            texts[..5],
            ["pair 0", "pair 1", "… 97 more", "pair 99", "fetch 0"]
        );
        assert_eq!(texts[39], "ack");
        let gap = texts[19];
        assert!(
            gap.starts_with("… 1,966 steps not shown: 983 fetch, 983 data"),
            "{gap}"
        );
        // Nothing is lost without being counted: 100 + 2000 + 1 steps.
        assert_eq!(100 + (19 - 4) + 1966 + 20, 2101);
    }

    #[test]
    fn the_smallest_timeline_is_its_ends() {
        let rows = long().folded(3).rows;
        assert_eq!(rows.len(), 3);
        assert_eq!((&rows[0].text[..], &rows[2].text[..]), ("pair 0", "ack"));
    }
}
