//! Combo chaining: descriptors in front of a packet that belong together (CCE-9).

use crate::desc::Desc;
use crate::fault::mutant;

/// word1: more members follow (CCE-9).
pub const MORE_FOLLOWS: u32 = 0x4000_0000;
/// word1: a member (CCE-9).
pub const MEMBER: u32 = 0x0400_0000;

/// Links the members of a combo: [`MEMBER`] in word1 of each, [`MORE_FOLLOWS`] in all but the last.
/// Nothing else changes.
pub fn chain(members: &mut [Desc]) {
    let last = members.len().wrapping_sub(1);
    for (index, member) in members.iter_mut().enumerate() {
        let more = if index == last && !mutant(327) {
            0
        } else {
            MORE_FOLLOWS
        };
        member.set_word1(member.word1() | MEMBER | more);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn all_but_the_last_have_more_behind_them() {
        let mut members = [Desc::from_words([0x0080_0000, 0x00a0_0000, 1, 2]); 3];
        chain(&mut members);
        assert_eq!(
            members.map(|member| member.word1()),
            [0x44a0_0000, 0x44a0_0000, 0x04a0_0000]
        );
        chain(&mut []);
    }
}
