//! Identifiers in AWS's shapes.

const BASE32: &[u8; 32] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";
const BASE64: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

fn random<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    // The system's source fails only before the machine has booted; an id of zeros is then still an id.
    let _ = getrandom::fill(&mut bytes);
    bytes
}

fn letters<const N: usize>(alphabet: &[u8]) -> String {
    random::<N>()
        .iter()
        .filter_map(|byte| alphabet.get(usize::from(*byte) % alphabet.len()))
        .map(|letter| char::from(*letter))
        .collect()
}

/// A unique id or key id: four letters that name the kind (`AROA`, `AIDA`, `AKIA`, `ASIA`) and 16 more.
pub fn unique(kind: &str) -> String {
    format!("{kind}{}", letters::<16>(BASE32))
}

/// A secret access key: 40 characters.
pub fn secret() -> String {
    letters::<40>(BASE64)
}

/// A session token. Its length is nobody's business; it holds every character that a client may fail to escape.
pub fn token() -> String {
    format!("IQoJb3JpZ2lu/+{}==", letters::<120>(BASE64))
}

/// A request id, or the last part of a stack's ARN: `8-4-4-4-12` hex digits.
pub fn uuid() -> String {
    let hex = hex::encode(random::<16>());
    let part = |from: usize, to: usize| hex.get(from..to).unwrap_or_default();
    [part(0, 8), part(8, 12), part(12, 16), part(16, 20), part(20, 32)].join("-")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_have_their_shapes() {
        assert_eq!(unique("AROA").len(), 20);
        assert_eq!(secret().len(), 40);
        assert_eq!(
            uuid().split('-').map(str::len).collect::<Vec<_>>(),
            [8, 4, 4, 4, 12]
        );
        assert_ne!(uuid(), uuid());
    }
}
