//! Life lines and arrows, as sequence diagrams have them.

use maud::{Markup, html};

use super::{Kind, Row, Timeline};

const TOP: usize = 84;
const ROW: usize = 20;
const LEFT: usize = 76;
/// Pixels of a letter of the 12 px face, somewhat more than it takes.
const LETTER: usize = 7;
const NARROWEST: usize = 120;

fn colour(kind: Kind) -> &'static str {
    match kind {
        Kind::Stage => "#3465a4",
        Kind::Barrier => "#75507b",
        Kind::Doorbell => "#c17d11",
        Kind::Fetch => "#06989a",
        Kind::Data => "#4e9a06",
        Kind::Marker => "#2e7d32",
        Kind::Poll => "#5c3566",
        Kind::Ack => "#204a87",
        Kind::Other => "#555753",
        Kind::Wrong => "#cc0000",
        Kind::Folded => "#888a85",
    }
}

pub(super) fn render(timeline: &Timeline) -> String {
    let mut widths = vec![NARROWEST; timeline.lanes.len()];
    for row in &timeline.rows {
        let width = &mut widths[row.lane];
        *width = (*width).max(row.text.chars().count() * LETTER + 24);
    }
    let mut x = LEFT;
    let mut lanes = Vec::with_capacity(widths.len());
    for width in &widths {
        lanes.push(x);
        x += width;
    }
    let shown: Vec<_> = Kind::ALL
        .into_iter()
        .filter(|kind| timeline.rows.iter().any(|row| row.kind == *kind))
        .collect();
    let title = timeline.title.chars().count() * 8 + 24;
    let (width, height) = (
        x.max(title).max(24 + shown.len() * 120),
        TOP + timeline.rows.len() * ROW + 16,
    );
    let bottom = height - 8;
    let document = html! {
        svg xmlns="http://www.w3.org/2000/svg" width=(width) height=(height)
            viewBox={ "0 0 " (width) " " (height) }
            font-family="monospace" font-size="12" {
            title { (timeline.title) }
            defs {
                marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7"
                    markerHeight="7" orient="auto-start-reverse" {
                    path d="M0 0 L8 4 L0 8 z" fill="#555753" {}
                }
            }
            rect width=(width) height=(height) fill="#ffffff" {}
            text x="12" y="20" font-size="14" font-weight="bold" { (timeline.title) }
            @for (at, kind) in shown.iter().enumerate() { (legend(at, *kind)) }
            @for (lane, x) in timeline.lanes.iter().zip(&lanes) {
                text x=(x) y=(TOP - 18) font-weight="bold" { (lane) }
                line x1=(x) y1=(TOP - 12) x2=(x) y2=(bottom) stroke="#d3d7cf" {}
            }
            @for (at, row) in timeline.rows.iter().enumerate() {
                (step(TOP + at * ROW, row, &lanes))
            }
        }
    };
    let mut text = document.into_string();
    text.push('\n');
    text
}

fn legend(at: usize, kind: Kind) -> Markup {
    let x = 16 + at * 120;
    html! {
        circle cx=(x) cy="40" r="4" fill=(colour(kind)) {}
        text x=(x + 9) y="44" { (kind.name()) }
    }
}

fn step(y: usize, row: &Row, lanes: &[usize]) -> Markup {
    let x = lanes[row.lane];
    html! {
        text x=(LEFT - 12) y=(y + 4) text-anchor="end" fill="#888a85" { (row.step) }
        @if let Some(to) = row.to {
            line x1=(x) y1=(y + 8) x2=(lanes[to]) y2=(y + 8) stroke="#555753"
                marker-end="url(#head)" {}
        }
        circle cx=(x) cy=(y) r="4" fill=(colour(row.kind)) {}
        text x=(x + 9) y=(y + 4) fill=(colour(row.kind)) { (row.text) }
    }
}
