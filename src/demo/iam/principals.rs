//! Who is there from the start.

use super::{AccessKey, Store};
use crate::demo::error::AwsError;
use crate::demo::handle::KeyPair;
use crate::demo::world::Moment;
use crate::demo::{BROKER_ACCOUNT, CUSTOMER_ACCOUNT, OUTSIDER_ACCOUNT};

/// Keys of `admin`. They open nothing but this machine's demo, so they are the same everywhere.
pub fn admin() -> KeyPair {
    pair("AKIADEMOADMIN2222222", "demo/admin+key/for+this/machine+only0001")
}

/// Keys of `engine`.
pub fn engine() -> KeyPair {
    pair("AKIADEMOENGINE222222", "demo/engine+key/for+this/machine+only001")
}

/// Keys of `outsider`.
pub fn outsider() -> KeyPair {
    pair("AKIADEMOOUTSIDER2222", "demo/outsider+key/for+this/machine+only1")
}

fn pair(id: &str, secret: &str) -> KeyPair {
    KeyPair {
        id: id.to_owned(),
        secret: secret.to_owned(),
    }
}

/// Makes them.
pub fn seed(store: &mut Store, _moment: Moment) -> Result<(), AwsError> {
    for (keys, account, user) in [
        (admin(), CUSTOMER_ACCOUNT, "admin"),
        (engine(), BROKER_ACCOUNT, "engine"),
        (outsider(), OUTSIDER_ACCOUNT, "outsider"),
    ] {
        let key = AccessKey {
            secret: keys.secret,
            account: account.to_owned(),
            user: user.to_owned(),
        };
        store.keys.insert(keys.id, key);
    }
    Ok(())
}
