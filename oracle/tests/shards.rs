//! A run in parts: each case is tried in exactly one, and the parts join to the report of the whole.

use std::path::Path;

use udma_oracle::catalogue::Catalogue;
use udma_oracle::line::Line;
use udma_oracle::run::{Quiet, run};
use udma_oracle::session::{Options, Session, Shard};
use udma_oracle::subject::ops::Ops;
use udma_oracle::subject::{Engine, EngineCfg, Subject, Tape};
use udma_oracle::subjects::{Rust, built_in};
use udma_oracle::wire::{BitCase, Desc, Fields, MetaFields, PairIn, PairOut};
use udma_report::merge::{self, merge};
use udma_report::model::Report;

/// Suites of every way in which cases are made: vectors, sweeps, scripts, runs, a search.
const SUITES: [&str; 9] = [
    "descriptor",
    "meta",
    "builder",
    "ring",
    "bar0",
    "iofic",
    "batch",
    "vring",
    "states",
];

/// Wrong now and then, in a way that follows from the case alone.
struct Faulty(Rust);

impl Subject for Faulty {
    fn name(&self) -> &'static str {
        "faulty"
    }

    fn line(&self) -> Line {
        self.0.line()
    }

    fn decode(&self, descs: &[Desc], fields: &mut [Fields]) -> Option<()> {
        self.0.decode(descs, fields)?;
        for (desc, fields) in descs.iter().zip(fields) {
            if desc.word[3] % 97 == 5 {
                fields.length ^= 2;
            }
        }
        Some(())
    }

    fn encode(&self, fields: &[Fields], descs: &mut [Desc]) -> Option<()> {
        self.0.encode(fields, descs)
    }

    fn meta_decode(&self, word: u32) -> Option<MetaFields> {
        self.0
            .meta_decode(if word % 89 == 7 { word ^ 1 << 26 } else { word })
    }

    fn meta_encode(&self, fields: &MetaFields) -> Option<u32> {
        self.0.meta_encode(fields)
    }

    fn bits(&self, cases: &mut [BitCase]) -> Option<()> {
        self.0.bits(cases)
    }

    fn build_pairs(&self, cases: &[PairIn], out: &mut [PairOut]) -> Option<()> {
        self.0.build_pairs(cases, out)?;
        for (case, out) in cases.iter().zip(out) {
            if case.src % 1009 == 17 && out.ret == 0 {
                out.tx.word[0] ^= 1 << 28;
            }
            if case.dst % 2003 == 400 && out.ret == 0 {
                out.rx.word[1] ^= 4;
            }
        }
        Some(())
    }

    fn open(&self, cfg: &EngineCfg, tape: &Tape) -> Option<Box<dyn Engine>> {
        self.0.open(cfg, tape)
    }

    fn ops(&self) -> Option<&dyn Ops> {
        self.0.ops()
    }
}

fn part(shard: Option<Shard>) -> (Report, Vec<[u64; 2]>) {
    let mut subjects: Vec<Box<dyn Subject>> = ["rust-kernel", "c-hal"]
        .iter()
        .map(|name| built_in(name).expect("built in"))
        .collect();
    subjects.push(Box::new(Faulty(Rust::new(Line::Kernel))));
    let catalogue = Catalogue::load();
    let options = Options {
        cases: 600,
        corpora: Some(Path::new(env!("CARGO_MANIFEST_DIR")).join("../corpora")),
        ..Options::default()
    };
    let selected = catalogue.select(
        &[
            "DESC-*", "META-*", "BITS-*", "BLDR-1", "BLDR-2", "BLDR-3", "BLDR-4", "RING-*",
            "BAR0-*", "IOFC-*", "BTCH-*", "VRNG-*", "XFER-*",
        ]
        .map(String::from),
    );
    let mut session = Session::new(&catalogue, &subjects, selected.expect("rules"), options);
    if let Some(shard) = shard {
        session.take_part(shard);
    }
    let suites = SUITES.map(String::from);
    let report = run(&mut session, &suites, &mut Quiet, false).expect("a run");
    (report, session.order().to_vec())
}

#[test]
fn parts_join_to_the_whole() {
    let (whole, order) = part(None);
    assert_eq!(order.len(), whole.findings.len());
    assert!(order.is_sorted(), "{order:?}");
    assert!(whole.findings.len() >= 4, "{:#?}", whole.findings);
    let of = 3;
    let shards: Vec<merge::Shard> = (1..=of)
        .map(|index| {
            let (report, order) = part(Some(Shard { index, of }));
            merge::Shard {
                format: merge::FORMAT.into(),
                index,
                of,
                order,
                report,
            }
        })
        .collect();
    let tried = |report: &Report| -> u64 {
        let results = report.rules.iter().flat_map(|rule| &rule.results);
        results.map(|result| result.cases).sum()
    };
    for shard in &shards {
        let (part, all) = (tried(&shard.report), tried(&whole));
        assert!(
            part > 0 && part < all,
            "part {}: {part} of {all}",
            shard.index
        );
    }
    let joined = merge(shards).expect("parts of one run");
    for (joined, whole) in joined.rules.iter().zip(&whole.rules) {
        assert_eq!(joined, whole);
    }
    assert_eq!(joined, whole);
}
