//! Any 16 bytes in any view: taken apart, printed, put together again, by every subject.
#![no_main]

use libfuzzer_sys::fuzz_target;
use udma::typed::{RxDesc, TxDesc, TxMetaDesc};
use udma_fuzz::holds;
use udma_oracle::cases::descriptor::{DescCase, Descriptor, VIEWS};
use udma_oracle::cases::names::Names;
use udma_oracle::wire::Desc;

fuzz_target!(|words: [u32; 4]| {
    for (view, _) in VIEWS {
        let case = DescCase {
            view,
            desc: Desc { word: words },
        };
        holds::<Descriptor>(&case);
        holds::<Names>(&case);
    }
    // What parses as a typed value is emitted bit for bit.
    let desc = udma::Desc::from_words(words);
    if let Ok(tx) = TxDesc::parse(&desc) {
        assert_eq!(tx.emit(), desc);
    }
    if let Ok(rx) = RxDesc::parse(&desc) {
        assert_eq!(rx.emit(), desc);
    }
    if let Ok(meta) = TxMetaDesc::parse(&desc) {
        assert_eq!(meta.emit(), desc);
    }
});
