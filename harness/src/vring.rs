//! `udma vring`: a program authored from a script, as a table and as the bytes of its rings; ring
//! bytes read back; two rings held against each other.

mod author;
mod files;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, Subcommand, ValueEnum};
use udma::Desc;
use udma::io::Side;
use udma::vring::rows::{Difference, HEADING, Row, diff};

use crate::cli::print;
use crate::failure::{FINDINGS, Failure};
use files::{name, ring};

pub(crate) use files::write_all;

/// What `udma vring` does.
#[derive(Subcommand, Debug)]
pub enum VringCommand {
    /// Author a program from a script of operations; print it as a table, or write its rings.
    #[command(after_help = AUTHOR_EXAMPLES)]
    Author(AuthorArgs),
    /// Print the bytes of a ring as a table.
    Read(ReadArgs),
    /// Compare two rings descriptor by descriptor; exit 1 where they differ.
    Diff(DiffArgs),
}

const AUTHOR_EXAMPLES: &str = "A script is {\"arch\": \"v3\", \"script\": [operations]}, the operations as in
corpora/worked/README.md:
  {\"op\": \"transfer\", \"src\": \"0x1000\", \"dst\": \"0x2000\", \"size\": 200000, \"ordered\": true}

Examples:
  udma vring author program.json
  udma vring author program.json --pack 1048576 --tx tx.ring --rx rx.ring --padded 64
  udma vring diff --half tx tx.ring other.ring";

/// A half by name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Half {
    /// Memory to stream.
    Tx,
    /// Stream to memory.
    Rx,
}

impl Half {
    const fn side(self) -> Side {
        match self {
            Self::Tx => Side::Tx,
            Self::Rx => Side::Rx,
        }
    }
}

/// A number, decimal or `0x…`.
fn number(text: &str) -> Result<u64, String> {
    let parsed = match text.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16),
        None => text.parse(),
    };
    parsed.map_err(|_| format!("{text:?} is no number of up to 64 bits, decimal or 0x…"))
}

/// Options of `udma vring author`.
#[derive(Args, Clone, Debug)]
pub struct AuthorArgs {
    /// The script; `-` reads it from standard input.
    #[arg(value_name = "FILE")]
    pub script: PathBuf,
    /// Whose virtual rings: rust-hal or c-hal.
    #[arg(long, value_name = "NAME", default_value = "rust-hal")]
    pub subject: String,
    /// Pack the whole program into packets of at most so many bytes.
    #[arg(long, value_name = "BYTES", value_parser = number)]
    pub pack: Option<u64>,
    /// Write the bytes of the TX ring here.
    #[arg(long, value_name = "FILE")]
    pub tx: Option<PathBuf>,
    /// Write the bytes of the RX ring here.
    #[arg(long, value_name = "FILE")]
    pub rx: Option<PathBuf>,
    /// Fill the rings up to so many descriptors with no-ops. Without it: as many as there are.
    #[arg(long, value_name = "COUNT")]
    pub padded: Option<u32>,
    /// Address that the no-ops copy from and to.
    #[arg(long, value_name = "ADDRESS", default_value = "0", value_parser = number)]
    pub scratch: u64,
}

/// Options of `udma vring read`.
#[derive(Args, Clone, Debug)]
pub struct ReadArgs {
    /// The bytes of a ring; `-` reads them from standard input.
    #[arg(value_name = "FILE")]
    pub ring: PathBuf,
    /// Which half it is.
    #[arg(long, value_enum)]
    pub half: Half,
}

/// Options of `udma vring diff`.
#[derive(Args, Clone, Debug)]
pub struct DiffArgs {
    /// The one ring.
    #[arg(value_name = "LEFT")]
    pub left: PathBuf,
    /// The other.
    #[arg(value_name = "RIGHT")]
    pub right: PathBuf,
    /// Which half they are.
    #[arg(long, value_enum)]
    pub half: Half,
}

/// Carries out the command.
///
/// # Errors
/// Bad input, a step that is refused, a file that cannot be written.
pub fn run(command: &VringCommand) -> Result<ExitCode, Failure> {
    match command {
        VringCommand::Author(args) => author::run(args),
        VringCommand::Read(args) => {
            let descs = ring(&args.ring)?;
            print(&table(&[(args.half.side(), descs)]))?;
            Ok(ExitCode::SUCCESS)
        }
        VringCommand::Diff(args) => compare(args),
    }
}

fn table(halves: &[(Side, Vec<Desc>)]) -> String {
    let mut text = format!("{HEADING}\n");
    for (side, descs) in halves {
        for (index, desc) in (0..).zip(descs) {
            let row = Row {
                side: *side,
                index,
                desc: *desc,
            };
            text += &format!("{row}\n");
        }
    }
    text
}

fn compare(args: &DiffArgs) -> Result<ExitCode, Failure> {
    let (left, right) = (ring(&args.left)?, ring(&args.right)?);
    let mut text = String::new();
    let mut count = 0;
    for difference in diff(args.half.side(), &left, &right) {
        count += 1;
        text += &describe(&difference, args);
    }
    if count == 0 {
        text = format!("equal: {} descriptors\n", left.len());
    } else {
        text += &format!("{count} descriptors differ\n");
    }
    print(&text)?;
    Ok(ExitCode::from(if count == 0 { 0 } else { FINDINGS }))
}

fn describe(difference: &Difference, args: &DiffArgs) -> String {
    let Difference {
        side,
        index,
        left,
        right,
    } = *difference;
    let half = if side == Side::Tx { "tx" } else { "rx" };
    let ends = |file: &Path| format!("{half} {index}: {} ends before\n", name(file));
    match (left, right) {
        (None, _) => return ends(&args.left),
        (_, None) => return ends(&args.right),
        _ => {}
    }
    let fields = difference.fields();
    let line = |field: &udma::vring::rows::FieldDifference| {
        format!(
            "{half} {index}: {} {}: {:#x}, {:#x}\n",
            field.word.name(),
            field.name,
            field.left,
            field.right
        )
    };
    fields.iter().map(line).collect()
}
