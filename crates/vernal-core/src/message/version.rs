use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

/// The version written with stored data; reading another one is an error that names both.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct FormatVersion<const CURRENT: u32>;

impl<const CURRENT: u32> Serialize for FormatVersion<CURRENT> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_u32(CURRENT)
    }
}

impl<'de, const CURRENT: u32> Deserialize<'de> for FormatVersion<CURRENT> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let found = u32::deserialize(deserializer)?;
        if found == CURRENT {
            return Ok(Self);
        }
        Err(de::Error::custom(format!(
            "format version {found} cannot be read; this version of vernal reads version {CURRENT}"
        )))
    }
}
