//! `udma vring`: a program authored from a script, as a table and as the bytes of its rings; ring
//! bytes read back; two rings held against each other.

use std::io::{Read as _, Write as _};
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Args, Subcommand, ValueEnum};
use serde_json::Value;
use udma::Desc;
use udma::io::Side;
use udma::vring::rows::{Difference, HEADING, Row, diff};
use udma_oracle::cases::vring::{Vring, code_name, image_of};
use udma_oracle::family::Family as _;
use udma_oracle::line::Line;
use udma_oracle::subject::vring::{Dump, Machine, Op};
use udma_oracle::wire::{self, Ring};

use crate::check::subjects;
use crate::cli::print;
use crate::failure::{FINDINGS, Failure};
use crate::remote::Settings;

/// Bytes of a descriptor.
const SLOT: usize = 16;

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
        VringCommand::Author(args) => author(args),
        VringCommand::Read(args) => {
            let descs = ring(&args.ring)?;
            print(&table(&[(args.half.side(), descs)]))?;
            Ok(ExitCode::SUCCESS)
        }
        VringCommand::Diff(args) => compare(args),
    }
}

fn name(file: &Path) -> String {
    if file == Path::new("-") {
        "standard input".into()
    } else {
        file.display().to_string()
    }
}

fn bytes(file: &Path) -> Result<Vec<u8>, Failure> {
    let failed = |source| Failure::File {
        file: name(file).into(),
        source,
    };
    if file != Path::new("-") {
        return std::fs::read(file).map_err(failed);
    }
    let mut bytes = Vec::new();
    std::io::stdin().read_to_end(&mut bytes).map_err(failed)?;
    Ok(bytes)
}

/// The descriptors of a ring's bytes.
fn ring(file: &Path) -> Result<Vec<Desc>, Failure> {
    let bytes = bytes(file)?;
    let left = bytes.len() % SLOT;
    if left != 0 {
        return Err(Failure::Input(format!(
            "{}: {} bytes: a descriptor has {SLOT}, and the one at byte {} has {left}",
            name(file),
            bytes.len(),
            bytes.len() - left
        )));
    }
    if bytes.is_empty() {
        return Err(Failure::Input(format!(
            "{}: holds no descriptor",
            name(file)
        )));
    }
    let chunk = |chunk: &[u8]| chunk.try_into().map(Desc::from_bytes).ok();
    Ok(bytes.chunks_exact(SLOT).filter_map(chunk).collect())
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

fn author(args: &AuthorArgs) -> Result<ExitCode, Failure> {
    let source = name(&args.script);
    let text = bytes(&args.script)?;
    let value: Value = serde_json::from_slice(&text).map_err(|error| {
        Failure::Input(format!(
            "{source}:{}:{}: {error}",
            error.line(),
            error.column()
        ))
    })?;
    let script =
        Vring::from_json(&value).map_err(|reason| Failure::Input(format!("{source}: {reason}")))?;
    let subjects = subjects(std::slice::from_ref(&args.subject), &Settings::default())?;
    let hal = subjects[0].line() == Line::Hal;
    let vrings = subjects[0].vrings().filter(|_| hal);
    let machine = vrings.and_then(|vrings| vrings.machine(script.arch));
    let mut machine = machine.ok_or_else(|| {
        Failure::Input(format!(
            "subject {:?} has no virtual rings: rust-hal or c-hal",
            args.subject
        ))
    })?;
    let machine = machine.as_mut();
    for (step, op) in script.ops.iter().enumerate() {
        carry_out(machine, op)
            .map_err(|why| Failure::Input(format!("{source}: step {step}: {} {why}", op.name())))?;
    }
    let mut notes = String::new();
    if let Some(max_bytes) = args.pack {
        notes = pack(machine, max_bytes)?;
    }
    let halves = if args.tx.is_some() || args.rx.is_some() {
        Vec::new()
    } else {
        Ring::BOTH
            .map(|ring| (side(ring), half(machine, ring)))
            .to_vec()
    };
    let mut files = Vec::new();
    for (ring, file) in [(Ring::Tx, &args.tx), (Ring::Rx, &args.rx)] {
        if let Some(file) = file {
            let image = dump(machine, ring, args)
                .map_err(|why| Failure::Input(format!("{}: {why}", file.display())))?;
            let count = image.len() / SLOT;
            notes += &format!(
                "{}: {count} descriptors of {}\n",
                file.display(),
                ring.name()
            );
            files.push((file.clone(), image));
        }
    }
    write_all(&files)?;
    let rows = if files.is_empty() {
        table(&halves)
    } else {
        String::new()
    };
    print(&format!("{rows}{notes}"))?;
    Ok(ExitCode::SUCCESS)
}

const fn side(ring: Ring) -> Side {
    match ring {
        Ring::Tx => Side::Tx,
        Ring::Rx => Side::Rx,
    }
}

/// Runs one step of a program: all of them have to succeed.
fn carry_out(machine: &mut dyn Machine, op: &Op) -> Result<(), String> {
    match machine.step(op) {
        None => Err("is not offered".into()),
        Some(outcome) if outcome.code != 0 => Err(format!(
            "is refused: {} {}",
            code_name(outcome.code),
            outcome.value
        )),
        Some(_) => Ok(()),
    }
}

fn used(machine: &dyn Machine, ring: Ring) -> u32 {
    machine
        .header()
        .map_or(0, |header| header.halves[ring as usize].used)
}

fn half(machine: &dyn Machine, ring: Ring) -> Vec<Desc> {
    let mut descs = vec![wire::Desc::default(); used(machine, ring) as usize];
    machine.read(ring, 0, &mut descs);
    descs
        .iter()
        .map(|desc| Desc::from_words(desc.word))
        .collect()
}

fn pack(machine: &mut dyn Machine, max_bytes: u64) -> Result<String, Failure> {
    let all = Op::Pack {
        start: 0,
        end: used(machine, Ring::Tx),
        max_bytes,
    };
    let packed = machine.step(&all).filter(|packed| packed.code == 0);
    let packed = packed.ok_or_else(|| Failure::Input(format!("--pack {max_bytes} is refused")))?;
    let mut note = format!("packed: {:+} packets\n", packed.value);
    if packed.over_rx > 0 {
        note += &format!(
            "{} packets hold more RX descriptors than the architecture takes\n",
            packed.over_rx
        );
    }
    Ok(note)
}

/// The bytes of a half's ring.
fn dump(machine: &mut dyn Machine, ring: Ring, args: &AuthorArgs) -> Result<Vec<u8>, String> {
    let filled = used(machine, ring);
    let padded = args.padded.unwrap_or(filled);
    if padded < filled {
        return Err(format!(
            "--padded {padded}: the half holds {filled} descriptors"
        ));
    }
    if u64::from(padded) > udma_oracle::law::vring::CAP {
        let most = udma_oracle::law::vring::CAP;
        return Err(format!("--padded {padded}: a queue holds at most {most}"));
    }
    carry_out(
        machine,
        &Op::Pring {
            half: ring,
            descriptors: padded,
            wrap: false,
            offset: 0,
        },
    )?;
    let dump = Dump {
        padded: args.padded,
        scratch: args.scratch,
        free: false,
    };
    let op = Op::Dump {
        half: ring,
        pring: ring,
        dump,
    };
    carry_out(machine, &op)?;
    let mut slots = vec![wire::Desc::default(); padded as usize];
    machine.read_pring(ring, 0, &mut slots);
    Ok(image_of(&slots))
}

/// Writes all files or none: each beside its place first.
pub(crate) fn write_all(files: &[(PathBuf, Vec<u8>)]) -> Result<(), Failure> {
    let mut partial: Vec<(PathBuf, &Path)> = Vec::new();
    let result = files.iter().try_for_each(|(file, bytes)| {
        let mut beside = file.clone().into_os_string();
        beside.push(format!(".{}.partial", std::process::id()));
        let beside = PathBuf::from(beside);
        partial.push((beside.clone(), file));
        let written = std::fs::File::create(&beside)
            .and_then(|mut out| out.write_all(bytes).and_then(|()| out.sync_all()));
        written.map_err(|source| Failure::File {
            file: file.clone(),
            source,
        })
    });
    let result = result.and_then(|()| {
        partial.iter().try_for_each(|(beside, file)| {
            std::fs::rename(beside, file).map_err(|source| Failure::File {
                file: file.to_path_buf(),
                source,
            })
        })
    });
    if result.is_err() {
        for (beside, _) in partial {
            // What could not be made is not there.
            let _ = std::fs::remove_file(beside);
        }
    }
    result
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
