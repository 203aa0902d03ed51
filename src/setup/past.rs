//! Who opens the bucket behind an access point past it: a grant on the bucket itself, to the same role.

use crate::registry::Grant;

/// Those of the others that stand on the bucket itself where this one stands on an access point of it, and meet it there.
pub fn openers<'a>(grant: &Grant, others: &'a [Grant]) -> Vec<&'a Grant> {
    others.iter().filter(|other| opens(other, grant)).collect()
}

/// The same in words: `Lake House (read-only)`, each.
pub fn named(grant: &Grant, others: &[Grant]) -> Vec<String> {
    let openers = openers(grant, others).into_iter();
    openers
        .map(|other| format!("{} ({})", other.holder, other.access))
        .collect()
}

/// Whether one stands on the bucket itself where the other stands on an access point of it, and the two meet.
pub(super) fn opens(other: &Grant, grant: &Grant) -> bool {
    let (own, past) = (&grant.s3_path, &other.s3_path);
    let same = own.point().is_some()
        && past.point().is_none()
        && other.connection == grant.connection
        && own
            .own_bucket()
            .is_some_and(|bucket| past.own_bucket() == Some(bucket));
    same && (own.prefix().starts_with(past.prefix()) || past.prefix().starts_with(own.prefix()))
}

/// What the two mean for each other, whichever came first.
pub(super) fn advice(grant: &Grant, others: &[Grant]) -> Vec<String> {
    let line = |own: &Grant, by: &Grant| {
        format!(
            "the {} {} stands on the bucket itself: for the {} {} the role gets past {} there, {}",
            by.holder.noun(),
            by.holder,
            own.holder.noun(),
            own.holder,
            own.s3_path.stands_on(),
            by.access
        )
    };
    let others = others.iter().filter(|other| other.holder != grant.holder);
    let lines = others.filter_map(|other| match (opens(other, grant), opens(grant, other)) {
        (true, _) => Some(line(grant, other)),
        (_, true) => Some(line(other, grant)),
        _ => None,
    });
    lines.collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::domain::s3_path::AccessPoint;
    use crate::registry::Catalog;
    use serde_json::json;

    fn grant(name: &str, path: &str) -> Grant {
        let mut record = json!({
            "version": 1, "name": name, "id": "1a1b2c3d", "region": "us-west-2", "s3_path": path,
            "access": "read-only", "connection": "sales", "stack_name": "glueup-glue-readonly-lake",
        });
        if path.starts_with("arn:") {
            let arn = path.split_once("/wh").unwrap().0;
            record["access_point"] = json!(AccessPoint {
                bucket: Some("lake".parse().unwrap()),
                ..AccessPoint::of(arn.parse().unwrap())
            });
        }
        Grant::from(&serde_json::from_value::<Catalog>(record).unwrap())
    }

    #[test]
    fn a_bucket_opens_its_access_points_where_they_meet() {
        let point = grant("ap", "arn:aws:s3:us-west-2:012345678901:accesspoint/finance/wh");
        for (path, meets) in [
            ("s3://lake", true),
            ("s3://lake/wh", true),
            ("s3://lake/wh/sales", true),
            ("s3://lake/raw", false),
            ("s3://other/wh", false),
        ] {
            let other = grant("Lake House", path);
            assert_eq!(opens(&other, &point), meets, "{path}");
            assert!(!opens(&point, &other), "{path}");
        }
    }
}
