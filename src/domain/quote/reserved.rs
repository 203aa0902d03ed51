//! Reserved words, as the engines' own documentation and parsers list them. Too many only costs a pair of quotes.

use super::Dialect;

/// Whether a bare name would be read as a keyword. Spark has none by default.
pub(super) fn is(name: &str, dialect: Dialect) -> bool {
    let words: &[&str] = match dialect {
        Dialect::Spark => &[],
        Dialect::Trino | Dialect::Athena => &[TRINO],
        Dialect::Hive | Dialect::AthenaDdl => &[HIVE],
        Dialect::DuckDb => &[DUCKDB],
        Dialect::Snowflake => &[SNOWFLAKE],
        // Neither publishes a short list: the union of the others' is on the safe side.
        Dialect::ClickHouse => &[TRINO, HIVE, SNOWFLAKE, CLICKHOUSE],
        Dialect::Pinot => &[TRINO, HIVE, SNOWFLAKE, PINOT],
    };
    let name = name.to_ascii_lowercase();
    words
        .iter()
        .any(|list| list.split_ascii_whitespace().any(|word| word == name))
}

const TRINO: &str = "alter and as between by case cast constraint create cross cube current_catalog current_date \
    current_path current_role current_schema current_time current_timestamp current_user deallocate delete describe \
    distinct drop else end escape except execute exists extract false first for from full group grouping having in \
    inner insert intersect into is join json_array json_exists json_object json_query json_table json_value last \
    left like listagg localtime localtimestamp natural normalize not null on or order outer prepare recursive right \
    rollup select skip table then trim true uescape union unnest using values when where with";

const HIVE: &str = "all alter and any array as authorization between bigint binary boolean both by cache case cashe \
    cast char column comment commit conf constraint create cross cube current current_date current_timestamp cursor \
    database date dayofweek decimal delete describe distinct div double drop else end exchange exists extended \
    external extract false fetch float floor following for force foreign from full function grant group grouping \
    having if import in inner insert int integer intersect interval into is join lateral leading left less like \
    local macro map merge minus more none not null numeric of offset on only or order out outer over partialscan \
    partition percent preceding precision preserve primary procedure qualify range reads real reduce references \
    regexp revoke right rlike rollback rollup row rows select set smallint some start sync table tablesample then \
    time timestamp timestamptz to trailing transform trigger true truncate unbounded union unique uniquejoin \
    unknown update user using utc_timestamp values varchar views when where window with";

/// DuckDB 2.0.1: its 75 reserved words, then those that it keeps for types, functions and joins, as far as they fail
/// as the name of a table or schema there.
const DUCKDB: &str = "all analyse analyze and any array as asc asymmetric both case cast check collate \
    column constraint create default deferrable desc describe distinct do else end except false fetch for \
    foreign from group having in initially intersect into lambda lateral leading limit not null offset on \
    only or order pivot pivot_longer pivot_wider placing primary qualify references returning select show \
    some summarize symmetric table then to trailing true union unique unpivot using variadic when where \
    window with anti asof at authorization binary by collation concurrently cross freeze full glob ilike \
    inner is isnull join left like natural notnull outer overlaps positional right semi similar \
    tablesample unpack verbose";

const SNOWFLAKE: &str = "account all alter and any as between by case cast check column connect connection \
    constraint create cross current current_date current_time current_timestamp current_user database delete \
    distinct drop else exists false following for from full grant group gscluster having ilike in increment inner \
    insert intersect into is issue join lateral left like localtime localtimestamp minus natural not null of on or \
    order organization qualify regexp revoke right rlike row rows sample schema select set some start table \
    tablesample then to trigger true try_cast union unique update using values view when whenever where with";

const CLICKHOUSE: &str = "anti any array asof attach codec columns default dictionary engine explain final format \
    global index inf infinity kill limit live materialized nan offset optimize populate prewhere projection \
    rename sample semi settings show system temporary test totals ttl use watch window";

const PINOT: &str = "abs array_agg asensitive asymmetric at atomic avg blob call called cardinality ceil ceiling \
    check clob close coalesce collate collect condition contains convert corr count cume_dist cycle day default \
    define deref desc deterministic disallow disconnect dynamic each element empty equals every exec exp explain \
    filter first_value float fusion get global hold hour identity import indicator initial inout insensitive json \
    key lag large last_value lead limit ln lower match max measure member method min minute mod module month \
    multiset national nchar nclob new next no nth_value ntile nullif octet_length old omit one open option overlaps \
    overlay parameter pattern per percentile_cont percentile_disc period permute portion position power prev rank \
    ref referencing regr_count release reset result return returns running savepoint scope scroll search second \
    seek sensitive session_user show similar specific sql sqlexception sqlstate sqlwarning sqrt static stddev_pop \
    stream submultiset subset substring succeeds sum symmetric system system_time system_user temporary timezone_hour \
    timezone_minute tinyint translate translation treat trim_array uescape upper upsert value var_pop varbinary \
    varying versioning width_bucket within without year";
