//! Packets of N blocks, HAL line (BLDR-9, 10, 12).

use serde_json::{Value, json};
use udma_reference::abi;
use udma_report::model::DescriptorDiff;

use super::json;
use crate::family::{Family, simpler_number};
use crate::law::word::{EINVAL, MOST_BYTES, meta, word0};
use crate::law::{names, pair};
use crate::line::Line;
use crate::subject::{PacketIn, Subject};
use crate::wire::{Block, Desc, FILL, hex};

/// A packet into filled slots.
pub struct Packet;

/// The answer: the code and every slot that was written.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PacketAnswer {
    /// Code.
    pub ret: i32,
    /// TX slots, `None` where left alone.
    pub tx: Vec<Option<Desc>>,
    /// RX slots.
    pub rx: Vec<Option<Desc>>,
}

/// Most blocks at the HAL's own boundary (BLDR-9).
const fn cap(arch: u8) -> usize {
    if arch as u32 == abi::UDMA_ARCH_CAYMAN {
        65
    } else {
        128
    }
}

fn sow_asked(case: &PacketIn) -> bool {
    case.sow || case.mode == 3
}

fn refusal(case: &PacketIn) -> Option<i32> {
    let count = case.blocks.len();
    let arch = u32::from(case.arch);
    if !(0..=3).contains(&case.mode) {
        return Some(EINVAL);
    }
    if count == 0 || count > cap(case.arch) {
        return Some(EINVAL);
    }
    if case.notify && arch != abi::UDMA_ARCH_MARIANA {
        return Some(EINVAL);
    }
    if sow_asked(case) && arch == abi::UDMA_ARCH_SUNDA {
        return Some(-1);
    }
    let bad = |block: &Block| block.size == 0 || block.size > MOST_BYTES;
    case.blocks.iter().any(bad).then_some(-1)
}

impl Family for Packet {
    type Case = PacketIn;
    type Answer = PacketAnswer;
    const NAME: &'static str = "packet";

    fn ask(subject: &dyn Subject, case: &PacketIn) -> Option<PacketAnswer> {
        let slots = case.blocks.len().max(1) + 1; // one behind the packet must stay as it is
        let (mut tx, mut rx) = (vec![FILL; slots], vec![FILL; slots]);
        let ret = subject.build_packet(case, &mut tx, &mut rx)?;
        let written = |slots: Vec<Desc>| {
            slots
                .into_iter()
                .map(|desc| (desc != FILL).then_some(desc))
                .collect()
        };
        Some(PacketAnswer {
            ret,
            tx: written(tx),
            rx: written(rx),
        })
    }

    fn required(line: Line, case: &PacketIn) -> Option<PacketAnswer> {
        if line != Line::Hal {
            return None;
        }
        let slots = case.blocks.len().max(1) + 1;
        let mut answer = PacketAnswer {
            ret: 0,
            tx: vec![None; slots],
            rx: vec![None; slots],
        };
        if let Some(ret) = refusal(case) {
            return Some(PacketAnswer { ret, ..answer });
        }
        let last = case.blocks.len() - 1;
        let when = |set: bool, bit: u32| if set { bit } else { 0 };
        for (index, block) in case.blocks.iter().enumerate() {
            let (first_one, last_one) = (index == 0, index == last);
            let length = (block.size & 0xffff) as u32;
            answer.tx[index] = Some(pair::desc(
                when(first_one, word0::FIRST)
                    | when(last_one, word0::LAST)
                    | when(!last_one, word0::CONCAT)
                    | when(first_one && case.mode == 1, word0::DMB)
                    | (case.tx_ring_id & 3) << 24
                    | length,
                meta::PLAIN_COPY
                    | when(last_one && case.mode == 2, meta::WRITE_BARRIER)
                    | when(last_one && case.notify, meta::NOTIFICATION),
                block.src,
            ));
            answer.rx[index] = Some(pair::desc(
                when(sow_asked(case), word0::SOW)
                    | when(last_one && case.dst_int, word0::INT_EN)
                    | (case.rx_ring_id & 3) << 24
                    | length,
                0,
                block.dst,
            ));
        }
        Some(answer)
    }

    fn rules(_line: Line, case: &PacketIn) -> Vec<(&'static str, bool)> {
        let mut rules = vec![("BLDR-9", false)];
        if refusal(case).is_some() {
            rules.push(("BLDR-12", false));
        } else {
            rules.push(("BLDR-10", false));
        }
        rules
    }

    fn broken(
        _line: Line,
        case: &PacketIn,
        want: &PacketAnswer,
        got: &PacketAnswer,
    ) -> Vec<&'static str> {
        if want == got {
            return Vec::new();
        }
        if want.ret != 0 || got.ret != 0 {
            return vec!["BLDR-9", "BLDR-12"];
        }
        // The bits that BLDR-10 places; everything else belongs to BLDR-9.
        let last = case.blocks.len() - 1;
        let mut placed = false;
        let mut rest = false;
        for (index, (want, got)) in want.tx.iter().zip(&got.tx).enumerate() {
            let (Some(want), Some(got)) = (want, got) else {
                rest |= want != got;
                continue;
            };
            let bits = [word0::DMB, meta::WRITE_BARRIER | meta::NOTIFICATION, 0, 0];
            placed |= differ(want, got, bits, true) && (case.mode != 0 || case.notify);
            rest |= differ(want, got, bits, false) || index > last;
        }
        for (want, got) in want.rx.iter().zip(&got.rx) {
            let (Some(want), Some(got)) = (want, got) else {
                rest |= want != got;
                continue;
            };
            let bits = [word0::INT_EN, 0, 0, 0];
            placed |= differ(want, got, bits, true);
            rest |= differ(want, got, bits, false);
        }
        match (placed, rest) {
            (true, false) => vec!["BLDR-10"],
            (true, true) => vec!["BLDR-10", "BLDR-9"],
            _ => vec!["BLDR-9"],
        }
    }

    fn simpler(case: &PacketIn) -> Vec<PacketIn> {
        let mut cases = Vec::new();
        let count = case.blocks.len();
        for keep in simpler_number(count as u64) {
            let blocks = case.blocks[..keep as usize].to_vec();
            cases.push(PacketIn {
                blocks,
                ..case.clone()
            });
        }
        for index in 0..count.min(4) {
            let plain = Block {
                src: 0,
                dst: 0,
                size: 64,
            };
            if case.blocks[index] != plain {
                let mut blocks = case.blocks.clone();
                blocks[index] = plain;
                cases.push(PacketIn {
                    blocks,
                    ..case.clone()
                });
            }
        }
        if case
            .blocks
            .iter()
            .any(|block| block.src != 0 || block.dst != 0)
        {
            let blocks = case
                .blocks
                .iter()
                .map(|b| Block {
                    src: 0,
                    dst: 0,
                    ..*b
                })
                .collect();
            cases.push(PacketIn {
                blocks,
                ..case.clone()
            });
        }
        if case.rx_ring_id != 0 {
            cases.push(PacketIn {
                rx_ring_id: 0,
                ..case.clone()
            });
        }
        if case.tx_ring_id != 0 {
            cases.push(PacketIn {
                tx_ring_id: 0,
                ..case.clone()
            });
        }
        if case.mode != 0 {
            cases.push(PacketIn {
                mode: 0,
                ..case.clone()
            });
        }
        if case.dst_int {
            cases.push(PacketIn {
                dst_int: false,
                ..case.clone()
            });
        }
        if case.sow {
            cases.push(PacketIn {
                sow: false,
                ..case.clone()
            });
        }
        if case.notify {
            cases.push(PacketIn {
                notify: false,
                ..case.clone()
            });
        }
        cases
    }

    fn to_json(case: &PacketIn) -> Value {
        let block = |b: &Block| json!([json::hex(b.src), json::hex(b.dst), b.size]);
        json!({
            "blocks": case.blocks.iter().map(block).collect::<Vec<_>>(),
            "rx_ring_id": case.rx_ring_id,
            "tx_ring_id": case.tx_ring_id,
            "barrier": case.mode,
            "dst_int": case.dst_int,
            "sow": case.sow,
            "notify": case.notify,
            "arch": format!("v{}", case.arch),
        })
    }

    fn from_json(value: &Value) -> Result<PacketIn, String> {
        let block = |entry: &Value| {
            let parts = entry.as_array().filter(|parts| parts.len() == 3);
            let parts =
                parts.ok_or_else(|| format!("field \"blocks\" holds {entry}: [src, dst, size]"))?;
            Ok::<Block, String>(Block {
                src: json::number(&parts[0], "src")?,
                dst: json::number(&parts[1], "dst")?,
                size: json::number(&parts[2], "size")?,
            })
        };
        Ok(PacketIn {
            blocks: json::get_list(value, "blocks")?
                .iter()
                .map(block)
                .collect::<Result<_, _>>()?,
            rx_ring_id: json::get32(value, "rx_ring_id")?,
            tx_ring_id: json::get32(value, "tx_ring_id")?,
            mode: json::get_signed(value, "barrier")?,
            dst_int: json::get_flag(value, "dst_int")?,
            sow: json::get_flag(value, "sow")?,
            notify: json::get_flag(value, "notify")?,
            arch: json::get_arch(value)?,
        })
    }

    fn show(_case: &PacketIn, answer: &PacketAnswer) -> Vec<String> {
        let mut lines = vec![format!("ret {}", answer.ret)];
        for (name, slots) in [("tx", &answer.tx), ("rx", &answer.rx)] {
            for (index, slot) in slots.iter().enumerate() {
                let text = slot.as_ref().map_or("left alone".into(), hex);
                lines.push(format!("{name}[{index}] {text}"));
            }
        }
        lines
    }

    fn diffs(_case: &PacketIn, want: &PacketAnswer, got: &PacketAnswer) -> Vec<DescriptorDiff> {
        let sides = [
            ("TX", abi::UDMA_VIEW_TX, &want.tx, &got.tx),
            ("RX", abi::UDMA_VIEW_RX, &want.rx, &got.rx),
        ];
        sides
            .into_iter()
            .flat_map(|(name, view, want, got)| {
                want.iter()
                    .zip(got)
                    .enumerate()
                    .filter(|(_, (want, got))| want != got)
                    .map(move |(index, (want, got))| {
                        let label = format!("{name}[{index}]");
                        names::diff(&label, view, want.as_ref(), got.as_ref())
                    })
            })
            .collect()
    }
}

/// Whether two descriptors differ inside (or outside) the bits.
fn differ(want: &Desc, got: &Desc, bits: [u32; 4], inside: bool) -> bool {
    (0..4).any(|word| {
        let mask = if inside { bits[word] } else { !bits[word] };
        (want.word[word] ^ got.word[word]) & mask != 0
    })
}
