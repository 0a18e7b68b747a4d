//! Canonical JSON by RFC 8785 and SHA-256, in lower-case hex.

use serde::Serialize;
use sha2::{Digest, Sha256};

/// SHA-256 of bytes, 64 lower-case hex digits.
pub fn sha256_hex(bytes: &[u8]) -> String {
    use std::fmt::Write;
    Sha256::digest(bytes).iter().fold(String::with_capacity(64), |mut out, byte| {
        let _ = write!(out, "{byte:02x}");
        out
    })
}

/// Canonical JSON text (RFC 8785). A value that JSON cannot hold (a non-finite number) becomes `null`.
pub fn to_string<T: Serialize>(value: &T) -> String {
    serde_json_canonicalizer::to_string(value).unwrap_or_else(|_| "null".to_owned())
}

/// Hash of the canonical JSON text (`sha256NormalizedV1` of the reference).
pub fn hash<T: Serialize>(value: &T) -> String {
    sha256_hex(to_string(value).as_bytes())
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn sorts_keys_and_formats_numbers() {
        assert_eq!(to_string(&json!({"b": 1.0, "a": [true, null, "é\n"]})), r#"{"a":[true,null,"é\n"],"b":1}"#);
    }

    #[test]
    fn reproduces_the_references_vectors() {
        let id = r#"{"afterValueHash":"52eecae778b8e42e9cdfc58c1a46fc0cb3e2134a33cf1f1246691c0fc5972e85","beforeValueHash":"2e11229cb8a7bec3a87bf2671a2b09dc3dc94fd7e4ad6f9838ffceca2f6335d2","changedTargetId":"signature:module:packages/templates/src/scaffold.ts:ScaffoldType","code":"CHANGED_REFERENCE","document":"document:docs/templates.md","relationKind":"mentions-symbol","symbol":"ScaffoldType","target":"module:packages/templates/src/scaffold.ts"}"#;
        let value: serde_json::Value = serde_json::from_str(id).expect("valid JSON");
        assert_eq!(to_string(&value), id);
        assert_eq!(hash(&value), "3830b112a638aa4cfcd90c3b30eda468a56b6da534a531042a322f49c506c982");
        let evidence = json!({
            "target": "signature:module:packages/templates/src/scaffold.ts:ScaffoldType",
            "diagnostic": "finding:3830b112a638aa4cfcd90c3b30eda468a56b6da534a531042a322f49c506c982",
            "beforeValueHash": "2e11229cb8a7bec3a87bf2671a2b09dc3dc94fd7e4ad6f9838ffceca2f6335d2",
            "afterValueHash": "52eecae778b8e42e9cdfc58c1a46fc0cb3e2134a33cf1f1246691c0fc5972e85",
        });
        assert_eq!(hash(&evidence), "435431a71e729e7872054536c8cf75c8fbd4ba6abc361d9504dbf85d625f52b8");
    }
}
