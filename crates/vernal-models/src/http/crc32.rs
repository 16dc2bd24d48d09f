//! The checksum of frames: CRC-32 with the polynomial of ISO 3309, as in gzip.

/// What four bits add to the checksum.
const OF_FOUR_BITS: [u32; 16] = [
    0x0000_0000,
    0x1db7_1064,
    0x3b6e_20c8,
    0x26d9_30ac,
    0x76dc_4190,
    0x6b6b_51f4,
    0x4db2_6158,
    0x5005_713c,
    0xedb8_8320,
    0xf00f_9344,
    0xd6d6_a3e8,
    0xcb61_b38c,
    0x9b64_c2b0,
    0x86d3_d2d4,
    0xa00a_e278,
    0xbdbd_f21c,
];

/// The checksum of some bytes.
pub(super) fn crc32(bytes: &[u8]) -> u32 {
    let step = |sum: u32, bits: u32| {
        let at = ((sum ^ bits) & 0xf) as usize;
        OF_FOUR_BITS.get(at).copied().unwrap_or_default() ^ (sum >> 4)
    };
    let sum = bytes.iter().fold(u32::MAX, |sum, byte| {
        let byte = u32::from(*byte);
        step(step(sum, byte), byte >> 4)
    });
    !sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn known_checksums() {
        for (text, sum) in [
            ("", 0),
            ("a", 0xe8b7_be43),
            ("123456789", 0xcbf4_3926),
            ("The quick brown fox jumps over the lazy dog", 0x414f_a339),
        ] {
            assert_eq!(crc32(text.as_bytes()), sum, "{text}");
        }
    }
}
