//! The features of the crates behind the facade are its own.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)]

/// The lines of a manifest's `[features]`.
fn features(manifest: &str) -> Vec<(&str, &str)> {
    let (_, after) = manifest.split_once("[features]\n").unwrap();
    let section = after.split("\n[").next().unwrap();
    let lines = section.lines().filter(|line| !line.starts_with('#'));
    lines.filter_map(|line| line.split_once(" = ")).collect()
}

#[test]
fn every_feature_of_vernal_core_can_be_switched_on_here() {
    let own = features(include_str!("../Cargo.toml"));
    let inner = features(include_str!("../../vernal-core/Cargo.toml"));
    assert!(inner.len() > 3, "they are found");
    for (name, _) in inner {
        // `macros` is always on here.
        if matches!(name, "default" | "macros") {
            continue;
        }
        let forwarded = format!(r#""vernal-core/{name}""#);
        let found = own.iter().find(|(own, _)| *own == name);
        let means = found.map(|(_, means)| means.contains(&forwarded));
        assert_eq!(means, Some(true), "`{name}` is not forwarded");
    }
}

/// What models over HTTP share can be named whichever of them is on.
#[cfg(feature = "http-client")]
#[test]
fn what_models_share_can_be_named() {
    use vernal::models::capabilities::CapabilityTable;
    use vernal::models::http::{HttpLimits, RetryPolicy};

    let set = |builder: vernal::models::ModelBuilder<()>| {
        builder
            .retry(RetryPolicy::never())
            .limits(HttpLimits::default())
            .capabilities(CapabilityTable::built_in())
    };
    let _ = set(vernal::models::ModelBuilder::default());
}
