//! What each dialect takes, as data.

use super::SchemaDialect;

/// What a dialect takes.
#[derive(Debug)]
pub(super) struct Rules {
    /// The keywords that are sent; others are told in the description where `tells`, or left out.
    pub(super) keywords: Keywords,
    /// Whether what is not sent is told in the description.
    pub(super) tells: bool,
    /// The formats of texts that are taken; `None` takes all.
    pub(super) formats: Option<&'static [&'static str]>,
    pub(super) references: References,
    /// A schema within itself is refused.
    pub(super) no_recursion: bool,
    /// What the root may not have, though other schemas may.
    pub(super) flat_root: bool,
    /// The only keywords at the root; `None` takes those of any schema.
    pub(super) root_keywords: Option<&'static [&'static str]>,
    /// `oneOf` is sent as `anyOf`.
    pub(super) one_of_as_any_of: bool,
    /// `const` is sent as an `enum` of one.
    pub(super) const_as_enum: bool,
    /// The members of `allOf` are put together into one schema.
    pub(super) merges_all_of: bool,
    /// Schemas that are `true` or `false` are not taken.
    pub(super) no_booleans: bool,
    /// A list says what is in it.
    pub(super) items_needed: bool,
    pub(super) strict: Option<Strict>,
    /// The result is rewritten in the words of OpenAPI.
    pub(super) open_api: bool,
}

/// Keywords that are sent.
#[derive(Debug)]
pub(super) enum Keywords {
    /// All but these.
    AllBut(&'static [&'static str]),
    /// These.
    Only(&'static [&'static str]),
    /// All, though only these are read.
    Read(&'static [&'static str]),
}

/// What becomes of `$ref`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum References {
    /// It stays.
    Stay,
    /// It stays where it is alone and leads to a definition at the root.
    Alone,
    /// What it leads to stands in its place.
    Inlined,
}

/// What strict mode asks of an object.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Strict {
    /// Every property is required.
    AllRequired,
    /// Properties may be optional.
    Optional,
}

const STRICT_FORMATS: &[&str] = &[
    "date-time",
    "time",
    "date",
    "duration",
    "email",
    "hostname",
    "ipv4",
    "ipv6",
    "uuid",
];

const ANTHROPIC_FORMATS: &[&str] = &[
    "date-time",
    "time",
    "date",
    "duration",
    "email",
    "hostname",
    "uri",
    "ipv4",
    "ipv6",
    "uuid",
];

/// Formats that Google's reader of OpenAPI knows; any other is refused.
const OPEN_API_FORMATS: &[&str] = &[
    "int32",
    "int64",
    "float",
    "double",
    "date-time",
    "enum",
    "byte",
];

/// A schema goes as it is, but for the root, where providers refuse choices.
const LOOSE: Rules = Rules {
    keywords: Keywords::AllBut(&[]),
    tells: true,
    formats: None,
    references: References::Stay,
    no_recursion: false,
    flat_root: true,
    root_keywords: None,
    one_of_as_any_of: false,
    const_as_enum: false,
    merges_all_of: false,
    no_booleans: false,
    items_needed: false,
    strict: None,
    open_api: false,
};

const OPENAI: Rules = Rules {
    items_needed: true,
    ..LOOSE
};

const OPENAI_STRICT: Rules = Rules {
    keywords: Keywords::Only(&[
        "type",
        "description",
        "properties",
        "required",
        "additionalProperties",
        "items",
        "anyOf",
        "enum",
        "const",
        "$ref",
        "$defs",
        "definitions",
        "pattern",
        "format",
        "minimum",
        "maximum",
        "exclusiveMinimum",
        "exclusiveMaximum",
        "multipleOf",
        "minItems",
        "maxItems",
    ]),
    formats: Some(STRICT_FORMATS),
    references: References::Alone,
    one_of_as_any_of: true,
    merges_all_of: true,
    strict: Some(Strict::AllRequired),
    ..LOOSE
};

const ANTHROPIC_STRICT: Rules = Rules {
    keywords: Keywords::Only(&[
        "type",
        "title",
        "description",
        "default",
        "properties",
        "required",
        "additionalProperties",
        "items",
        "anyOf",
        "enum",
        "const",
        "$ref",
        "$defs",
        "definitions",
        "format",
        "minItems",
    ]),
    formats: Some(ANTHROPIC_FORMATS),
    references: References::Alone,
    no_recursion: true,
    one_of_as_any_of: true,
    merges_all_of: true,
    strict: Some(Strict::Optional),
    ..LOOSE
};

const GEMINI: Rules = Rules {
    keywords: Keywords::AllBut(&[
        "$schema",
        "$comment",
        "examples",
        "discriminator",
        "exclusiveMinimum",
        "exclusiveMaximum",
    ]),
    flat_root: false,
    one_of_as_any_of: true,
    const_as_enum: true,
    ..LOOSE
};

const GEMINI_OPEN_API: Rules = Rules {
    keywords: Keywords::Only(&[
        "type",
        "description",
        "properties",
        "required",
        "items",
        "anyOf",
        "enum",
        "format",
        "minimum",
        "maximum",
        "minItems",
        "maxItems",
        "minLength",
        "maxLength",
        "pattern",
    ]),
    formats: Some(OPEN_API_FORMATS),
    references: References::Inlined,
    flat_root: false,
    one_of_as_any_of: true,
    const_as_enum: true,
    merges_all_of: true,
    no_booleans: true,
    open_api: true,
    ..LOOSE
};

const OLLAMA: Rules = Rules {
    keywords: Keywords::Read(&[
        "type",
        "description",
        "properties",
        "required",
        "items",
        "anyOf",
        "enum",
    ]),
    references: References::Inlined,
    flat_root: false,
    one_of_as_any_of: true,
    const_as_enum: true,
    merges_all_of: true,
    no_booleans: true,
    ..LOOSE
};

const BEDROCK: Rules = Rules {
    references: References::Inlined,
    root_keywords: Some(&["type", "properties", "required", "additionalProperties"]),
    ..LOOSE
};

impl SchemaDialect {
    pub(super) fn rules(self) -> &'static Rules {
        match self {
            Self::OpenAi => &OPENAI,
            Self::OpenAiStrict => &OPENAI_STRICT,
            Self::Anthropic => &LOOSE,
            Self::AnthropicStrict | Self::BedrockStrict => &ANTHROPIC_STRICT,
            Self::Gemini => &GEMINI,
            Self::GeminiOpenApi => &GEMINI_OPEN_API,
            Self::Ollama => &OLLAMA,
            Self::Bedrock => &BEDROCK,
        }
    }
}

/// Words about a schema that no value is checked against.
pub(super) fn is_annotation(keyword: &str) -> bool {
    matches!(
        keyword,
        "$schema"
            | "$id"
            | "$comment"
            | "$anchor"
            | "$vocabulary"
            | "$dynamicAnchor"
            | "title"
            | "examples"
            | "deprecated"
            | "readOnly"
            | "writeOnly"
            | "discriminator"
            | "contentEncoding"
            | "contentMediaType"
    ) || keyword.starts_with("x-")
}

/// Words that name a schema or its language: a reader that follows no references has no use for them.
pub(super) fn is_identity(keyword: &str) -> bool {
    matches!(
        keyword,
        "$schema" | "$id" | "$comment" | "$anchor" | "$vocabulary" | "$dynamicAnchor"
    )
}
