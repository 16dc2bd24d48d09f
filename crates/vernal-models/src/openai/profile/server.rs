//! Where known servers are, and how a profile is found for a URL.

use url::Url;

use super::OpenAiProfile;
use crate::http::is_loopback;

/// A server that is known by name.
pub(crate) struct Server {
    /// What stands before the colon in the name of a model.
    pub(crate) name: &'static str,
    pub(crate) profile: &'static OpenAiProfile,
    /// Its hosts; one that begins with a dot is the end of a host.
    hosts: &'static [&'static str],
    /// Where it is unless told otherwise.
    pub(crate) base_url: Option<&'static str>,
    /// The variable that tells otherwise.
    pub(crate) base_variable: &'static str,
    /// The variable of the key.
    pub(crate) key_variable: &'static str,
}

/// A row of the table: name, profile, hosts, base URL, and the variables of the base URL and the key.
type Row = (
    &'static str,
    &'static OpenAiProfile,
    &'static [&'static str],
    Option<&'static str>,
    &'static str,
    &'static str,
);

const fn server(row: Row) -> Server {
    let (name, profile, hosts, base_url, base_variable, key_variable) = row;
    Server {
        name,
        profile,
        hosts,
        base_url,
        base_variable,
        key_variable,
    }
}

/// The servers, in the order in which the documentation lists them.
pub(crate) const SERVERS: &[Server] = &[
    server((
        "openai",
        &OpenAiProfile::OPENAI,
        &["api.openai.com", ".api.openai.com"],
        Some("https://api.openai.com/v1"),
        "OPENAI_BASE_URL",
        "OPENAI_API_KEY",
    )),
    server((
        "azure",
        &OpenAiProfile::AZURE,
        &[
            ".openai.azure.com",
            ".cognitiveservices.azure.com",
            ".services.ai.azure.com",
        ],
        None,
        "AZURE_OPENAI_ENDPOINT",
        "AZURE_OPENAI_API_KEY",
    )),
    server((
        "groq",
        &OpenAiProfile::GROQ,
        &["api.groq.com"],
        Some("https://api.groq.com/openai/v1"),
        "GROQ_BASE_URL",
        "GROQ_API_KEY",
    )),
    server((
        "deepseek",
        &OpenAiProfile::DEEPSEEK,
        &["api.deepseek.com"],
        Some("https://api.deepseek.com/v1"),
        "DEEPSEEK_BASE_URL",
        "DEEPSEEK_API_KEY",
    )),
    server((
        "xai",
        &OpenAiProfile::XAI,
        &["api.x.ai", ".api.x.ai"],
        Some("https://api.x.ai/v1"),
        "XAI_BASE_URL",
        "XAI_API_KEY",
    )),
    server((
        "mistral",
        &OpenAiProfile::MISTRAL,
        &["api.mistral.ai", ".mistral.ai"],
        Some("https://api.mistral.ai/v1"),
        "MISTRAL_BASE_URL",
        "MISTRAL_API_KEY",
    )),
    server((
        "moonshot",
        &OpenAiProfile::MOONSHOT,
        &["api.moonshot.ai", "api.moonshot.cn"],
        Some("https://api.moonshot.ai/v1"),
        "MOONSHOT_BASE_URL",
        "MOONSHOT_API_KEY",
    )),
    server((
        "openrouter",
        &OpenAiProfile::OPENROUTER,
        &["openrouter.ai"],
        Some("https://openrouter.ai/api/v1"),
        "OPENROUTER_BASE_URL",
        "OPENROUTER_API_KEY",
    )),
    server((
        "together",
        &OpenAiProfile::TOGETHER,
        &["api.together.xyz", "api.together.ai"],
        Some("https://api.together.xyz/v1"),
        "TOGETHER_BASE_URL",
        "TOGETHER_API_KEY",
    )),
    server((
        "gemini-v1",
        &OpenAiProfile::GEMINI,
        &["generativelanguage.googleapis.com"],
        Some("https://generativelanguage.googleapis.com/v1beta/openai"),
        "GEMINI_V1_BASE_URL",
        "GEMINI_API_KEY",
    )),
    server((
        "vllm",
        &OpenAiProfile::VLLM,
        &[],
        Some("http://127.0.0.1:8000/v1"),
        "VLLM_BASE_URL",
        "VLLM_API_KEY",
    )),
    server((
        "llama.cpp",
        &OpenAiProfile::LLAMA_CPP,
        &[],
        Some("http://127.0.0.1:8080/v1"),
        "LLAMA_CPP_BASE_URL",
        "LLAMA_CPP_API_KEY",
    )),
    server((
        "lm-studio",
        &OpenAiProfile::LM_STUDIO,
        &[],
        Some("http://127.0.0.1:1234/v1"),
        "LM_STUDIO_BASE_URL",
        "LM_STUDIO_API_KEY",
    )),
    server((
        "ollama-v1",
        &OpenAiProfile::OLLAMA,
        &[],
        Some("http://127.0.0.1:11434/v1"),
        "OLLAMA_V1_BASE_URL",
        "OLLAMA_API_KEY",
    )),
];

impl Server {
    pub(crate) fn has_host(&self, host: &str) -> bool {
        self.hosts.iter().any(|known| {
            if known.starts_with('.') {
                host.ends_with(known)
            } else {
                host == *known
            }
        })
    }
}

impl OpenAiProfile {
    /// The profile for a host: that of a known server, or the one for any compatible server.
    ///
    /// ```
    /// use vernal_models::openai::OpenAiProfile;
    ///
    /// assert_eq!(OpenAiProfile::for_host("api.groq.com"), OpenAiProfile::GROQ);
    /// assert_eq!(OpenAiProfile::for_host("me.openai.azure.com"), OpenAiProfile::AZURE);
    /// assert_eq!(OpenAiProfile::for_host("models.example.org"), OpenAiProfile::COMPATIBLE);
    /// ```
    pub fn for_host(host: &str) -> Self {
        let server = SERVERS.iter().find(|server| server.has_host(host));
        server.map_or(Self::COMPATIBLE, |server| server.profile.clone())
    }

    /// The profile for a URL: by its host, and on this machine by the ports that are one server's own.
    /// Many servers listen at 8000 and 8080, which therefore say nothing.
    pub(crate) fn for_url(url: &Url) -> Self {
        match url.port() {
            Some(11_434) if is_loopback(url) => Self::OLLAMA,
            Some(1234) if is_loopback(url) => Self::LM_STUDIO,
            _ => Self::for_host(url.host_str().unwrap_or("")),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_server_is_found_by_where_it_is() {
        for server in SERVERS {
            let Some(base) = server.base_url else {
                continue;
            };
            let found = OpenAiProfile::for_url(&Url::parse(base).unwrap());
            // Ports that many servers have say nothing.
            let expected = match server.name {
                "vllm" | "llama.cpp" => &OpenAiProfile::COMPATIBLE,
                _ => server.profile,
            };
            assert_eq!(found, *expected, "{}", server.name);
        }
        for (host, name) in [
            ("eu.api.openai.com", "openai"),
            ("my-team.openai.azure.com", "azure"),
            ("openai.azure.com.example.org", "openai-compatible"),
            ("notapi.openai.com", "openai-compatible"),
            ("", "openai-compatible"),
        ] {
            assert_eq!(OpenAiProfile::for_host(host).name, name, "{host}");
        }
    }

    /// The table of the documentation, from the data.
    fn table() -> String {
        let mut out = "| server | name | base URL | key | most tokens | usage asked for | reasoning back \
                       | tool names | images in results | tool choice | parallel switch | call ids | \
                       system messages | schemas | strict mode | JSON by its word only | most tools | longest description |\n|"
            .to_owned();
        out.push_str(&"---|".repeat(18));
        let compatible = &OpenAiProfile::COMPATIBLE;
        let any = ("any other", compatible, "", "");
        let known = SERVERS.iter().map(|server| {
            let key = server.key_variable;
            (
                server.name,
                server.profile,
                server.base_url.unwrap_or(""),
                key,
            )
        });
        let code = |text: &str| match text {
            "" => String::new(),
            text => format!("`{text}`"),
        };
        let yes = |yes: bool| if yes { "yes" } else { "no" };
        for (name, profile, base, key) in known.chain([any]) {
            let p = profile;
            let number =
                |most: Option<usize>| most.map_or_else(String::new, |most| most.to_string());
            let cells = [
                name.to_owned(),
                code(p.name),
                code(base),
                code(key),
                format!("{:?}", p.max_tokens_field),
                yes(p.stream_usage).to_owned(),
                format!("{:?}", p.reasoning_echo),
                format!("{:?}", p.tool_names),
                format!("{:?}", p.tool_media),
                format!("{:?}", p.tool_choice),
                yes(p.parallel_switch).to_owned(),
                format!("{:?}", p.call_ids),
                format!("{:?}", p.system_messages),
                format!("{:?}", p.schemas),
                yes(p.strict_tools).to_owned(),
                yes(p.json_wants_word).to_owned(),
                number(p.most_tools),
                number(p.longest_description),
            ];
            out.push_str(&format!("\n| {} |", cells.join(" | ")));
        }
        out.push('\n');
        out
    }

    #[test]
    fn the_table_of_the_documentation_is_that_of_the_data() {
        let table = table();
        assert_eq!(
            table,
            include_str!("servers.md"),
            "servers.md should be:\n{table}"
        );
    }

    #[test]
    fn names_are_distinct() {
        for (at, server) in SERVERS.iter().enumerate() {
            let mut before = SERVERS.iter().take(at);
            assert!(before.all(
                |other| other.name != server.name && other.profile.name != server.profile.name
            ));
        }
    }
}
