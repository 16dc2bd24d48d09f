//! The types whose schemas are kept.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet, HashMap, HashSet, VecDeque};
use std::num::{NonZeroI8, NonZeroU16};
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

macro_rules! shapes {
    ($($shape:item)*) => {
        $(
            #[derive(Debug, Serialize, Deserialize, JsonSchema)]
            $shape
        )*
    };
}

pub(crate) use shapes;

shapes! {
    pub(crate) struct Scalars {
        a_bool: bool,
        b_char: char,
        c_string: String,
        d_u8: u8,
        e_u64: u64,
        f_u128: u128,
        g_usize: usize,
        h_i8: i8,
        i_i64: i64,
        j_i128: i128,
        k_f32: f32,
        l_f64: f64,
        m_nonzero: NonZeroU16,
        n_nonzero: NonZeroI8,
        o_unit: (),
        p_number: serde_json::Number,
    }

    pub(crate) struct Pointers {
        boxed: Box<u8>,
        shared: Arc<str>,
        counted: Rc<u8>,
        cow: Cow<'static, str>,
        boxed_struct: Box<Leaf>,
    }

    pub(crate) struct Containers {
        array: [u8; 3],
        btree_map: BTreeMap<String, Leaf>,
        by_number: BTreeMap<i32, bool>,
        by_natural_number: HashMap<u8, bool>,
        by_enum: BTreeMap<Level, u8>,
        deque: VecDeque<bool>,
        map: HashMap<String, u8>,
        nested: Vec<Vec<Option<u8>>>,
        option: Option<u8>,
        option_struct: Option<Leaf>,
        option_option: Option<Option<bool>>,
        set: BTreeSet<u8>,
        hash_set: HashSet<String>,
        slice: Box<[Leaf]>,
        tuple: (u8, String, Leaf),
        vec: Vec<Leaf>,
    }

    pub(crate) struct Anything {
        any: Value,
        list: Vec<Value>,
        map: Map<String, Value>,
        option: Option<Value>,
    }

    pub(crate) struct Leaf {
        z: u8,
        a: Option<String>,
    }

    pub(crate) struct Nested {
        outer: Middle,
        again: Middle,
    }

    pub(crate) struct Middle {
        leaf: Leaf,
    }

    pub(crate) struct Empty {}

    /// Has words, but no fields.
    pub(crate) struct EmptyWithWords {}

    pub(crate) struct HoldsEmpty {
        empty: Empty,
        described: EmptyWithWords,
    }

    /// A tree.
    pub(crate) struct Tree {
        value: u8,
        children: Vec<Tree>,
    }

    pub(crate) struct List {
        next: Option<Box<List>>,
    }

    pub(crate) struct Person {
        home: Option<Box<House>>,
    }

    pub(crate) struct House {
        people: Vec<Person>,
        tree: Tree,
    }

    pub(crate) struct Newtypes {
        id: Id,
        number: Number,
        list: Numbers,
        pair: Pair,
        transparent: Transparent,
    }

    pub(crate) struct Id(String);

    pub(crate) struct Number(f64);

    pub(crate) struct Numbers(Vec<Number>);

    pub(crate) struct Pair(u8, bool);

    #[serde(transparent)]
    pub(crate) struct Transparent { only: u16 }

    #[derive(PartialEq, Eq, PartialOrd, Ord)]
    pub(crate) enum Level { Low, High }

    pub(crate) enum Documented {
        /// The first.
        First,
        /// The second.
        Second,
    }

    pub(crate) enum External {
        Unit,
        Newtype(Leaf),
        Tuple(u8, String),
        Struct { x: u8, y: Option<u8> },
    }

    #[serde(tag = "kind")]
    pub(crate) enum Internal {
        Unit,
        Newtype(Leaf),
        Struct { x: u8 },
        Map(BTreeMap<String, u8>),
    }

    #[serde(tag = "t", content = "c")]
    pub(crate) enum Adjacent {
        Unit,
        Newtype(Leaf),
        Tuple(u8, String),
        Struct { x: u8 },
    }

    #[serde(untagged)]
    pub(crate) enum Untagged {
        Number(u8),
        Text(String),
        Struct { x: u8 },
        Leaf(Leaf),
    }

    #[serde(tag = "outer")]
    pub(crate) enum Twice {
        Inner(Internal),
        Other { y: u8 },
    }

    pub(crate) struct HoldsEnums {
        level: Level,
        documented: Documented,
        external: External,
        internal: Internal,
        adjacent: Adjacent,
        untagged: Untagged,
        maybe: Option<Internal>,
    }

    pub(crate) struct FlatStruct {
        a_own: u8,
        #[serde(flatten)]
        leaf: Leaf,
    }

    pub(crate) struct FlatOption {
        own: u8,
        #[serde(flatten)]
        leaf: Option<Leaf>,
    }

    pub(crate) struct FlatMap {
        own: u8,
        #[serde(flatten)]
        rest: BTreeMap<String, u8>,
    }

    pub(crate) struct FlatAnything {
        own: u8,
        #[serde(flatten)]
        rest: Map<String, Value>,
    }

    pub(crate) struct FlatExternal {
        own: u8,
        #[serde(flatten)]
        one: External,
    }

    pub(crate) struct FlatInternal {
        own: String,
        #[serde(flatten)]
        one: Internal,
    }

    pub(crate) struct FlatAlone {
        #[serde(flatten)]
        one: Internal,
    }

    pub(crate) struct FlatTwo {
        own: bool,
        #[serde(flatten)]
        one: Internal,
        #[serde(flatten)]
        two: Adjacent,
    }

    #[serde(deny_unknown_fields)]
    pub(crate) struct FlatDenied {
        own: u8,
        #[serde(flatten)]
        one: Choice,
    }

    #[serde(tag = "choice")]
    pub(crate) enum Choice { A { a: u8 }, B }

    #[serde(rename_all = "camelCase")]
    pub(crate) struct Renamed {
        some_field: u8,
        #[serde(rename = "type")]
        kind: u8,
        #[serde(alias = "old_name")]
        new_name: u8,
        #[serde(skip)]
        #[expect(dead_code, reason = "left out")]
        skipped: u8,
        some_enum: RenamedEnum,
    }

    #[serde(rename_all = "kebab-case", tag = "the-tag")]
    pub(crate) enum RenamedEnum {
        FirstVariant,
        #[serde(rename = "2nd")]
        SecondVariant {
            #[serde(rename = "x-y")]
            x: u8,
        },
    }

    pub(crate) struct NamesLikeKeywords {
        properties: u8,
        required: Vec<u8>,
        title: String,
        format: String,
        #[serde(rename = "$ref")]
        reference: String,
        #[serde(rename = "additionalProperties")]
        additional: Leaf,
    }

    /// About the whole.
    pub(crate) struct Described {
        /// About a field.
        ///
        /// With a second paragraph.
        doc: u8,
        #[schemars(description = "About another")]
        attribute: u8,
        /// About a reference.
        leaf: DescribedLeaf,
        plain: DescribedLeaf,
        #[schemars(title = "Not kept", example = 3, range(min = 1, max = 9))]
        bounded: u8,
        #[schemars(length(min = 1, max = 5), extend("format" = "email"))]
        text: String,
        #[deprecated]
        old: Option<u8>,
    }

    /// About the leaf.
    pub(crate) struct DescribedLeaf {
        /// About x.
        x: u8,
    }

    #[serde(default)]
    pub(crate) struct Defaults {
        number: u8,
        text: String,
        list: Vec<u8>,
        nested: Wait,
        #[serde(skip_serializing_if = "Option::is_none")]
        left_out: Option<u8>,
    }

    pub(crate) struct SomeDefaults {
        needed: u8,
        #[serde(default)]
        zero: u8,
        #[serde(default = "seven")]
        seven: u8,
    }

    #[derive(Default)]
    pub(crate) struct Wait { time: Duration }

    pub(crate) struct Foreign {
        duration: Duration,
        ip: std::net::IpAddr,
        path: std::path::PathBuf,
        range: std::ops::Range<u8>,
        result: Result<u8, String>,
        #[schemars(with = "String", extend("format" = "uuid"))]
        uuid: Vec<u8>,
    }

    pub(crate) struct Dates {
        chrono_date: chrono::NaiveDate,
        chrono_time: chrono::DateTime<chrono::Utc>,
        chrono_weekday: chrono::Weekday,
        jiff_date: jiff02::civil::Date,
        jiff_datetime: jiff02::civil::DateTime,
        jiff_time: jiff02::civil::Time,
        jiff_timestamp: jiff02::Timestamp,
        jiff_span: jiff02::Span,
        jiff_zoned: Option<jiff02::Zoned>,
    }

    pub(crate) struct JiffOne {
        #[schemars(with = "String", extend("format" = "date"))]
        date: jiff::civil::Date,
        #[schemars(with = "Option<String>", extend("format" = "date-time"))]
        timestamp: Option<jiff::Timestamp>,
    }
}

#[allow(
    clippy::derivable_impls,
    deprecated,
    reason = "the values are in the schema"
)]
impl Default for Defaults {
    fn default() -> Self {
        Self {
            number: 3,
            text: "x".to_owned(),
            list: vec![1, 2],
            nested: Wait {
                time: Duration::from_millis(1500),
            },
            left_out: None,
        }
    }
}

fn seven() -> u8 {
    7
}
