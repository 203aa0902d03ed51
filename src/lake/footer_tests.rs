use super::*;
use parquet::schema::parser::parse_message_type;

/// A column as `name: type`, its parts in brackets.
fn told(columns: &[Column]) -> String {
    let all = columns.iter().map(|column| {
        let inner = match column.children.is_empty() {
            true => String::new(),
            false => format!("<{}>", told(&column.children)),
        };
        let id = column.id.map(|id| format!("{id} ")).unwrap_or_default();
        format!("{id}{}: {}{inner}", column.name, column.type_text)
    });
    all.collect::<Vec<_>>().join(", ")
}

fn of(message: &str) -> String {
    told(&fields(
        &parse_message_type(&format!("message m {{ {message} }}")).unwrap(),
        0,
    ))
}

#[test]
fn each_type_has_its_word() {
    for (field, word) in [
        ("boolean", "boolean"),
        ("int32", "int"),
        ("int64", "long"),
        ("int96", "timestamptz"),
        ("float", "float"),
        ("double", "double"),
        ("binary", "binary"),
        ("fixed_len_byte_array(7)", "fixed[7]"),
    ] {
        assert_eq!(of(&format!("optional {field} a;")), format!("a: {word}"));
    }
    for (field, mark, word) in [
        ("binary", "UTF8", "string"),
        ("binary", "STRING", "string"),
        ("binary", "JSON", "string"),
        ("int32", "DATE", "date"),
        ("int32", "INT_8", "tinyint"),
        ("int32", "INTEGER(16, true)", "smallint"),
        ("int64", "INTEGER(64, false)", "uint64"),
        ("int64", "TIMESTAMP_MICROS", "timestamptz"),
        ("int64", "TIMESTAMP(MICROS, false)", "timestamp"),
        ("int64", "TIMESTAMP(NANOS, true)", "timestamptz_ns"),
        ("int64", "TIME(MICROS, true)", "time"),
        ("int64", "DECIMAL(12, 2)", "decimal(12, 2)"),
        ("fixed_len_byte_array(16)", "UUID", "uuid"),
    ] {
        assert_eq!(
            of(&format!("optional {field} a ({mark});")),
            format!("a: {word}"),
            "{mark}"
        );
    }
}

#[test]
fn lists_are_told_apart_as_the_format_says() {
    let three = "optional group l (LIST) { repeated group list { optional int32 element; } }";
    assert_eq!(of(three), "l: list<element: int>");
    let two = "optional group l (LIST) { repeated int32 element; }";
    assert_eq!(of(two), "l: list<element: int>");
    let array = "optional group l (LIST) { repeated group array { optional int32 x; } }";
    assert_eq!(of(array), "l: list<element: struct<x: int>>");
    let tuple = "optional group l (LIST) { repeated group l_tuple { optional int32 x; } }";
    assert_eq!(of(tuple), "l: list<element: struct<x: int>>");
    let fields = "optional group l (LIST) { repeated group element { optional int32 x; optional int32 y; } }";
    assert_eq!(of(fields), "l: list<element: struct<x: int, y: int>>");
    assert_eq!(of("repeated int32 l;"), "l: list<element: int>");
}

#[test]
fn maps_and_structs_keep_their_parts_and_their_ids() {
    let map = "optional group m (MAP) = 3 { repeated group entries { required binary k (UTF8) = 4; optional int64 v = 5; } }";
    assert_eq!(of(map), "3 m: map<4 key: string, 5 value: long>");
    // A map without values is read as what it is.
    let broken = "optional group m (MAP) { repeated group entries { required binary k (UTF8); } }";
    assert!(of(broken).starts_with("m: struct<"), "{}", of(broken));
    let inner = "optional group s = 1 { optional group t = 2 { required int32 x = 3; } }";
    assert_eq!(of(inner), "1 s: struct<2 t: struct<3 x: int>>");
}

#[test]
fn what_is_no_footer_is_refused() {
    let refused = |bytes: &[u8]| length(bytes).unwrap_err();
    assert_eq!(refused(b"PAR1"), "it is too short");
    assert_eq!(refused(b"....ORC_"), "it is not Parquet");
    assert_eq!(refused(b"\x10\0\0\0PARE"), "its footer is encrypted");
    assert_eq!(length(b"\x10\0\0\0PAR1").unwrap(), 24);
    for bytes in [
        &b"\x02\0\0\0PAR1"[..],
        b"\xff\xff\xff\xffPAR1",
        b"xxxxxxxx\x08\0\0\0PAR1",
    ] {
        assert!(read(&Bytes::copy_from_slice(bytes)).is_err());
    }
}

/// The files of the demo's lake with this ending.
pub(crate) fn files(ending: &'static str) -> Vec<&'static [u8]> {
    let all = crate::demo::lake::files();
    all.filter(|(name, _)| name.ends_with(ending))
        .map(|(_, bytes)| bytes)
        .collect()
}

#[test]
fn every_footer_of_the_lake_is_read() {
    let files = files(".parquet");
    assert!(files.len() > 20);
    for bytes in files {
        assert!(length(bytes).unwrap() < bytes.len() as u64);
        let file = read(&Bytes::from_static(bytes)).unwrap();
        assert!(!file.columns.is_empty() && file.rows > 0);
        let packed = file.compression.unwrap();
        assert!(packed.bytes().all(|byte| byte.is_ascii_uppercase()), "{packed}");
    }
}

proptest::proptest! {
    #[test]
    fn a_damaged_footer_is_read_or_refused(which in 0usize..1000, damage in proptest::collection::vec((0usize..100_000, proptest::prelude::any::<u8>()), 1..8)) {
        let files = files(".parquet");
        let mut bytes = files[which % files.len()].to_vec();
        let from = bytes.len().saturating_sub(usize::try_from(length(&bytes).unwrap()).unwrap());
        for (at, byte) in damage {
            // The magic word stays, else nothing is looked at.
            let room = bytes.len() - 4 - from;
            bytes[from + at % room] = byte;
        }
        let _ = read(&Bytes::from(bytes));
    }
}
