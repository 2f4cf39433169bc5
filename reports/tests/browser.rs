//! The HTML page in a browser: everything is there, nothing is asked for, nothing overlaps.

mod common;

use std::path::Path;
use std::process::Command;
use std::{env, fs};

use udma_report::html;
use udma_report::model::Report;

/// The document after the browser has read it; none where there is no browser.
fn document(page: &str, width: u32) -> Option<String> {
    let root = tempfile::tempdir().expect("a directory for the test");
    let file = root.path().join("report.html");
    fs::write(&file, page).expect("the page can be written");
    let chromium = env::var_os("CHROMIUM").unwrap_or_else(|| "chromium".into());
    let started = Command::new(&chromium)
        .args([
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--no-first-run",
        ])
        .args([
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
        ])
        .arg(format!(
            "--user-data-dir={}",
            root.path().join("profile").display()
        ))
        .arg(format!("--window-size={width},1600"))
        .args(["--dump-dom", "--virtual-time-budget=2000"])
        .arg(format!("file://{}", file.display()))
        .output();
    match started {
        Ok(output) => {
            assert!(
                output.status.success(),
                "{}",
                String::from_utf8_lossy(&output.stderr)
            );
            Some(String::from_utf8(output.stdout).expect("a document is text"))
        }
        Err(error) => {
            let ci = env::var("CI").is_ok_and(|value| value == "true");
            assert!(
                !ci,
                "{}: {error}; the page must be opened in CI",
                Path::new(&chromium).display()
            );
            println!("skipped: {}: {error}", Path::new(&chromium).display());
            None
        }
    }
}

fn marks(report: &Report) -> Vec<(String, u32)> {
    let mut marks = Vec::new();
    for diff in report
        .findings
        .iter()
        .flat_map(|finding| &finding.descriptors)
    {
        let differing = diff.differing_bits();
        for (index, bits) in differing.into_iter().enumerate() {
            for bit in (0..32).rev().filter(|bit| bits >> bit & 1 == 1) {
                marks.push((diff.word_name(index), bit));
            }
        }
    }
    marks
}

#[test]
fn the_browser_shows_everything() {
    let mut report = common::sample();
    report.findings[0].summary = "<script>document.title = 'taken'</script>".into();
    let Some(dom) = document(&html::render(&report), 1200) else {
        return;
    };
    for rule in &report.rules {
        assert!(
            dom.contains(&format!("id=\"rule-{}\"", rule.id)),
            "{}",
            rule.id
        );
    }
    for (at, finding) in report.findings.iter().enumerate() {
        assert!(
            dom.contains(&format!("id=\"finding-{}\"", at + 1)),
            "{}",
            finding.summary
        );
    }
    let marks = marks(&report);
    assert_eq!(marks.len(), 7);
    assert_eq!(dom.matches(">▲<").count(), marks.len());
    for (word, bit) in marks {
        assert!(
            dom.contains(&format!("data-word=\"{word}\" data-bit=\"{bit}\"")),
            "{word} bit {bit}"
        );
    }
    assert!(dom.contains("<title>UDMA conformance: FAILED: 4 findings in 3 rules</title>"));
    assert!(!dom.contains("<script"), "foreign text became an element");
}

#[test]
fn the_page_asks_nobody_for_anything() {
    let Some(dom) = document(&html::render(&common::sample()), 1200) else {
        return;
    };
    for asking in [
        "src=", "srcset=", "url(", "@import", "<link", "<script", "<img", "<iframe", "<object",
        "<embed",
    ] {
        assert!(!dom.contains(asking), "{asking}");
    }
    for target in dom.split("href=\"").skip(1) {
        assert!(
            target.starts_with('#'),
            "{}",
            &target[..target.len().min(40)]
        );
    }
    assert!(dom.contains("default-src 'none'"));
}

// Measures every box that holds text: none may be wider inside than outside, at the widths people
// read at. Only the `scroll` boxes may, on narrow screens.
#[test]
fn no_text_is_cut_or_covers_its_neighbour() {
    const PROBE: &str = "<script>
        const cut = [];
        const wide = window.innerWidth >= 1200;
        for (const box of document.querySelectorAll('body *')) {
            const inner = box.scrollWidth - box.clientWidth;
            if (box.clientWidth > 0 && inner > 1 && (wide || !box.classList.contains('scroll')))
                cut.push(box.tagName + '.' + box.className + ' by ' + inner + ': ' + box.textContent.slice(0, 40));
        }
        const page = document.documentElement;
        if (page.scrollWidth > page.clientWidth) cut.push('page by ' + (page.scrollWidth - page.clientWidth));
        const rows = [...document.querySelectorAll('.grid')];
        for (const row of rows) {
            const boxes = [...row.children].map(child => child.getBoundingClientRect());
            for (let at = 1; at < boxes.length; at++)
                if (boxes[at].top < boxes[at - 1].bottom - 1 && boxes[at].left < boxes[at - 1].right - 1
                    && boxes[at].right > boxes[at - 1].left + 1)
                    cut.push('overlap ' + row.children[at].textContent);
        }
        document.title = 'measured ' + rows.length + ' [' + cut.join(' | ') + ']';
    </script>";
    let mut report = common::sample();
    let long = "f".repeat(400);
    report.findings[0].input = long.clone().into();
    report.findings[0].actual = vec![long.clone()];
    report.rules[0].statement = long.clone();
    report.findings[1].summary = long;
    let page = html::render(&report);
    let policy = page
        .find("<meta http-equiv")
        .expect("the page has a policy");
    let end = policy + page[policy..].find('>').expect("a tag ends") + 1;
    let measured =
        page[..policy].to_owned() + &page[end..].replace("</body>", &format!("{PROBE}</body>"));
    for width in [800, 1200, 1920] {
        let Some(dom) = document(&measured, width) else {
            return;
        };
        let title = dom
            .split("<title>")
            .nth(1)
            .and_then(|rest| rest.split("</title>").next())
            .unwrap_or_default();
        assert_eq!(title, "measured 16 []", "at {width} px");
    }
}
