//! The footer of a Parquet file: its columns in Iceberg's words, its rows, who wrote it.
//! Format: <https://parquet.apache.org/docs/file-format/>, and for lists and maps
//! <https://github.com/apache/parquet-format/blob/master/LogicalTypes.md#nested-types>.

use crate::domain::schema::Column;
use crate::domain::sides::DataFile;
use crate::domain::text::scrub;
use bytes::Bytes;
use parquet::basic::{ConvertedType, LogicalType, Repetition, TimeUnit, Type as Physical};
use parquet::file::metadata::ParquetMetaDataReader;
use parquet::schema::types::Type;

/// Bytes of the smallest file that can be Parquet.
pub(super) const SMALLEST: u64 = 12;
/// The footer's length and the magic word.
const END: usize = 8;
/// Fields in fields that are followed: the parser of the format follows no more.
const DEEPEST: usize = 100;

/// How many bytes of the file's end the footer takes.
///
/// # Errors
/// Why it is no Parquet file whose footer can be read, in words that go on after "it".
pub(super) fn length(tail: &[u8]) -> Result<u64, String> {
    let end = tail.len().checked_sub(END).and_then(|at| tail.get(at..));
    let Some([a, b, c, d, magic @ ..]) = end else {
        return Err("it is too short".to_owned());
    };
    match magic {
        b"PAR1" => Ok(u64::from(u32::from_le_bytes([*a, *b, *c, *d])) + END as u64),
        b"PARE" => Err("its footer is encrypted".to_owned()),
        _ => Err("it is not Parquet".to_owned()),
    }
}

/// Reads a footer.
///
/// # Errors
/// Why it cannot be read.
pub(super) fn read(tail: &Bytes) -> Result<DataFile, String> {
    let metadata = ParquetMetaDataReader::new()
        .parse_and_finish(tail)
        .map_err(|why| why.to_string())?;
    let file = metadata.file_metadata();
    let packed = metadata
        .row_groups()
        .iter()
        .find_map(|group| group.columns().first())
        // `ZSTD(ZstdLevel(1))`: the level is the crate's guess, no file tells it.
        .and_then(|column| {
            let word = column.compression().to_string();
            word.split('(').next().map(scrub)
        });
    Ok(DataFile {
        rows: u64::try_from(file.num_rows()).unwrap_or(0),
        row_groups: metadata.num_row_groups() as u64,
        compression: packed,
        written_by: file.created_by().map(scrub),
        columns: fields(file.schema(), 0),
        ..DataFile::default()
    })
}

fn fields(group: &Type, depth: usize) -> Vec<Column> {
    if depth > DEEPEST || !group.is_group() {
        return Vec::new();
    }
    let all = group.get_fields().iter();
    all.map(|field| column(field, depth)).collect()
}

fn column(field: &Type, depth: usize) -> Column {
    let info = field.get_basic_info();
    let repeated = info.has_repetition() && info.repetition() == Repetition::REPEATED;
    let own = unrepeated(field, depth);
    if !repeated {
        return own;
    }
    // A list as the oldest writers have it: the field itself comes again and again.
    Column {
        name: own.name.clone(),
        type_text: "list".to_owned(),
        id: own.id,
        required: true,
        children: vec![Column {
            name: "element".to_owned(),
            required: true,
            ..own
        }],
        ..Column::default()
    }
}

fn unrepeated(field: &Type, depth: usize) -> Column {
    let info = field.get_basic_info();
    let mut column = Column {
        name: scrub(field.name()),
        id: info.has_id().then(|| info.id()),
        required: info.has_repetition() && info.repetition() == Repetition::REQUIRED,
        ..Column::default()
    };
    if field.is_primitive() {
        column.type_text = primitive(field);
        return column;
    }
    let inner = match field.get_fields() {
        [inner] => Some(inner.as_ref()),
        _ => None,
    };
    let marked = |logical: &LogicalType, converted: &[ConvertedType]| {
        info.logical_type_ref() == Some(logical) || converted.contains(&info.converted_type())
    };
    let (kind, children) = match inner {
        Some(inner) if marked(&LogicalType::List, &[ConvertedType::LIST]) => {
            ("list", vec![element(inner, field.name(), depth + 1)])
        }
        Some(entries)
            if marked(
                &LogicalType::Map,
                &[ConvertedType::MAP, ConvertedType::MAP_KEY_VALUE],
            ) && entries.is_group()
                && entries.get_fields().len() == 2 =>
        {
            let named = ["key", "value"].into_iter().zip(fields(entries, depth + 1));
            ("map", named.map(|(name, part)| part_of(name, part)).collect())
        }
        _ if matches!(info.logical_type_ref(), Some(LogicalType::Variant { .. })) => ("variant", Vec::new()),
        _ => ("struct", fields(field, depth + 1)),
    };
    column.type_text = kind.to_owned();
    column.children = children;
    column
}

fn part_of(name: &str, part: Column) -> Column {
    Column {
        name: name.to_owned(),
        ..part
    }
}

/// What a list holds. Writers disagree on whether there is a level between the two: the format's own rules of how to tell.
fn element(repeated: &Type, list: &str, depth: usize) -> Column {
    let is_level = repeated.is_group()
        && repeated.get_fields().len() == 1
        && repeated.name() != "array"
        && repeated.name() != format!("{list}_tuple");
    match repeated.is_group().then(|| repeated.get_fields()) {
        Some([inner]) if is_level && depth < DEEPEST => part_of("element", column(inner, depth + 1)),
        _ => part_of("element", unrepeated(repeated, depth)),
    }
}

fn primitive(field: &Type) -> String {
    let info = field.get_basic_info();
    let physical = field.get_physical_type();
    let by_logical = info.logical_type_ref().and_then(of_logical);
    let by_converted = || of_converted(info.converted_type(), field);
    by_logical
        .or_else(by_converted)
        .unwrap_or_else(|| match physical {
            Physical::BOOLEAN => "boolean".to_owned(),
            Physical::INT32 => "int".to_owned(),
            Physical::INT64 => "long".to_owned(),
            // Impala's, Hive's and old Spark's way to store an instant.
            Physical::INT96 => "timestamptz".to_owned(),
            Physical::FLOAT => "float".to_owned(),
            Physical::DOUBLE => "double".to_owned(),
            Physical::BYTE_ARRAY => "binary".to_owned(),
            Physical::FIXED_LEN_BYTE_ARRAY => format!("fixed[{}]", fixed(field)),
        })
}

fn fixed(field: &Type) -> i32 {
    match field {
        Type::PrimitiveType { type_length, .. } => *type_length,
        Type::GroupType { .. } => 0,
    }
}

fn of_logical(logical: &LogicalType) -> Option<String> {
    let zone = |zoned: bool| if zoned { "tz" } else { "" };
    Some(match logical {
        LogicalType::String | LogicalType::Enum | LogicalType::Json => "string".to_owned(),
        LogicalType::Decimal { scale, precision } => format!("decimal({precision}, {scale})"),
        LogicalType::Date => "date".to_owned(),
        LogicalType::Time { .. } => "time".to_owned(),
        LogicalType::Timestamp {
            is_adjusted_to_u_t_c,
            unit,
        } => {
            let nanos = if matches!(unit, TimeUnit::NANOS) {
                "_ns"
            } else {
                ""
            };
            format!("timestamp{}{nanos}", zone(*is_adjusted_to_u_t_c))
        }
        LogicalType::Integer { bit_width, is_signed } => integer(i32::from(*bit_width), *is_signed),
        LogicalType::Bson => "binary".to_owned(),
        LogicalType::Uuid => "uuid".to_owned(),
        LogicalType::Float16 => "float16".to_owned(),
        LogicalType::Geometry { .. } => "geometry".to_owned(),
        LogicalType::Geography { .. } => "geography".to_owned(),
        LogicalType::Unknown => "unknown".to_owned(),
        _ => return None,
    })
}

fn integer(bits: i32, signed: bool) -> String {
    match (bits, signed) {
        (8, true) => "tinyint".to_owned(),
        (16, true) => "smallint".to_owned(),
        (32, true) => "int".to_owned(),
        (64, true) => "long".to_owned(),
        (bits, true) => format!("int{bits}"),
        (bits, false) => format!("uint{bits}"),
    }
}

/// The older words for the same.
fn of_converted(converted: ConvertedType, field: &Type) -> Option<String> {
    Some(match converted {
        ConvertedType::UTF8 | ConvertedType::ENUM | ConvertedType::JSON => "string".to_owned(),
        ConvertedType::DECIMAL => match field {
            Type::PrimitiveType { scale, precision, .. } => format!("decimal({precision}, {scale})"),
            Type::GroupType { .. } => return None,
        },
        ConvertedType::DATE => "date".to_owned(),
        ConvertedType::TIME_MILLIS | ConvertedType::TIME_MICROS => "time".to_owned(),
        ConvertedType::TIMESTAMP_MILLIS | ConvertedType::TIMESTAMP_MICROS => "timestamptz".to_owned(),
        ConvertedType::INT_8 => integer(8, true),
        ConvertedType::INT_16 => integer(16, true),
        ConvertedType::INT_32 => integer(32, true),
        ConvertedType::INT_64 => integer(64, true),
        ConvertedType::UINT_8 => integer(8, false),
        ConvertedType::UINT_16 => integer(16, false),
        ConvertedType::UINT_32 => integer(32, false),
        ConvertedType::UINT_64 => integer(64, false),
        ConvertedType::BSON => "binary".to_owned(),
        ConvertedType::INTERVAL => "interval".to_owned(),
        _ => return None,
    })
}

#[cfg(test)]
#[path = "footer_tests.rs"]
pub(crate) mod tests;
