//! A column a lane.

use super::Timeline;

/// Widest column; a longer text runs on to the right.
const WIDEST: usize = 36;

pub(super) fn render(timeline: &Timeline) -> String {
    let lanes = timeline.lanes.len();
    let mut widths: Vec<_> = timeline
        .lanes
        .iter()
        .map(|lane| lane.chars().count())
        .collect();
    let cells: Vec<_> = timeline
        .rows
        .iter()
        .map(|row| match row.to {
            Some(to) if to > row.lane => format!("{} →", row.text),
            Some(_) => format!("← {}", row.text),
            None => row.text.clone(),
        })
        .collect();
    for (row, cell) in timeline.rows.iter().zip(&cells) {
        let width = &mut widths[row.lane];
        *width = (*width).max(cell.chars().count().min(WIDEST));
    }
    let mut text = format!("{}\n\n  step", timeline.title);
    for (lane, width) in timeline.lanes.iter().zip(&widths) {
        text += &format!("  {lane:<width$}");
    }
    trim(&mut text);
    for (row, cell) in timeline.rows.iter().zip(&cells) {
        text += &format!("{:>6}", row.step);
        for (lane, &width) in widths.iter().enumerate().take(lanes) {
            let shown = if lane == row.lane { cell } else { "" };
            text += &format!("  {shown:<width$}");
        }
        trim(&mut text);
    }
    text
}

/// Ends a line without spaces.
fn trim(text: &mut String) {
    text.truncate(text.trim_end_matches(' ').len());
    text.push('\n');
}
