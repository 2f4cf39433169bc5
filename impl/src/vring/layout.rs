//! The documented in-memory layout, as another program would read it (VRNG-1..3, PRNG-1).
//!
//! [`Vring`] itself is laid out as Rust likes; [`Vring::image`] gives the documented form.

use core::mem::{align_of, offset_of, size_of};

use super::Vring;
use super::name::NAME_BYTES;
use super::pages::{Half, PAGE_DESCS};
use crate::desc::Desc;
use crate::engine::layout::Place;
use crate::fault::mutant;
use crate::io::Side;

/// A half, 32 bytes (VRNG-2). Pointers are 64-bit numbers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct HalfImage {
    /// Descriptors.
    pub used_desc_count: u32,
    /// Zero.
    pub unused: u32,
    /// First page, or 0.
    pub head: u64,
    /// Last page, or 0.
    pub tail: u64,
    /// 0 or 1.
    pub is_template: u8,
    /// Zero.
    pub unused2: [u8; 3],
    /// Largest variable.
    pub max_var_id: u32,
}

/// A vring, 344 bytes (VRNG-1).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(C)]
pub struct VringImage {
    /// Name with its NUL; the rest is zero.
    pub name: [u8; NAME_BYTES],
    /// TX pages.
    pub tx: HalfImage,
    /// RX pages.
    pub rx: HalfImage,
    /// Bytes of all transfers, TX side.
    pub total_tx_size: u64,
    /// Bytes of all transfers, RX side.
    pub total_rx_size: u64,
    /// 0 or 1.
    pub stochastic_rounding: u8,
    /// Zero.
    pub unused: [u8; 7],
}

/// A page, 0x100010 bytes (VRNG-3). Never a value, only measured.
#[repr(C)]
struct PageImage {
    desc: [Desc; PAGE_DESCS],
    next: u64,
    prev: u64,
}

/// A pring, 32 bytes (PRNG-1).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(C)]
pub struct PringImage {
    /// 0 invalid, 1 TX, 2 RX.
    pub ring_type: u32,
    /// Zero.
    pub unused: u32,
    /// Memory that holds the ring.
    pub memory: u64,
    /// Byte offset of slot 0.
    pub offset: u64,
    /// Slots filled.
    pub used: u32,
    /// Slots.
    pub allocated: u32,
}

const _: () = assert!(size_of::<HalfImage>() == 32 && size_of::<VringImage>() == 344);
const _: () = assert!(size_of::<PageImage>() == 0x10_0010 && size_of::<PringImage>() == 32);

/// Bytes of a set: 16 vrings and 16 bytes more (VRNG-6).
const SET_BYTES: u64 = 16 * 344 + 16;

/// Offset and size of a member of `vring`, `half`, `page` or `pring`; with an empty field, size and
/// alignment of the whole, also of `set`. None for a name that is not known.
pub fn place(structure: &str, field: &str) -> Option<Place> {
    macro_rules! members {
        ($structure:ty: $($name:literal = $member:ident: $size:expr,)*) => {
            match field {
                "" => whole(size_of::<$structure>() as u64, align_of::<$structure>() as u64),
                $($name => at(offset_of!($structure, $member), $size),)*
                _ => return None,
            }
        };
    }
    Some(match structure {
        "vring" => match field {
            "total_tx_size" if mutant(201) => at(offset_of!(VringImage, total_rx_size), 8),
            "total_rx_size" if mutant(201) => at(offset_of!(VringImage, total_tx_size), 8),
            _ => members!(VringImage:
                "name" = name: NAME_BYTES,
                "tx" = tx: size_of::<HalfImage>(),
                "rx" = rx: size_of::<HalfImage>(),
                "total_tx_size" = total_tx_size: 8,
                "total_rx_size" = total_rx_size: 8,
                "stochastic_rounding" = stochastic_rounding: 1,
            ),
        },
        "half" => match field {
            "is_template" if mutant(202) => at(offset_of!(HalfImage, max_var_id), 1),
            "max_var_id" if mutant(202) => at(offset_of!(HalfImage, is_template), 4),
            _ => members!(HalfImage:
                "used_desc_count" = used_desc_count: 4,
                "head" = head: 8,
                "tail" = tail: 8,
                "is_template" = is_template: 1,
                "max_var_id" = max_var_id: 4,
            ),
        },
        "page" => match field {
            "next" if mutant(203) => at(offset_of!(PageImage, prev), 8),
            "prev" if mutant(203) => at(offset_of!(PageImage, next), 8),
            "" => whole(size_of::<PageImage>() as u64, 8),
            _ => members!(PageImage:
                "desc" = desc: PAGE_DESCS * size_of::<Desc>(),
                "next" = next: 8,
                "prev" = prev: 8,
            ),
        },
        "pring" => match field {
            "used" if mutant(290) => at(offset_of!(PringImage, allocated), 4),
            "allocated" if mutant(290) => at(offset_of!(PringImage, used), 4),
            _ => members!(PringImage:
                "type" = ring_type: 4,
                "memory" = memory: 8,
                "offset" = offset: 8,
                "used" = used: 4,
                "allocated" = allocated: 4,
            ),
        },
        "set" if field.is_empty() => whole(SET_BYTES, 8),
        _ => return None,
    })
}

fn at(offset: usize, size: usize) -> Place {
    Place {
        offset: offset as u64,
        size: size as u64,
        ..Place::default()
    }
}

fn whole(size: u64, align: u64) -> Place {
    Place {
        size,
        stride: align,
        ..Place::default()
    }
}

impl HalfImage {
    fn of(half: &Half) -> Self {
        let pages = half.page_count() as u64;
        Self {
            used_desc_count: half.used(),
            head: pages.min(1),
            tail: pages,
            is_template: half.is_template().into(),
            max_var_id: half.max_var_id(),
            ..Self::default()
        }
    }
}

impl Vring {
    /// The documented form. `head` and `tail` are numbers of pages counted from 1, so that they are
    /// 0 exactly when there is no page.
    pub fn image(&self) -> VringImage {
        let mut totals = [self.total(Side::Tx), self.total(Side::Rx)];
        if mutant(201) {
            totals.swap(0, 1);
        }
        VringImage {
            name: *self.name().raw(),
            tx: HalfImage::of(self.half(Side::Tx)),
            rx: HalfImage::of(self.half(Side::Rx)),
            total_tx_size: totals[0],
            total_rx_size: totals[1],
            stochastic_rounding: self.stochastic_rounding().into(),
            unused: [0; 7],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn offsets_by_the_rules() {
        for (structure, field, offset) in [
            ("vring", "name", 0),
            ("vring", "tx", 0x100),
            ("vring", "rx", 0x120),
            ("vring", "total_tx_size", 0x140),
            ("vring", "total_rx_size", 0x148),
            ("vring", "stochastic_rounding", 0x150),
            ("half", "used_desc_count", 0),
            ("half", "head", 8),
            ("half", "tail", 0x10),
            ("half", "is_template", 0x18),
            ("half", "max_var_id", 0x1c),
            ("page", "desc", 0),
            ("page", "next", 0x10_0000),
            ("page", "prev", 0x10_0008),
            ("pring", "type", 0),
            ("pring", "memory", 8),
            ("pring", "offset", 0x10),
            ("pring", "used", 0x18),
            ("pring", "allocated", 0x1c),
        ] {
            assert_eq!(
                place(structure, field).unwrap().offset,
                offset,
                "{structure}.{field}"
            );
        }
        for (structure, size) in [
            ("vring", 344),
            ("half", 32),
            ("page", 0x10_0010),
            ("pring", 32),
            ("set", 5520),
        ] {
            assert_eq!(place(structure, "").unwrap().size, size, "{structure}");
        }
        assert_eq!(place("vring", "no such"), None);
    }

    #[test]
    fn an_image_of_a_template() {
        let mut vring = Vring::new("v");
        vring.add_raw(Side::Rx, Desc::default()).unwrap();
        vring.mark_template(9);
        let image = vring.image();
        assert_eq!(image.name[..2], *b"v\0");
        assert_eq!((image.tx.head, image.tx.tail), (0, 0));
        assert_eq!(
            (image.rx.used_desc_count, image.rx.head, image.rx.tail),
            (1, 1, 1)
        );
        assert_eq!((image.rx.is_template, image.rx.max_var_id), (1, 9));
    }
}
