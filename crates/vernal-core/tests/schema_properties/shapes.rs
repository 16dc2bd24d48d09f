//! Types of every supported shape, and values of them.

use std::collections::{BTreeMap, BTreeSet};

use proptest::collection::{btree_map, btree_set, vec};
use proptest::option;
use proptest::prelude::*;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

macro_rules! shapes {
    ($($shape:item)*) => {
        $(
            #[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
            $shape
        )*
    };
}

shapes! {
    pub(crate) struct Scalars {
        a: bool,
        b: char,
        c: String,
        d: u8,
        e: u64,
        f: i16,
        g: i128,
        h: f64,
        i: f32,
        unit: (),
        j: Option<i32>,
    }

    pub(crate) struct Containers {
        list: Vec<u8>,
        lists: Vec<Vec<Option<bool>>>,
        map: BTreeMap<String, u16>,
        by_number: BTreeMap<i32, bool>,
        set: BTreeSet<u8>,
        tuple: (u8, String, Leaf),
        array: [bool; 2],
        leaves: BTreeMap<String, Leaf>,
        maybe: Option<Leaf>,
        id: Id,
    }

    pub(crate) struct Leaf {
        z: u8,
        #[serde(skip_serializing_if = "Option::is_none")]
        a: Option<String>,
        #[serde(default)]
        list: Vec<u8>,
    }

    pub(crate) struct Id(u32);

    #[serde(rename_all = "camelCase")]
    pub(crate) struct Tree {
        own_value: u8,
        #[serde(rename = "the children", default)]
        children: Vec<Tree>,
        left: Option<Box<Tree>>,
    }

    pub(crate) enum External {
        Unit,
        Newtype(Leaf),
        Tuple(u8, bool),
        Struct { x: u8, y: Option<bool> },
    }

    #[serde(tag = "kind")]
    pub(crate) enum Internal {
        Unit,
        Newtype(Leaf),
        Struct { x: u8 },
        Again(Inner),
    }

    #[serde(tag = "inner")]
    pub(crate) enum Inner {
        First { p: bool },
        Second,
    }

    #[serde(tag = "t", content = "c")]
    pub(crate) enum Adjacent {
        Unit,
        Newtype(Leaf),
        Tuple(u8, bool),
        Struct { x: u8 },
    }

    pub(crate) struct Enums {
        external: External,
        internal: Internal,
        adjacent: Adjacent,
        maybe: Option<External>,
        list: Vec<Internal>,
    }

    pub(crate) struct FlatStruct {
        own: u8,
        #[serde(flatten)]
        leaf: Leaf,
    }

    pub(crate) struct FlatEnum {
        own: String,
        #[serde(flatten)]
        one: Internal,
        #[serde(flatten)]
        two: Adjacent,
    }

    pub(crate) struct FlatVariantMap {
        own: String,
        #[serde(flatten)]
        one: WithMap,
    }

    #[serde(tag = "kind")]
    pub(crate) enum WithMap {
        Map(BTreeMap<String, u8>),
        Struct { x: bool },
    }

    pub(crate) struct FlatExternal {
        own: String,
        #[serde(flatten)]
        one: Marked,
    }

    /// As [`External`], with variants that serde can read when flattened.
    pub(crate) enum Marked {
        Newtype(Leaf),
        Struct { x: u8 },
    }

    pub(crate) struct FlatMap {
        own: String,
        #[serde(flatten)]
        rest: BTreeMap<String, u8>,
    }

    #[serde(untagged)]
    pub(crate) enum Untagged {
        Number(u8),
        Text(String),
        // serde reads structs from arrays too, so that this one has to come before them.
        List(Vec<Untagged>),
        Struct { x: bool },
        Leaf(Leaf),
    }

    pub(crate) struct HoldsUntagged {
        one: Untagged,
        many: BTreeMap<String, Untagged>,
    }
}

fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        any::<String>(),
        "[a-z0-9.e+-]{0,6}",
        Just("null".to_owned()),
        Just("[1]".to_owned())
    ]
}

fn name() -> impl Strategy<Value = String> {
    prop_oneof!["[a-z]{1,4}", "k\\PC{0,3}"]
}

fn finite() -> impl Strategy<Value = f64> {
    any::<f64>().prop_filter("JSON has no such number", |number| number.is_finite())
}

pub(crate) fn scalars() -> impl Strategy<Value = Scalars> {
    let floats = (
        finite(),
        any::<f32>().prop_filter("JSON", |number| number.is_finite()),
    );
    let small = (any::<bool>(), any::<char>(), text(), any::<u8>());
    // A `serde_json::Value` cannot hold wider ones.
    let wide = any::<i64>().prop_map(i128::from);
    (
        small,
        any::<u64>(),
        any::<i16>(),
        wide,
        floats,
        any::<Option<i32>>(),
    )
        .prop_map(|((a, b, c, d), e, f, g, (h, i), j)| Scalars {
            a,
            b,
            c,
            d,
            e,
            f,
            g,
            h,
            i,
            unit: (),
            j,
        })
}

pub(crate) fn leaf() -> impl Strategy<Value = Leaf> {
    (any::<u8>(), option::of(text()), vec(any::<u8>(), 0..3)).prop_map(|(z, a, list)| Leaf {
        z,
        a,
        list,
    })
}

pub(crate) fn containers() -> impl Strategy<Value = Containers> {
    let lists = (
        vec(any::<u8>(), 0..4),
        vec(vec(any::<Option<bool>>(), 0..3), 0..3),
    );
    let maps = (
        btree_map(name(), any::<u16>(), 0..3),
        btree_map(any::<i32>(), any::<bool>(), 0..3),
    );
    let tuple = (any::<u8>(), text(), leaf());
    let more = (
        btree_map(name(), leaf(), 0..3),
        option::of(leaf()),
        any::<u32>(),
    );
    (
        lists,
        maps,
        btree_set(any::<u8>(), 0..3),
        tuple,
        any::<[bool; 2]>(),
        more,
    )
        .prop_map(
            |((list, lists), (map, by_number), set, tuple, array, (leaves, maybe, id))| {
                Containers {
                    list,
                    lists,
                    map,
                    by_number,
                    set,
                    tuple,
                    array,
                    leaves,
                    maybe,
                    id: Id(id),
                }
            },
        )
}

pub(crate) fn tree() -> impl Strategy<Value = Tree> {
    let end = any::<u8>().prop_map(|own_value| Tree {
        own_value,
        children: Vec::new(),
        left: None,
    });
    end.prop_recursive(4, 12, 3, |inner| {
        (
            any::<u8>(),
            vec(inner.clone(), 0..3),
            option::of(inner.prop_map(Box::new)),
        )
            .prop_map(|(own_value, children, left)| Tree {
                own_value,
                children,
                left,
            })
    })
}

fn external() -> impl Strategy<Value = External> {
    prop_oneof![
        Just(External::Unit),
        leaf().prop_map(External::Newtype),
        any::<(u8, bool)>().prop_map(|(a, b)| External::Tuple(a, b)),
        any::<(u8, Option<bool>)>().prop_map(|(x, y)| External::Struct { x, y }),
    ]
}

pub(crate) fn internal() -> impl Strategy<Value = Internal> {
    prop_oneof![
        Just(Internal::Unit),
        leaf().prop_map(Internal::Newtype),
        any::<u8>().prop_map(|x| Internal::Struct { x }),
        any::<bool>().prop_map(|p| Internal::Again(Inner::First { p })),
        Just(Internal::Again(Inner::Second)),
    ]
}

fn adjacent() -> impl Strategy<Value = Adjacent> {
    prop_oneof![
        Just(Adjacent::Unit),
        leaf().prop_map(Adjacent::Newtype),
        any::<(u8, bool)>().prop_map(|(a, b)| Adjacent::Tuple(a, b)),
        any::<u8>().prop_map(|x| Adjacent::Struct { x }),
    ]
}

pub(crate) fn enums() -> impl Strategy<Value = Enums> {
    (
        external(),
        internal(),
        adjacent(),
        option::of(external()),
        vec(internal(), 0..3),
    )
        .prop_map(|(external, internal, adjacent, maybe, list)| Enums {
            external,
            internal,
            adjacent,
            maybe,
            list,
        })
}

pub(crate) fn flat_struct() -> impl Strategy<Value = FlatStruct> {
    (any::<u8>(), leaf()).prop_map(|(own, leaf)| FlatStruct { own, leaf })
}

pub(crate) fn flat_enum() -> impl Strategy<Value = FlatEnum> {
    (text(), internal(), adjacent()).prop_map(|(own, one, two)| FlatEnum { own, one, two })
}

pub(crate) fn flat_variant_map() -> impl Strategy<Value = FlatVariantMap> {
    let one = prop_oneof![
        btree_map("[a-j]", any::<u8>(), 0..3).prop_map(WithMap::Map),
        any::<bool>().prop_map(|x| WithMap::Struct { x }),
    ];
    (text(), one).prop_map(|(own, one)| FlatVariantMap { own, one })
}

pub(crate) fn flat_external() -> impl Strategy<Value = FlatExternal> {
    let one = prop_oneof![
        leaf().prop_map(Marked::Newtype),
        any::<u8>().prop_map(|x| Marked::Struct { x }),
    ];
    (text(), one).prop_map(|(own, one)| FlatExternal { own, one })
}

pub(crate) fn flat_map() -> impl Strategy<Value = FlatMap> {
    let rest = btree_map("[a-n]{1,3}", any::<u8>(), 0..4);
    (text(), rest).prop_map(|(own, rest)| FlatMap { own, rest })
}

pub(crate) fn untagged() -> impl Strategy<Value = HoldsUntagged> {
    let one = prop_oneof![
        any::<u8>().prop_map(Untagged::Number),
        text().prop_map(Untagged::Text),
        any::<bool>().prop_map(|x| Untagged::Struct { x }),
        leaf().prop_map(Untagged::Leaf),
    ];
    let one = one.prop_recursive(3, 8, 3, |inner| vec(inner, 0..3).prop_map(Untagged::List));
    (one.clone(), btree_map(name(), one, 0..3)).prop_map(|(one, many)| HoldsUntagged { one, many })
}
