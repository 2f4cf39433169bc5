//! Report files that are whole at every moment.

use std::fmt;
use std::fs;
use std::io::{self, Write as _};
use std::path::{Path, PathBuf};
use std::str::FromStr;

use crate::model::Report;
use crate::terminal::Terminal;
use crate::{html, json, junit};

/// A form in which a report is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum Format {
    /// `report.json`.
    Json,
    /// `junit.xml`.
    Junit,
    /// `report.html`.
    Html,
    /// `report.txt`, always without colour.
    Terminal,
}

/// A name that is no format.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("unknown report format {0:?}; one of json, junit, html, terminal is allowed")]
pub struct UnknownFormat(
    /// The name given.
    pub String,
);

impl Format {
    /// Every format.
    pub const ALL: [Format; 4] = [Format::Json, Format::Junit, Format::Html, Format::Terminal];

    /// Name, as [`FromStr`] takes it.
    pub fn name(self) -> &'static str {
        match self {
            Format::Json => "json",
            Format::Junit => "junit",
            Format::Html => "html",
            Format::Terminal => "terminal",
        }
    }

    /// Name of the file in the report directory.
    pub fn file_name(self) -> &'static str {
        match self {
            Format::Json => "report.json",
            Format::Junit => "junit.xml",
            Format::Html => "report.html",
            Format::Terminal => "report.txt",
        }
    }

    /// The report in this format; the terminal form is plain.
    pub fn render(self, report: &Report) -> String {
        match self {
            Format::Json => json::render(report),
            Format::Junit => junit::render(report),
            Format::Html => html::render(report),
            Format::Terminal => Terminal::default().render(report),
        }
    }
}

impl fmt::Display for Format {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str(self.name())
    }
}

impl FromStr for Format {
    type Err = UnknownFormat;

    fn from_str(name: &str) -> Result<Self, UnknownFormat> {
        Format::ALL
            .into_iter()
            .find(|format| format.name() == name)
            .ok_or_else(|| UnknownFormat(name.to_owned()))
    }
}

/// Why a report could not be written.
#[derive(Debug, thiserror::Error)]
#[error("{}: cannot {step}: {source}", path.display())]
pub struct WriteError {
    /// The directory or file.
    pub path: PathBuf,
    /// What was being done, `create the report directory`.
    pub step: &'static str,
    /// The cause.
    pub source: io::Error,
}

/// Writes a report in the chosen formats into a directory, each file replaced as a whole.
///
/// [`write`](ReportWriter::write) may be called as often as there is news. Whenever the process or
/// the machine stops, each file holds either the report before or the report after.
#[derive(Clone, Debug)]
pub struct ReportWriter {
    directory: PathBuf,
    formats: Vec<Format>,
}

impl ReportWriter {
    /// A writer into `directory`, which is created with its parents. A format given twice is
    /// written once.
    ///
    /// # Errors
    ///
    /// [`WriteError`] when the directory cannot be created.
    pub fn new(
        directory: impl Into<PathBuf>,
        formats: impl IntoIterator<Item = Format>,
    ) -> Result<Self, WriteError> {
        let directory = directory.into();
        let mut formats: Vec<Format> = formats.into_iter().collect();
        formats.sort_unstable();
        formats.dedup();
        fs::create_dir_all(&directory)
            .map_err(failing(&directory, "create the report directory"))?;
        Ok(ReportWriter { directory, formats })
    }

    /// Files that [`write`](ReportWriter::write) replaces.
    pub fn paths(&self) -> impl Iterator<Item = PathBuf> {
        self.formats
            .iter()
            .map(|format| self.directory.join(format.file_name()))
    }

    /// Writes every chosen format.
    ///
    /// Each file is written beside its place, flushed to the device and then renamed over it. A
    /// process killed in between may leave a file `.<name>.<random>.tmp` beside the whole one.
    ///
    /// # Errors
    ///
    /// [`WriteError`] of the first file that cannot be written; it is left as it was.
    pub fn write(&self, report: &Report) -> Result<(), WriteError> {
        for format in &self.formats {
            replace(
                &self.directory,
                &self.directory.join(format.file_name()),
                format.render(report).as_bytes(),
            )?;
        }
        sync_directory(&self.directory)
    }
}

/// Writes one file as a [`ReportWriter`] writes each of its own: whatever stops the process, it
/// holds either what it held before or all of `bytes`. Its directory must be there.
///
/// # Errors
///
/// [`WriteError`]; the file is left as it was.
pub fn write_file(path: &Path, bytes: &[u8]) -> Result<(), WriteError> {
    let directory = match path.parent() {
        Some(parent) if parent != Path::new("") => parent,
        _ => Path::new("."),
    };
    replace(directory, path, bytes)?;
    sync_directory(directory)
}

fn failing(path: &Path, step: &'static str) -> impl FnOnce(io::Error) -> WriteError {
    move |source| WriteError {
        path: path.to_owned(),
        step,
        source,
    }
}

fn replace(directory: &Path, path: &Path, bytes: &[u8]) -> Result<(), WriteError> {
    let name = path.file_name().unwrap_or_default();
    let prefix = format!(".{}.", name.to_string_lossy());
    let mut builder = tempfile::Builder::new();
    builder.prefix(&prefix).suffix(".tmp");
    // Readable as any other file the user makes, less the umask; the default is the owner alone.
    #[cfg(unix)]
    builder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o666));
    let mut file = builder
        .tempfile_in(directory)
        .map_err(failing(path, "create a file beside it"))?;
    file.write_all(bytes)
        .map_err(failing(path, "write the report"))?;
    file.as_file()
        .sync_all()
        .map_err(failing(path, "flush the report to the device"))?;
    file.persist(path)
        .map_err(|error| failing(path, "put the report in place")(error.error))?;
    Ok(())
}

// A rename lasts once the directory is flushed; where directories cannot be opened it is as good as
// the system makes it.
#[cfg(unix)]
fn sync_directory(directory: &Path) -> Result<(), WriteError> {
    fs::File::open(directory)
        .and_then(|opened| opened.sync_all())
        .map_err(failing(directory, "flush the report directory"))
}

#[cfg(not(unix))]
fn sync_directory(_: &Path) -> Result<(), WriteError> {
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::common;

    #[test]
    fn formats_have_names() {
        for format in Format::ALL {
            assert_eq!(format.to_string().parse(), Ok(format));
        }
        assert_eq!(
            "yaml".parse::<Format>().unwrap_err().to_string(),
            "unknown report format \"yaml\"; one of json, junit, html, terminal is allowed"
        );
    }

    #[test]
    fn writes_and_replaces_every_format() {
        let root = tempfile::tempdir().unwrap();
        let directory = root.path().join("deep/reports");
        let writer =
            ReportWriter::new(&directory, Format::ALL.into_iter().chain([Format::Json])).unwrap();
        let mut report = common::sample();
        report.complete = false;
        writer.write(&report).unwrap();
        report.complete = true;
        writer.write(&report).unwrap();
        assert_eq!(json::read(&directory.join("report.json")).unwrap(), report);
        for (path, format) in writer.paths().zip(Format::ALL) {
            assert_eq!(fs::read_to_string(path).unwrap(), format.render(&report));
        }
        assert_eq!(
            fs::read_dir(&directory).unwrap().count(),
            4,
            "nothing is left beside the files"
        );
    }

    #[cfg(unix)]
    #[test]
    fn files_are_readable_as_the_umask_has_it() {
        use std::os::unix::fs::PermissionsExt as _;
        let root = tempfile::tempdir().unwrap();
        ReportWriter::new(root.path(), [Format::Json])
            .unwrap()
            .write(&common::held())
            .unwrap();
        fs::write(root.path().join("plain"), "").unwrap();
        let mode = |name: &str| {
            fs::metadata(root.path().join(name))
                .unwrap()
                .permissions()
                .mode()
        };
        assert_eq!(mode("report.json"), mode("plain"));
    }

    #[test]
    fn errors_name_path_and_cause() {
        let root = tempfile::tempdir().unwrap();
        let file = root.path().join("file");
        fs::write(&file, "").unwrap();
        let error = ReportWriter::new(file.join("reports"), [Format::Json])
            .unwrap_err()
            .to_string();
        assert!(
            error.contains("file/reports: cannot create the report directory: "),
            "{error}"
        );
        let writer = ReportWriter::new(root.path().join("reports"), [Format::Json]).unwrap();
        fs::create_dir(root.path().join("reports/report.json")).unwrap();
        let error = writer.write(&common::held()).unwrap_err().to_string();
        assert!(
            error.contains("report.json: cannot put the report in place: "),
            "{error}"
        );
    }
}
