//! The case rules of `rename_all`, as serde and clap apply them to fields and variants.

use crate::value::name;

/// A variant's name (`PascalCase`) under a serde rule; `None` for a rule that serde does not know.
pub(crate) fn variant(rule: &str, ident: &str) -> Option<String> {
    Some(match rule {
        "PascalCase" => ident.to_owned(),
        "lowercase" => ident.to_ascii_lowercase(),
        "UPPERCASE" => ident.to_ascii_uppercase(),
        "camelCase" => lower_first(ident),
        "snake_case" => snake(ident),
        "SCREAMING_SNAKE_CASE" => snake(ident).to_ascii_uppercase(),
        "kebab-case" => snake(ident).replace('_', "-"),
        "SCREAMING-KEBAB-CASE" => snake(ident).to_ascii_uppercase().replace('_', "-"),
        _ => return None,
    })
}

/// A field's name (`snake_case`) under a serde rule; `None` for a rule that serde does not know.
pub(crate) fn field(rule: &str, ident: &str) -> Option<String> {
    Some(match rule {
        "lowercase" | "snake_case" => ident.to_owned(),
        "UPPERCASE" | "SCREAMING_SNAKE_CASE" => ident.to_ascii_uppercase(),
        "PascalCase" => pascal(ident),
        "camelCase" => lower_first(&pascal(ident)),
        "kebab-case" => ident.replace('_', "-"),
        "SCREAMING-KEBAB-CASE" => ident.to_ascii_uppercase().replace('_', "-"),
        _ => return None,
    })
}

/// Any identifier under a clap or strum rule, whatever the rule's spelling; kebab-case is clap's own rule.
pub(crate) fn clap(rule: &str, ident: &str) -> String {
    let words = name::words(ident);
    match name::fold(rule).as_str() {
        "lower" | "lowercase" => words.concat(),
        "upper" | "uppercase" => words.concat().to_uppercase(),
        "snake" | "snakecase" => words.join("_"),
        "screamingsnake" | "screamingsnakecase" => words.join("_").to_uppercase(),
        "pascal" | "pascalcase" => pascal(&words.join("_")),
        "camel" | "camelcase" => lower_first(&pascal(&words.join("_"))),
        "verbatim" => ident.to_owned(),
        _ => words.join("-"),
    }
}

fn snake(ident: &str) -> String {
    let mut out = String::with_capacity(ident.len() + 4);
    for (i, c) in ident.char_indices() {
        if i > 0 && c.is_uppercase() {
            out.push('_');
        }
        out.push(c.to_ascii_lowercase());
    }
    out
}

fn pascal(ident: &str) -> String {
    ident
        .split('_')
        .flat_map(|word| {
            let mut chars = word.chars();
            chars.next().map(|c| c.to_ascii_uppercase()).into_iter().chain(chars)
        })
        .collect()
}

fn lower_first(ident: &str) -> String {
    let mut chars = ident.chars();
    chars.next().map(|c| c.to_ascii_lowercase()).into_iter().chain(chars).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn renames() {
        for (rule, ident, expected) in [
            ("kebab-case", "idle_timeout", "idle-timeout"),
            ("camelCase", "idle_timeout", "idleTimeout"),
            ("SCREAMING_SNAKE_CASE", "idle_timeout", "IDLE_TIMEOUT"),
        ] {
            assert_eq!(field(rule, ident).as_deref(), Some(expected));
        }
        for (rule, ident, expected) in [
            ("kebab-case", "HttpOnly", "http-only"),
            ("lowercase", "HttpOnly", "httponly"),
            ("camelCase", "HttpOnly", "httpOnly"),
            ("snake_case", "HTTPOnly", "h_t_t_p_only"),
        ] {
            assert_eq!(variant(rule, ident).as_deref(), Some(expected));
        }
        assert_eq!(field("nonsense", "a"), None);
        assert_eq!(clap("", "no_ignore_vcs"), "no-ignore-vcs");
        assert_eq!(clap("snake_case", "HTTPServer"), "http_server");
    }
}
