//! Any 16 bytes under a view: taken apart, printed, put together again, by every subject.

use udma::desc::View;
use udma::explain;
use udma::typed::{RxDesc, TxDesc, TxMetaDesc};
use udma_oracle::cases::bits::Bits;
use udma_oracle::cases::descriptor::{DescCase, Descriptor, VIEWS};
use udma_oracle::cases::meta::Meta;
use udma_oracle::cases::names::Names;
use udma_oracle::line::Line;
use udma_oracle::subject::{NamedField, Subject};
use udma_oracle::wire::{BitCase, Desc, Fields, MetaFields};
use udma_reference::{Api, abi};

use super::input::input;
use super::{Judge, assert_only, hash};

input! {
    /// A descriptor.
    struct Input {
        /// Its words.
        word: [u32; 4],
        /// Number of the view.
        view: u8,
    }
}

/// Bytes of an input.
pub const LENGTH: usize = 17;

impl Input {
    /// What `Arbitrary` reads, in a fraction of the time: it goes through a twentieth of an execution
    /// otherwise.
    #[inline]
    fn read(bytes: &[u8]) -> Self {
        let mut all = [0; LENGTH];
        let count = bytes.len().min(LENGTH);
        all[..count].copy_from_slice(&bytes[..count]);
        let (words, _) = all.as_chunks();
        Self {
            word: std::array::from_fn(|at| u32::from_le_bytes(words[at])),
            view: all[LENGTH - 1],
        }
    }
}

/// Printing takes a thousand times as long as the rest: it and what else there is to ask of a
/// descriptor is asked of one input in so many.
pub(super) const PRINTED: u64 = 16_384;

/// Runs the target.
pub fn run<J: Judge>(bytes: &[u8], judge: &mut J) {
    let Input { word, view } = Input::read(bytes);
    let (view, _) = VIEWS[usize::from(view) % VIEWS.len()];
    let case = DescCase {
        view,
        desc: Desc { word },
    };
    judge.hold::<Descriptor>(&case);
    // What parses as a typed value is emitted bit for bit.
    let desc = udma::Desc::from_words(word);
    let emitted = match view {
        abi::UDMA_VIEW_TX => TxDesc::parse(&desc).map(|tx| tx.emit()),
        abi::UDMA_VIEW_RX => RxDesc::parse(&desc).map(|rx| rx.emit()),
        _ => TxMetaDesc::parse(&desc).map(|meta| meta.emit()),
    };
    assert!(
        emitted.is_err() || emitted == Ok(desc),
        "a typed descriptor"
    );
    if hash(bytes).is_multiple_of(PRINTED) {
        judge.hold::<Names>(&case);
        printed(view, &desc);
        judge.hold::<Meta>(&word[1]);
        for op in 0..abi::UDMA_BIT_OPS {
            judge.hold::<Bits>(&BitCase {
                desc: Desc { word },
                op,
                value: 0,
            });
        }
    }
}

/// What is said of a descriptor: one line each, with all that it says.
fn printed(view: u32, desc: &udma::Desc) {
    let view = match view {
        abi::UDMA_VIEW_TX => View::Tx,
        abi::UDMA_VIEW_RX => View::Rx,
        _ => View::TxMeta,
    };
    let mut lines = vec![explain::effect(view, desc)];
    lines.extend(explain::operation(view, desc));
    lines.extend(explain::unusual(view, desc));
    for line in &lines {
        let is_one = !line.trim().is_empty() && !line.contains('\n');
        assert!(is_one, "{line:?} of {desc:?}");
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

/// Runs it as the fuzzer does. The judge's part is compiled in the fuzzer's crate, which has no
/// counters (`fuzz/instrument`): there would be more of them than the subjects have.
#[inline]
pub fn fuzz(bytes: &[u8]) {
    run(bytes, &mut assert_only!(Descriptors, descriptors));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::fuzz::input::{self, Put};

    #[test]
    fn an_input_is_read_as_any_other() {
        let bytes: Vec<u8> = (1..=LENGTH as u8 + 2).collect();
        for length in 0..bytes.len() {
            let bytes = &bytes[..length];
            assert_eq!(Some(Input::read(bytes)), input::read(bytes));
        }
        assert_eq!(Input::read(&[]).bytes().len(), LENGTH);
    }
}
