//! `udma vring author`: a script carried out, packed, and shown or written.

use std::process::ExitCode;

use serde_json::Value;
use udma::Desc;
use udma::io::Side;
use udma_oracle::cases::vring::{Vring, code_name, image_of};
use udma_oracle::family::Family as _;
use udma_oracle::line::Line;
use udma_oracle::subject::vring::{Dump, Machine, Op};
use udma_oracle::wire::{self, Ring};

use super::files::{SLOT, bytes, name, write_all};
use super::{AuthorArgs, table};
use crate::check::subjects;
use crate::cli::print;
use crate::failure::Failure;
use crate::remote::Settings;

/// Carries out the command.
pub(super) fn run(args: &AuthorArgs) -> Result<ExitCode, Failure> {
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
