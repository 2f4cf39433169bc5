//! A run as a timeline: one step a row, one actor a lane; as text and as SVG. Equal timelines give
//! equal bytes.

mod fold;
mod svg;
mod text;

/// What a step is; decides its colour, and which steps are folded into one.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Kind {
    /// Descriptors or words are written.
    Stage,
    /// A full memory barrier.
    Barrier,
    /// A doorbell.
    Doorbell,
    /// A descriptor is read by the engine.
    Fetch,
    /// Data become visible.
    Data,
    /// A marker becomes visible.
    Marker,
    /// The driver looks for a marker.
    Poll,
    /// Slots are given back.
    Ack,
    /// Anything else that happens.
    Other,
    /// What must not happen.
    Wrong,
    /// Steps that are not shown.
    Folded,
}

impl Kind {
    /// Every kind.
    pub const ALL: [Self; 11] = [
        Self::Stage,
        Self::Barrier,
        Self::Doorbell,
        Self::Fetch,
        Self::Data,
        Self::Marker,
        Self::Poll,
        Self::Ack,
        Self::Other,
        Self::Wrong,
        Self::Folded,
    ];

    /// Name in a legend and in counts.
    pub const fn name(self) -> &'static str {
        match self {
            Self::Stage => "staged",
            Self::Barrier => "barrier",
            Self::Doorbell => "doorbell",
            Self::Fetch => "fetch",
            Self::Data => "data visible",
            Self::Marker => "marker visible",
            Self::Poll => "poll",
            Self::Ack => "ack",
            Self::Other => "other",
            Self::Wrong => "wrong",
            Self::Folded => "not shown",
        }
    }
}

/// One step.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Row {
    /// Number of the step, from 1.
    pub step: u64,
    /// Index of the lane whose actor does it.
    pub lane: usize,
    /// Index of the lane that it is done to, if that is another.
    pub to: Option<usize>,
    /// What it is.
    pub kind: Kind,
    /// What happens, in a line.
    pub text: String,
}

/// A run.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Timeline {
    /// What ran.
    pub title: String,
    /// Names of the lanes, left to right.
    pub lanes: Vec<String>,
    /// Steps in order.
    pub rows: Vec<Row>,
}

impl Timeline {
    /// An empty one.
    pub fn new(title: impl Into<String>, lanes: &[&str]) -> Self {
        Self {
            title: title.into(),
            lanes: lanes.iter().map(ToString::to_string).collect(),
            rows: Vec::new(),
        }
    }

    /// Adds a step in a lane.
    pub fn push(&mut self, lane: usize, kind: Kind, text: impl Into<String>) {
        self.add(lane, None, kind, text.into());
    }

    /// Adds a step that goes from a lane to another.
    pub fn send(&mut self, lane: usize, to: usize, kind: Kind, text: impl Into<String>) {
        self.add(lane, Some(to), kind, text.into());
    }

    fn add(&mut self, lane: usize, to: Option<usize>, kind: Kind, text: String) {
        let step = self.rows.last().map_or(0, |row| row.step) + 1;
        self.rows.push(Row {
            step,
            lane,
            to,
            kind,
            text,
        });
    }

    /// The same run in at most `most` rows, which is at least 3: first, steps of one kind in one
    /// lane after each other become their ends and a row that counts the others; if that is not
    /// enough, the middle of the run becomes one row with the counts of each kind.
    #[must_use]
    pub fn folded(&self, most: usize) -> Self {
        Self {
            rows: fold::fold(&self.rows, most),
            ..self.clone()
        }
    }

    /// As text: a column a lane.
    pub fn text(&self) -> String {
        text::render(self)
    }

    /// As an SVG document.
    pub fn svg(&self) -> String {
        svg::render(self)
    }
}
