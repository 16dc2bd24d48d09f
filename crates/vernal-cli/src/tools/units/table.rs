//! The units. Each line: symbol, English name, what else it is called, and how many of the kind's
//! first unit it is.

/// What is measured.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Kind {
    Length,
    Mass,
    Temperature,
    Volume,
    Area,
    Speed,
    Time,
    Data,
}

impl Kind {
    pub(crate) fn name(self) -> &'static str {
        match self {
            Self::Length => "length",
            Self::Mass => "mass",
            Self::Temperature => "temperature",
            Self::Volume => "volume",
            Self::Area => "area",
            Self::Speed => "speed",
            Self::Time => "time",
            Self::Data => "data",
        }
    }
}

pub(crate) struct Unit {
    pub(crate) kind: Kind,
    pub(crate) symbol: &'static str,
    pub(crate) name: &'static str,
    also: &'static [&'static str],
    pub(crate) factor: f64,
    /// What is added after the factor: only temperatures have it.
    pub(crate) offset: f64,
}

impl Unit {
    /// Everything the unit is called.
    pub(crate) fn names(&self) -> impl Iterator<Item = &'static str> {
        [self.symbol, self.name]
            .into_iter()
            .chain(self.also.iter().copied())
    }
}

const fn unit(
    kind: Kind,
    symbol: &'static str,
    name: &'static str,
    also: &'static [&'static str],
    factor: f64,
) -> Unit {
    Unit {
        kind,
        symbol,
        name,
        also,
        factor,
        offset: 0.0,
    }
}

const fn degree(
    symbol: &'static str,
    name: &'static str,
    also: &'static [&'static str],
    factor: f64,
    offset: f64,
) -> Unit {
    Unit {
        kind: Kind::Temperature,
        symbol,
        name,
        also,
        factor,
        offset,
    }
}

use Kind::{Area, Data, Length, Mass, Speed, Time, Volume};

// One line for each unit, whatever its length.
#[rustfmt::skip]
pub(crate) static UNITS: &[Unit] = &[
    unit(Length, "m", "metre", &["meter", "metres", "meters", "미터"], 1.0),
    unit(Length, "km", "kilometre", &["kilometer", "kilometres", "kilometers", "킬로미터", "킬로"], 1e3),
    unit(Length, "cm", "centimetre", &["centimeter", "centimetres", "센티미터", "센티"], 1e-2),
    unit(Length, "mm", "millimetre", &["millimeter", "millimetres", "밀리미터", "밀리"], 1e-3),
    unit(Length, "µm", "micrometre", &["um", "μm", "micrometer", "micron", "마이크로미터"], 1e-6),
    unit(Length, "nm", "nanometre", &["nanometer", "나노미터"], 1e-9),
    unit(Length, "in", "inch", &["inches", "\"", "인치"], 0.0254),
    unit(Length, "ft", "foot", &["feet", "'", "피트"], 0.3048),
    unit(Length, "yd", "yard", &["야드"], 0.9144),
    unit(Length, "mi", "mile", &["마일"], 1609.344),
    unit(Length, "nmi", "nautical mile", &["해리"], 1852.0),
    unit(Length, "자", "ja", &["척"], 10.0 / 33.0),
    unit(Length, "리", "ri", &[], 12960.0 / 33.0),
    unit(Length, "ly", "light year", &["light-year", "lightyear", "광년"], 9_460_730_472_580_800.0),
    unit(Length, "au", "astronomical unit", &["천문단위"], 149_597_870_700.0),

    unit(Mass, "kg", "kilogram", &["kilo", "kilogramme", "킬로그램"], 1.0),
    unit(Mass, "g", "gram", &["gramme", "그램"], 1e-3),
    unit(Mass, "mg", "milligram", &["밀리그램"], 1e-6),
    unit(Mass, "µg", "microgram", &["ug", "μg", "mcg", "마이크로그램"], 1e-9),
    unit(Mass, "t", "tonne", &["metric ton", "ton", "톤"], 1e3),
    unit(Mass, "lb", "pound", &["lbs", "파운드"], 0.453_592_37),
    unit(Mass, "oz", "ounce", &["온스"], 0.028_349_523_125),
    unit(Mass, "st", "stone", &["스톤"], 6.350_293_18),
    unit(Mass, "US ton", "short ton", &[], 907.184_74),
    unit(Mass, "근", "geun", &[], 0.6),
    unit(Mass, "돈", "don", &[], 0.003_75),
    unit(Mass, "관", "gwan", &[], 3.75),

    degree("K", "kelvin", &["켈빈", "절대온도"], 1.0, 0.0),
    degree("°C", "degree Celsius", &["C", "℃", "celsius", "centigrade", "degrees Celsius", "섭씨"], 1.0, 273.15),
    degree("°F", "degree Fahrenheit", &["F", "℉", "fahrenheit", "degrees Fahrenheit", "화씨"], 5.0 / 9.0, 459.67 * 5.0 / 9.0),

    unit(Volume, "L", "litre", &["l", "liter", "리터"], 1.0),
    unit(Volume, "mL", "millilitre", &["ml", "milliliter", "cc", "밀리리터", "씨씨"], 1e-3),
    unit(Volume, "cL", "centilitre", &["cl", "centiliter"], 1e-2),
    unit(Volume, "dL", "decilitre", &["dl", "deciliter", "데시리터"], 0.1),
    unit(Volume, "m³", "cubic metre", &["m3", "m^3", "cubic meter", "세제곱미터", "입방미터"], 1e3),
    unit(Volume, "cm³", "cubic centimetre", &["cm3", "cm^3", "cubic centimeter", "세제곱센티미터"], 1e-3),
    unit(Volume, "ft³", "cubic foot", &["ft3", "ft^3", "cubic feet"], 28.316_846_592),
    unit(Volume, "in³", "cubic inch", &["in3", "in^3", "cubic inches"], 0.016_387_064),
    unit(Volume, "gal", "gallon", &["US gallon", "US gallons", "갤런"], 3.785_411_784),
    unit(Volume, "qt", "quart", &["쿼트"], 0.946_352_946),
    unit(Volume, "pt", "pint", &["파인트"], 0.473_176_473),
    unit(Volume, "cup", "US cup", &["cups", "컵"], 0.236_588_236_5),
    unit(Volume, "fl oz", "fluid ounce", &["floz", "fl. oz", "액량온스"], 0.029_573_529_562_5),
    unit(Volume, "tbsp", "tablespoon", &["테이블스푼", "큰술"], 0.014_786_764_781_25),
    unit(Volume, "tsp", "teaspoon", &["티스푼", "작은술"], 0.004_928_921_593_75),
    unit(Volume, "imp gal", "imperial gallon", &["UK gallon", "UK gallons"], 4.546_09),
    unit(Volume, "imp pt", "imperial pint", &["UK pint", "UK pints"], 0.568_261_25),
    unit(Volume, "되", "doe", &[], 2401.0 / 1331.0),
    unit(Volume, "말", "mal", &[], 24010.0 / 1331.0),

    unit(Area, "m²", "square metre", &["m2", "m^2", "sqm", "square meter", "제곱미터", "평방미터"], 1.0),
    unit(Area, "km²", "square kilometre", &["km2", "km^2", "square kilometer", "제곱킬로미터"], 1e6),
    unit(Area, "cm²", "square centimetre", &["cm2", "cm^2", "square centimeter", "제곱센티미터"], 1e-4),
    unit(Area, "ha", "hectare", &["헥타르"], 1e4),
    unit(Area, "a", "are", &["아르"], 100.0),
    unit(Area, "ac", "acre", &["에이커"], 4_046.856_422_4),
    unit(Area, "ft²", "square foot", &["ft2", "ft^2", "sqft", "sq ft", "square feet", "제곱피트"], 0.092_903_04),
    unit(Area, "in²", "square inch", &["in2", "in^2", "square inches", "제곱인치"], 0.000_645_16),
    unit(Area, "yd²", "square yard", &["yd2", "yd^2"], 0.836_127_36),
    unit(Area, "mi²", "square mile", &["mi2", "mi^2", "제곱마일"], 2_589_988.110_336),
    unit(Area, "평", "pyeong", &["pyung"], 400.0 / 121.0),

    unit(Speed, "m/s", "metre per second", &["mps", "meters per second", "metres per second", "초속"], 1.0),
    unit(Speed, "km/h", "kilometre per hour", &["kph", "kmh", "km/hr", "kilometers per hour", "kilometres per hour", "시속"], 1.0 / 3.6),
    unit(Speed, "mph", "mile per hour", &["mi/h", "miles per hour"], 0.447_04),
    unit(Speed, "kn", "knot", &["kt", "kts", "노트"], 1852.0 / 3600.0),
    unit(Speed, "ft/s", "foot per second", &["fps", "feet per second"], 0.3048),
    unit(Speed, "c", "speed of light", &["광속"], 299_792_458.0),

    unit(Time, "s", "second", &["sec", "초"], 1.0),
    unit(Time, "ms", "millisecond", &["밀리초"], 1e-3),
    unit(Time, "µs", "microsecond", &["us", "μs", "마이크로초"], 1e-6),
    unit(Time, "ns", "nanosecond", &["나노초"], 1e-9),
    unit(Time, "min", "minute", &["분"], 60.0),
    unit(Time, "h", "hour", &["hr", "hrs", "시간"], 3600.0),
    unit(Time, "d", "day", &["일", "하루"], 86_400.0),
    unit(Time, "wk", "week", &["주", "주일"], 604_800.0),
    unit(Time, "yr", "year", &["년", "해"], 31_557_600.0),

    unit(Data, "B", "byte", &["bytes", "바이트"], 1.0),
    unit(Data, "kB", "kilobyte", &["KB", "킬로바이트"], 1e3),
    unit(Data, "MB", "megabyte", &["메가바이트", "메가"], 1e6),
    unit(Data, "GB", "gigabyte", &["기가바이트", "기가"], 1e9),
    unit(Data, "TB", "terabyte", &["테라바이트", "테라"], 1e12),
    unit(Data, "PB", "petabyte", &["페타바이트"], 1e15),
    unit(Data, "KiB", "kibibyte", &["키비바이트"], 1024.0),
    unit(Data, "MiB", "mebibyte", &["메비바이트"], 1_048_576.0),
    unit(Data, "GiB", "gibibyte", &["기비바이트"], 1_073_741_824.0),
    unit(Data, "TiB", "tebibyte", &["테비바이트"], 1_099_511_627_776.0),
    unit(Data, "bit", "bits", &["비트"], 0.125),
    unit(Data, "kb", "kilobit", &["kbit", "킬로비트"], 125.0),
    unit(Data, "Mb", "megabit", &["Mbit", "메가비트"], 125_000.0),
    unit(Data, "Gb", "gigabit", &["Gbit", "기가비트"], 125_000_000.0),
];
