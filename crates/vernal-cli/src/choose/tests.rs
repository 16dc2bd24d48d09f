use super::*;

fn decided(flags: [Option<&str>; 3], variables: &[(&str, &str)]) -> Result<Decision, String> {
    let [model, base_url, api_key_env] = flags.map(|flag| flag.map(str::to_owned));
    let variables = variables
        .iter()
        .map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
    let flags = ModelFlags {
        model,
        base_url,
        api_key_env,
    };
    decide(&Environment {
        flags,
        variables: variables.collect(),
    })
}

/// `base key-variable model | reason`, with `-` for what is not there.
fn shown(decision: Result<Decision, String>) -> String {
    match decision {
        Ok(Decision::AskThisMachine { model }) => {
            format!("ask {}", model.as_deref().unwrap_or("-"))
        }
        Ok(Decision::Chosen(choice)) => shown_choice(&choice),
        Err(problem) => format!("error: {problem}"),
    }
}

fn shown_choice(choice: &Choice) -> String {
    let Choice { backend, reason } = choice;
    match backend {
        Backend::Demo => format!("demo | {reason}"),
        Backend::Named(name) => format!("named {name} | {reason}"),
        Backend::Server(Server {
            base_url,
            key,
            model,
        }) => format!(
            "{} {} {} | {reason}",
            base_url.as_ref().map_or("-", |url| url.as_str()),
            key.as_ref().map_or("-", |key| &key.variable),
            model.as_deref().unwrap_or("-"),
        ),
    }
}

const BASE: &str = "http://h:1/v1";
const NONE: [Option<&str>; 3] = [None; 3];

#[test]
fn flags_come_first() {
    let all = [
        ("VERNAL_MODEL", "v"),
        ("VERNAL_BASE_URL", "http://vernal/v1"),
        ("VERNAL_API_KEY", "geheim"),
        ("OPENAI_API_KEY", "geheim"),
    ];
    for (flags, choice) in [
        ([Some("demo"), None, None], "demo | --model says so"),
        (
            [Some("http://h:1/v1#m"), None, None],
            "http://h:1/v1 - m | --model is set",
        ),
        (
            [Some("m"), Some(BASE), None],
            "http://h:1/v1 - m | --model and --base-url are set",
        ),
        (
            [None, Some(BASE), None],
            "http://h:1/v1 - v | VERNAL_MODEL and --base-url are set",
        ),
        (
            [Some("m"), None, None],
            "http://vernal/v1 VERNAL_API_KEY m | --model and VERNAL_BASE_URL are set",
        ),
    ] {
        assert_eq!(shown(decided(flags, &all)), choice);
    }
}

#[test]
fn then_comes_the_environment() {
    for (variables, choice) in [
        (
            &[("VERNAL_MODEL", "demo")][..],
            "demo | VERNAL_MODEL says so",
        ),
        (
            &[("VERNAL_MODEL", "http://h:1/v1#m")],
            "http://h:1/v1 - m | VERNAL_MODEL is set",
        ),
        (
            &[("VERNAL_BASE_URL", BASE)],
            "http://h:1/v1 - - | VERNAL_BASE_URL is set",
        ),
        (
            &[
                ("VERNAL_BASE_URL", BASE),
                ("VERNAL_API_KEY", "k"),
                ("OPENAI_API_KEY", "o"),
            ],
            "http://h:1/v1 VERNAL_API_KEY - | VERNAL_BASE_URL is set",
        ),
        (
            &[("VERNAL_API_KEY", "k")],
            "- VERNAL_API_KEY gpt-5-mini | VERNAL_API_KEY is set",
        ),
        (
            &[("OPENAI_API_KEY", "k")],
            "- OPENAI_API_KEY gpt-5-mini | OPENAI_API_KEY is set",
        ),
        (
            &[
                ("OPENAI_API_KEY", "k"),
                ("OPENAI_BASE_URL", BASE),
                ("VERNAL_MODEL", "m"),
            ],
            "http://h:1/v1 OPENAI_API_KEY m | VERNAL_MODEL and OPENAI_BASE_URL are set",
        ),
        (
            &[("OPENAI_API_KEY", "k"), ("OPENAI_MODEL", "m")],
            "- OPENAI_API_KEY m | OPENAI_API_KEY is set",
        ),
        (
            &[("VERNAL_BASE_URL", BASE), ("OPENAI_MODEL", "m")],
            "http://h:1/v1 - - | VERNAL_BASE_URL is set",
        ),
        (
            &[("OPENAI_BASE_URL", BASE)],
            "http://h:1/v1 - - | OPENAI_BASE_URL is set",
        ),
        (&[("VERNAL_MODEL", "m")], "ask m"),
        (&[("VERNAL_MODEL", " "), ("OPENAI_API_KEY", "")], "ask -"),
        (&[], "ask -"),
    ] {
        assert_eq!(shown(decided(NONE, variables)), choice, "{variables:?}");
    }
}

#[test]
fn a_key_is_only_sent_where_it_belongs() {
    let keys = [
        ("OPENAI_API_KEY", "o"),
        ("VERNAL_API_KEY", "v"),
        ("MINE", "m"),
    ];
    let with_base = [keys.as_slice(), &[("VERNAL_BASE_URL", "http://vernal/v1")]].concat();
    let key = |flags, variables: &[(&str, &str)]| match decided(flags, variables) {
        Ok(Decision::Chosen(Choice {
            backend: Backend::Server(server),
            ..
        })) => server.key.map(|key| key.variable),
        other => panic!("{other:?}"),
    };
    let at_base = [None, Some(BASE), None];
    assert_eq!(key(at_base, &keys[..1]), None);
    assert_eq!(key(at_base, &keys).as_deref(), Some("VERNAL_API_KEY"));
    assert_eq!(key(at_base, &with_base), None);
    assert_eq!(
        key([None, Some(BASE), Some("MINE")], &with_base).as_deref(),
        Some("MINE")
    );
    let openai = [
        ("MINE", "m"),
        ("OPENAI_API_KEY", "o"),
        ("OPENAI_BASE_URL", BASE),
    ];
    assert_eq!(
        key([None, None, Some("MINE")], &openai).as_deref(),
        Some("MINE")
    );
    // A key of another server than OPENAI_BASE_URL's goes to OpenAI.
    let both = [
        ("VERNAL_API_KEY", "v"),
        ("OPENAI_API_KEY", "o"),
        ("OPENAI_BASE_URL", BASE),
    ];
    assert_eq!(
        shown(decided(NONE, &both)),
        "- VERNAL_API_KEY gpt-5-mini | VERNAL_API_KEY is set"
    );
}

#[test]
fn what_contradicts_itself_is_refused() {
    for (flags, problem) in [
        ([Some("demo"), Some(BASE), None], "leave out --base-url"),
        (
            [Some("http://h/v1#m"), Some(BASE), None],
            "leave out --base-url",
        ),
        (
            [Some("m"), None, Some("MISSING")],
            "`--api-key-env` names `MISSING`, which is not set",
        ),
        (
            [None, Some("localhost:8080"), None],
            "--base-url `localhost:8080` is no",
        ),
        (
            [Some("ftp://h/v1#m"), None, None],
            "--model `ftp://h` is no",
        ),
    ] {
        let shown = shown(decided(flags, &[]));
        assert!(
            shown.starts_with("error: ") && shown.contains(problem),
            "{shown}"
        );
    }
}

#[test]
fn nothing_shows_a_key() {
    let variables = [("OPENAI_API_KEY", "geheim")];
    let decision = decided(NONE, &variables);
    assert!(!format!("{decision:?}").contains("geheim"));
}

fn found(models: &[&str]) -> Vec<Found> {
    vec![Found {
        program: "Ollama",
        base_url: Url::parse("http://127.0.0.1:11434/v1").unwrap(),
        models: models.iter().map(|name| (*name).to_owned()).collect(),
    }]
}

#[test]
fn a_server_of_this_machine_comes_before_the_demo() {
    for (wanted, models, choice) in [
        (
            None,
            &["nomic-embed-text", "qwen3:8b", "x"][..],
            "qwen3:8b | Ollama answers on loopback",
        ),
        (
            Some("x"),
            &["qwen3:8b", "x:latest"],
            "x:latest | Ollama on loopback has it",
        ),
    ] {
        let chosen = choose_on_this_machine(wanted, found(models), true).unwrap();
        assert_eq!(
            shown_choice(&chosen),
            format!("http://127.0.0.1:11434/v1 - {choice}")
        );
    }
    let demo = |found, asked| shown_choice(&choose_on_this_machine(None, found, asked).unwrap());
    let nobody = "demo | no model server answers on loopback and no key is set; see --help";
    assert_eq!(demo(Vec::new(), true), nobody);
    assert_eq!(demo(found(&[]), true), nobody);
    assert_eq!(
        demo(Vec::new(), false),
        "demo | VERNAL_NO_PROBE is set and no key is set; see --help"
    );
    let missing = choose_on_this_machine(Some("m"), found(&["x"]), true).unwrap_err();
    assert!(
        missing.contains("a model `m`") && missing.contains("--base-url"),
        "{missing}"
    );
}

#[test]
fn a_provider_before_a_colon_is_asked_unless_a_server_is_named() {
    let openai_here = ("OPENAI_BASE_URL", "http://127.0.0.1:11434/v1");
    for (model, variables, choice) in [
        (
            "groq:llama-3.3-70b",
            vec![],
            "named groq:llama-3.3-70b | --model says so",
        ),
        (
            "OpenAI:gpt-5.1",
            vec![openai_here],
            "named OpenAI:gpt-5.1 | --model says so",
        ),
        ("mistral:7b", vec![], "named mistral:7b | --model says so"),
        (
            "mistral:7b",
            vec![openai_here],
            "http://127.0.0.1:11434/v1 - mistral:7b | --model and OPENAI_BASE_URL are set",
        ),
        ("qwen3:8b", vec![], "ask qwen3:8b"),
    ] {
        assert_eq!(
            shown(decided([Some(model), None, None], &variables)),
            choice
        );
    }
    let at = [Some("mistral:7b"), Some(BASE), None];
    assert_eq!(
        shown(decided(at, &[])),
        "http://h:1/v1 - mistral:7b | --model and --base-url are set"
    );
}
