//! Devices for multi-factor authentication, and their codes (RFC 6238: HMAC-SHA-1, six digits, thirty seconds).

use super::Store;
use crate::demo::caller::{Caller, Kind};
use crate::demo::error::AwsError;
use crate::demo::params::Params;
use crate::demo::world::Moment;
use crate::demo::{BROKER_ACCOUNT, CUSTOMER_ACCOUNT};
use sha1::{Digest, Sha1};

/// What the devices of `admin` and `engine` have in common with the server. Like their keys it opens nothing but this
/// machine's demo, so it is the same everywhere.
const SEED: &[u8; 20] = b"glueup demo's device";
/// How long a code counts, in seconds.
const STEP: i64 = 30;
/// Steps by which a device's clock may be off.
const DRIFT: i64 = 1;
/// Bytes that HMAC-SHA-1 mixes at once.
const BLOCK: usize = 64;

/// The serial number of a user's device; `None` where it has none.
pub fn device(account: &str, user: &str) -> Option<String> {
    let has = matches!(
        (account, user),
        (CUSTOMER_ACCOUNT, "admin") | (BROKER_ACCOUNT, "engine")
    );
    has.then(|| format!("arn:aws:iam::{account}:mfa/{user}"))
}

/// The seed as an authenticator wants it: in base32.
pub fn seed() -> String {
    const LETTERS: &[u8; 32] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
    // Twenty bytes are thirty-two groups of five bits: nothing is left over.
    let bits = SEED
        .iter()
        .flat_map(|byte| (0..8).rev().map(move |bit| byte >> bit & 1));
    let bits: Vec<u8> = bits.collect();
    bits.chunks(5)
        .filter_map(|group| {
            let index = group
                .iter()
                .fold(0_usize, |sum, bit| sum << 1 | usize::from(*bit));
            LETTERS.get(index).map(|letter| char::from(*letter))
        })
        .collect()
}

/// The code that the devices show at a moment, in seconds since 1970.
pub fn code_at(seconds: i64) -> String {
    code(seconds.div_euclid(STEP))
}

fn code(step: i64) -> String {
    let digest = hmac(SEED, &step.to_be_bytes());
    let offset = usize::from(digest.last().copied().unwrap_or_default() & 0xf);
    let four = digest.iter().skip(offset).take(4);
    let number = four.fold(0_u32, |sum, byte| sum << 8 | u32::from(*byte)) & 0x7fff_ffff;
    format!("{:06}", number % 1_000_000)
}

fn hmac(key: &[u8], text: &[u8]) -> Vec<u8> {
    let pad = |with: u8| -> Vec<u8> {
        let padded = key.iter().copied().chain(std::iter::repeat(0));
        padded.take(BLOCK).map(|byte| byte ^ with).collect()
    };
    let inner = Sha1::new().chain_update(pad(0x36)).chain_update(text).finalize();
    Sha1::new()
        .chain_update(pad(0x5c))
        .chain_update(inner)
        .finalize()
        .to_vec()
}

impl Store {
    /// Whether the request shows a device's code: false where it names neither device nor code. A code counts once.
    pub fn check_code(&mut self, moment: Moment, caller: &Caller, params: &Params) -> Result<bool, AwsError> {
        let refused = |why: &str| Err(AwsError::denied(format!("MultiFactorAuthentication failed{why}")));
        let (serial, given) = match (params.get("SerialNumber"), params.get("TokenCode")) {
            (None, None) => return Ok(false),
            (Some(serial), Some(given)) => (serial, given),
            _ => return refused(", must provide both MFA serial number and one time pass code."),
        };
        if given.len() != 6 || !given.chars().all(|c| c.is_ascii_digit()) {
            return Err(AwsError::validation(
                "1 validation error detected: Value at 'tokenCode' failed to satisfy constraint: Member must satisfy \
                 regular expression pattern: [\\d]{6}",
            ));
        }
        let own = match &caller.kind {
            Kind::User { name } => device(&caller.account, name),
            Kind::Root | Kind::Session { .. } => None,
        };
        if own.as_deref() != Some(serial) {
            return refused(
                ", unable to validate MFA code.  Please verify your MFA serial number is valid and associated with \
                 this user.",
            );
        }
        let now = moment.shown.div_euclid(1000).div_euclid(STEP);
        let last = self.codes_used.get(serial).copied().unwrap_or(i64::MIN);
        let step = (now - DRIFT..=now + DRIFT).find(|step| *step > last && code(*step) == given);
        match step {
            Some(step) => {
                self.codes_used.insert(serial.to_owned(), step);
                Ok(true)
            }
            None => refused(" with invalid MFA one time pass code. "),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// RFC 2202, case 2; RFC 6238 takes its codes from such sums.
    #[test]
    fn the_sums_are_those_of_the_standard() {
        let sum = hmac(b"Jefe", b"what do ya want for nothing?");
        assert_eq!(hex::encode(sum), "effcdf6ae5eb2fa2d27416d5f184df9c259a7c79");
        assert_eq!(seed().len(), 32);
        assert_eq!(&seed()[..8], "M5WHKZLV");
        assert_eq!(code_at(59), code_at(30));
        assert_ne!(code_at(59), code_at(60));
    }
}
