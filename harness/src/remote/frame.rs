//! Messages on a pipe: four bytes of length, little-endian, then so many bytes. A message that starts
//! with `{` is JSON; one that starts with the byte 1 is a batch of pairs as the C ABI lays them down;
//! one that starts with the byte 3 is what was seen in a whole case.

use std::io::{self, Read, Write};

use udma_oracle::wire::{Desc, PairIn, PairOut};

use super::call::MOST_BYTES;

/// First byte of a batch of pairs and of its answer.
pub const PAIRS: u8 = 1;
/// First byte of the answer that pairs are not built.
pub const NO_PAIRS: u8 = 2;
/// First byte of what was seen in a whole case, which is JSON.
pub const SEEN: u8 = 3;

/// Bytes of a pair asked for, slots included, and of a pair built.
const ASKED: usize = 80;
const BUILT: usize = 40;

/// Writes a message.
///
/// # Errors
/// Those of the pipe.
pub fn send(pipe: &mut impl Write, message: &[u8]) -> io::Result<()> {
    let length = u32::try_from(message.len())
        .ok()
        .filter(|length| *length <= MOST_BYTES);
    let length = length.ok_or_else(|| io::Error::other("a message is too long"))?;
    pipe.write_all(&length.to_le_bytes())?;
    pipe.write_all(message)?;
    pipe.flush()
}

/// Reads a message; none at the end of the pipe.
///
/// # Errors
/// Those of the pipe, a message that is cut short, one that is longer than allowed.
pub fn receive(pipe: &mut impl Read) -> io::Result<Option<Vec<u8>>> {
    let mut length = [0; 4];
    let first = pipe.read(&mut length)?;
    if first == 0 {
        return Ok(None);
    }
    pipe.read_exact(&mut length[first..])?;
    let length = u32::from_le_bytes(length);
    if length > MOST_BYTES {
        let text = format!("a message of {length} bytes: at most {MOST_BYTES}");
        return Err(io::Error::new(io::ErrorKind::InvalidData, text));
    }
    let mut message = vec![0; length as usize];
    pipe.read_exact(&mut message)?;
    Ok(Some(message))
}

struct Cursor<'a>(&'a [u8]);

impl Cursor<'_> {
    fn take<const N: usize>(&mut self) -> [u8; N] {
        let (head, rest) = self.0.split_at(N);
        self.0 = rest;
        head.try_into().expect("N bytes")
    }

    fn word(&mut self) -> u32 {
        u32::from_le_bytes(self.take())
    }

    fn long(&mut self) -> u64 {
        u64::from_le_bytes(self.take())
    }

    fn desc(&mut self) -> Desc {
        Desc {
            word: [self.word(), self.word(), self.word(), self.word()],
        }
    }

    fn out(&mut self) -> PairOut {
        PairOut {
            tx: self.desc(),
            rx: self.desc(),
            ret: self.word() as i32,
            unused: self.word(),
        }
    }

    fn pair(&mut self) -> PairIn {
        PairIn {
            src: self.long(),
            dst: self.long(),
            size: self.long(),
            rx_ring_id: self.word(),
            tx_ring_id: self.word(),
            mode: self.word() as i32,
            dst_int: self.take::<1>()[0],
            sow: self.take::<1>()[0],
            arch: self.take::<1>()[0],
            driver: self.take::<1>()[0],
        }
    }
}

fn put_out(message: &mut Vec<u8>, out: &PairOut) {
    for word in out.tx.word.iter().chain(&out.rx.word) {
        message.extend_from_slice(&word.to_le_bytes());
    }
    message.extend_from_slice(&out.ret.to_le_bytes());
    message.extend_from_slice(&out.unused.to_le_bytes());
}

/// A batch of pairs and the slots they go into.
pub fn ask_pairs(cases: &[PairIn], out: &[PairOut]) -> Vec<u8> {
    let mut message = Vec::with_capacity(1 + cases.len() * ASKED);
    message.push(PAIRS);
    for (case, out) in cases.iter().zip(out) {
        for long in [case.src, case.dst, case.size] {
            message.extend_from_slice(&long.to_le_bytes());
        }
        for word in [case.rx_ring_id, case.tx_ring_id, case.mode as u32] {
            message.extend_from_slice(&word.to_le_bytes());
        }
        message.extend_from_slice(&[case.dst_int, case.sow, case.arch, case.driver]);
        put_out(&mut message, out);
    }
    message
}

/// The inverse of [`ask_pairs`]; none for a message of another length.
pub fn asked_pairs(message: &[u8]) -> Option<(Vec<PairIn>, Vec<PairOut>)> {
    let body = message.get(1..)?;
    if !body.len().is_multiple_of(ASKED) {
        return None;
    }
    Some(
        body.chunks_exact(ASKED)
            .map(|chunk| {
                let mut cursor = Cursor(chunk);
                (cursor.pair(), cursor.out())
            })
            .unzip(),
    )
}

/// Pairs as they were built.
pub fn answer_pairs(out: &[PairOut]) -> Vec<u8> {
    let mut message = Vec::with_capacity(1 + out.len() * BUILT);
    message.push(PAIRS);
    for out in out {
        put_out(&mut message, out);
    }
    message
}

/// The inverse of [`answer_pairs`], into slots; false for a message that holds another number.
pub fn answered_pairs(message: &[u8], out: &mut [PairOut]) -> bool {
    let Some(body) = message
        .get(1..)
        .filter(|body| body.len() == out.len() * BUILT)
    else {
        return false;
    };
    for (chunk, out) in body.chunks_exact(BUILT).zip(out) {
        *out = Cursor(chunk).out();
    }
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn pairs_go_there_and_back() {
        let case = PairIn {
            src: 1,
            dst: u64::MAX,
            size: 65536,
            rx_ring_id: 7,
            tx_ring_id: 8,
            mode: -1,
            dst_int: 1,
            sow: 0,
            arch: 3,
            driver: 2,
        };
        let out = PairOut {
            tx: Desc { word: [1, 2, 3, 4] },
            rx: Desc { word: [5, 6, 7, 8] },
            ret: -22,
            unused: 0,
        };
        let message = ask_pairs(&[case, case], &[out, out]);
        assert_eq!(message.len(), 1 + 2 * ASKED);
        assert_eq!(asked_pairs(&message), Some((vec![case; 2], vec![out; 2])));
        assert_eq!(asked_pairs(&message[..message.len() - 1]), None);

        let mut got = [PairOut::default(); 2];
        let answer = answer_pairs(&[out, out]);
        assert!(answered_pairs(&answer, &mut got) && got == [out; 2]);
        assert!(!answered_pairs(&answer, &mut got[..1]));
    }

    #[test]
    fn a_message_that_is_cut_short_or_too_long_is_an_error() {
        let mut pipe = Vec::new();
        send(&mut pipe, b"{}").expect("memory");
        assert_eq!(
            receive(&mut &pipe[..]).expect("whole"),
            Some(b"{}".to_vec())
        );
        assert_eq!(receive(&mut &pipe[..0]).expect("end"), None);
        for length in 1..pipe.len() {
            assert!(receive(&mut &pipe[..length]).is_err(), "{length}");
        }
        assert!(receive(&mut &u32::MAX.to_le_bytes()[..]).is_err());
    }
}
