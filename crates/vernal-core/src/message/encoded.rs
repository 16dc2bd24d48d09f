use std::borrow::Cow;
use std::fmt;
use std::sync::OnceLock;

/// Which encoding some bytes are in: one number for each dialect and each of its variants.
///
/// Adapters choose it so that two adapters that would write different bytes for one message never
/// share a key, for example by hashing their name and the settings that change the bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct DialectKey(pub u64);

impl DialectKey {
    /// A key from a name, the same in every build (FNV-1a).
    pub const fn from_name(name: &str) -> Self {
        let bytes = name.as_bytes();
        let mut hash: u64 = 0xcbf2_9ce4_8422_2325;
        let mut rest = bytes;
        while let [first, tail @ ..] = rest {
            hash = (hash ^ *first as u64).wrapping_mul(0x0100_0000_01b3);
            rest = tail;
        }
        Self(hash)
    }
}

/// The wire form of something immutable, written once and then shared (design rule 7).
///
/// It keeps the form of the first dialect that asked; any other dialect is encoded anew each time.
#[derive(Default)]
pub struct EncodedOnce(OnceLock<(DialectKey, Box<str>)>);

impl EncodedOnce {
    /// The bytes in the dialect `key`; `encode` runs at most once for the first dialect.
    pub fn get_or_encode(&self, key: DialectKey, encode: impl FnOnce() -> String) -> Cow<'_, str> {
        if let Some((kept, text)) = self.0.get() {
            return if *kept == key {
                Cow::Borrowed(text)
            } else {
                Cow::Owned(encode())
            };
        }
        // Two threads may race for the one place: who loses keeps its own text.
        match self.0.set((key, encode().into_boxed_str())) {
            Ok(()) => self
                .0
                .get()
                .map_or(Cow::Borrowed(""), |(_, text)| Cow::Borrowed(text)),
            Err((_, text)) => Cow::Owned(text.into_string()),
        }
    }
}

/// A copy starts empty: it may be changed before it is sent.
impl Clone for EncodedOnce {
    fn clone(&self) -> Self {
        Self::default()
    }
}

impl fmt::Debug for EncodedOnce {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.0.get().is_some() {
            "EncodedOnce(kept)"
        } else {
            "EncodedOnce(empty)"
        })
    }
}
