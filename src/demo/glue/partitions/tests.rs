use super::filter::Filter;

fn keys() -> Vec<(String, String)> {
    [("year", "int"), ("country", "string"), ("day", "date")]
        .map(|(name, kind)| (name.to_owned(), kind.to_owned()))
        .to_vec()
}

fn fits(expression: &str, values: [&str; 3]) -> bool {
    let filter = Filter::read(expression, &keys()).unwrap_or_else(|why| panic!("{expression}: {why}"));
    filter.fits(&values.map(str::to_owned))
}

#[test]
fn expressions_choose_partitions() {
    let row = ["2024", "de", "2024-05-06"];
    for (expression, wanted) in [
        ("year = 2024", true),
        ("year='2024'", true),
        ("year = 02024", true),
        ("YEAR > 999", true),
        ("year < 999", false),
        ("country > '1'", true),
        ("year != 2024", false),
        ("year <> 2023", true),
        ("country = 'de' AND year >= 2024", true),
        ("country = 'fr' OR year <= 2024", true),
        ("country = 'fr' OR year = 1 AND day = '2024-05-06'", false),
        ("(country = 'fr' OR year = 2024) AND day = '2024-05-06'", true),
        ("NOT country = 'fr'", true),
        ("country IN ('fr', 'de')", true),
        ("country NOT IN ('fr', 'de')", false),
        ("year in (1, 2024)", true),
        ("day BETWEEN '2024-01-01' AND '2024-12-31'", true),
        ("day not between DATE '2024-01-01' and DATE '2024-12-31'", false),
        ("country LIKE 'd%'", true),
        ("country LIKE '_e'", true),
        ("country LIKE '_'", false),
        ("`country` = \"de\"", true),
        ("country IS NULL", false),
        ("country is not null", true),
        ("country = 'it''s'", false),
    ] {
        assert_eq!(fits(expression, row), wanted, "{expression}");
    }
    let null = ["2024", "__HIVE_DEFAULT_PARTITION__", "2024-05-06"];
    assert!(fits("country IS NULL", null) && !fits("country = 'de'", null) && !fits("country != 'de'", null));
}

#[test]
fn what_is_no_expression_is_refused() {
    let deep = format!("{}year = 1{}", "(".repeat(100), ")".repeat(100));
    let long = format!("country = '{}'", "x".repeat(3000));
    for expression in [
        "year",
        "year =",
        "= 1",
        "planet = 'x'",
        "year = 1 year",
        "(year = 1",
        "year IN 1",
        "year IN (1",
        "country = 'x",
        "year ! 1",
        "year BETWEEN 1",
        "year IS 1",
        "year NOT = 1",
        "year = country",
        deep.as_str(),
        long.as_str(),
    ] {
        assert!(Filter::read(expression, &keys()).is_err(), "{expression}");
    }
}
