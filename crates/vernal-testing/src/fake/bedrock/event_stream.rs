//! Messages of an event stream: lengths, headers, a payload, and checksums of both.

use serde_json::Value;

/// A message of a kind, `event` or `exception`, with its name and its payload.
pub(super) fn message(kind: &str, name: &str, payload: &Value) -> Vec<u8> {
    let payload = payload.to_string();
    let mut headers = Vec::new();
    push_header(&mut headers, &format!(":{kind}-type"), name);
    push_header(&mut headers, ":content-type", "application/json");
    push_header(&mut headers, ":message-type", kind);
    // Twelve bytes before the headers, four after the payload.
    let total = 16 + headers.len() + payload.len();
    let mut out = Vec::with_capacity(total);
    push_length(&mut out, total);
    push_length(&mut out, headers.len());
    push_checksum(&mut out);
    out.extend(headers);
    out.extend(payload.as_bytes());
    push_checksum(&mut out);
    out
}

/// A header whose value is a text.
fn push_header(out: &mut Vec<u8>, name: &str, value: &str) {
    const TEXT: u8 = 7;
    out.push(u8::try_from(name.len()).unwrap_or(u8::MAX));
    out.extend(name.as_bytes());
    out.push(TEXT);
    out.extend(u16::try_from(value.len()).unwrap_or(u16::MAX).to_be_bytes());
    out.extend(value.as_bytes());
}

fn push_length(out: &mut Vec<u8>, length: usize) {
    out.extend(u32::try_from(length).unwrap_or(u32::MAX).to_be_bytes());
}

/// The checksum of everything so far.
fn push_checksum(out: &mut Vec<u8>) {
    out.extend(crc32(out).to_be_bytes());
}

/// CRC-32 as in zip files and Ethernet, a bit at a time: for tests that is fast enough.
fn crc32(bytes: &[u8]) -> u32 {
    let mut sum = u32::MAX;
    for byte in bytes {
        sum ^= u32::from(*byte);
        for _ in 0..8 {
            let odd = sum & 1 == 1;
            sum >>= 1;
            if odd {
                sum ^= 0xEDB8_8320;
            }
        }
    }
    !sum
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_checksum_is_the_usual_one() {
        assert_eq!(crc32(b"123456789"), 0xCBF4_3926);
    }

    #[test]
    fn lengths_and_checksums_fit() {
        let message = message(
            "event",
            "messageStop",
            &serde_json::json!({"stopReason": "x"}),
        );
        let number = |at: usize| u32::from_be_bytes(message[at..at + 4].try_into().unwrap());
        assert_eq!(number(0) as usize, message.len());
        assert_eq!(number(8), crc32(&message[..8]));
        assert_eq!(
            number(message.len() - 4),
            crc32(&message[..message.len() - 4])
        );
        let payload = &message[12 + number(4) as usize..message.len() - 4];
        assert_eq!(payload, br#"{"stopReason":"x"}"#);
    }
}
