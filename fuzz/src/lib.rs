//! What the fuzz targets share: the oracle's own properties, asserted.

use std::sync::OnceLock;

use udma_oracle::family::Family;
use udma_oracle::subject::Subject;
use udma_oracle::subjects::{BUILT_IN, built_in};

/// Every built-in subject.
pub fn subjects() -> &'static [Box<dyn Subject>] {
    static SUBJECTS: OnceLock<Vec<Box<dyn Subject>>> = OnceLock::new();
    SUBJECTS.get_or_init(|| BUILT_IN.iter().filter_map(|name| built_in(name)).collect())
}

/// Holds every subject that offers the operation against what the rules require of its line.
///
/// # Panics
/// On a wrong answer, with the rules it breaks and both answers.
pub fn holds<F: Family>(case: &F::Case) {
    for subject in subjects() {
        let line = subject.line();
        let (Some(want), Some(got)) = (F::required(line, case), F::ask(subject.as_ref(), case))
        else {
            continue;
        };
        assert!(
            want == got,
            "{}: {:?}\ncase {}\nrequired {:#?}\ngot {:#?}",
            subject.name(),
            F::broken(line, case, &want, &got),
            F::to_json(case),
            F::show(case, &want),
            F::show(case, &got),
        );
    }
}
