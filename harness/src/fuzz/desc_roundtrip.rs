//! Any 16 bytes in any view: taken apart, printed, put together again, by every subject.

use udma::typed::{RxDesc, TxDesc, TxMetaDesc};
use udma_oracle::cases::bits::Bits;
use udma_oracle::cases::descriptor::{DescCase, Descriptor, VIEWS};
use udma_oracle::cases::meta::Meta;
use udma_oracle::cases::names::Names;
use udma_oracle::generate::mix;
use udma_oracle::line::Line;
use udma_oracle::subject::{NamedField, Subject};
use udma_oracle::wire::{BitCase, Desc, Fields, MetaFields};
use udma_reference::{Api, abi};

use super::{Judge, assert_only, input};

/// Printing takes a thousand times as long as the rest: it and what else there is to ask of a
/// descriptor is asked of one input in so many.
const PRINTED: u64 = 4096;

/// Runs the target.
pub fn run<J: Judge>(bytes: &[u8], judge: &mut J) {
    let Some(word) = input::read::<[u32; 4]>(bytes) else {
        return;
    };
    let halves = [[word[0], word[1]], [word[2], word[3]]];
    let halves = halves.map(|[low, high]| u64::from(high) << 32 | u64::from(low));
    let printed = mix(halves[0], halves[1]);
    for (view, _) in VIEWS {
        let case = DescCase {
            view,
            desc: Desc { word },
        };
        judge.hold::<Descriptor>(&case);
        if printed.is_multiple_of(PRINTED) {
            judge.hold::<Names>(&case);
        }
    }
    if printed.is_multiple_of(PRINTED) {
        judge.hold::<Meta>(&word[1]);
        for op in 0..abi::UDMA_BIT_OPS {
            judge.hold::<Bits>(&BitCase {
                desc: Desc { word },
                op,
                value: 0,
            });
        }
    }
    // What parses as a typed value is emitted bit for bit.
    let desc = udma::Desc::from_words(word);
    if let Ok(tx) = TxDesc::parse(&desc) {
        assert_eq!(tx.emit(), desc, "TxDesc");
    }
    if let Ok(rx) = RxDesc::parse(&desc) {
        assert_eq!(rx.emit(), desc, "RxDesc");
    }
    if let Ok(meta) = TxMetaDesc::parse(&desc) {
        assert_eq!(meta.emit(), desc, "TxMetaDesc");
    }
}

/// A subject of which nothing but descriptors can be asked.
struct Descriptors<S>(S);

impl<S: Subject> Subject for Descriptors<S> {
    fn name(&self) -> &str {
        self.0.name()
    }

    fn line(&self) -> Line {
        self.0.line()
    }

    fn decode(&self, descs: &[Desc], fields: &mut [Fields]) -> Option<()> {
        self.0.decode(descs, fields)
    }

    fn encode(&self, fields: &[Fields], descs: &mut [Desc]) -> Option<()> {
        self.0.encode(fields, descs)
    }

    fn meta_decode(&self, word: u32) -> Option<MetaFields> {
        self.0.meta_decode(word)
    }

    fn meta_encode(&self, fields: &MetaFields) -> Option<u32> {
        self.0.meta_encode(fields)
    }

    fn bits(&self, cases: &mut [BitCase]) -> Option<()> {
        self.0.bits(cases)
    }

    fn explain(&self, view: u32, desc: &Desc) -> Option<Vec<NamedField>> {
        self.0.explain(view, desc)
    }
}

const fn descriptors(api: &Api) -> Api {
    Api {
        decode: api.decode,
        encode: api.encode,
        meta_decode: api.meta_decode,
        meta_encode: api.meta_encode,
        bits: api.bits,
        ..Api::NONE
    }
}

/// Runs it as the fuzzer does.
pub fn fuzz(bytes: &[u8]) {
    run(bytes, &mut assert_only!(Descriptors, descriptors));
}
