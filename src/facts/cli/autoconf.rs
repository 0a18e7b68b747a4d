//! Flags of `configure`, declared in `configure.ac` and m4 macros. No grammar is needed: the macros are regular.

use std::sync::LazyLock;

use regex::Regex;

use super::declared::{Flag, is_flag};
use crate::facts::{Extractor, FactSink, Source};
use crate::model::{ByteSpan, RepoPath};

/// `AC_ARG_ENABLE`, `AC_ARG_WITH` and their help.
pub struct Autoconf;

/// The macro and the name of what it switches.
static SWITCH: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"\bAC_ARG_(ENABLE|WITH)\(\s*\[?\s*([A-Za-z0-9][A-Za-z0-9_+.-]*)\s*\]?").ok());

/// The spelling that the help shows.
static HELP: LazyLock<Option<Regex>> =
    LazyLock::new(|| Regex::new(r"\bA[SC]_HELP_STRING\(\s*\[+\s*(--[A-Za-z0-9][A-Za-z0-9_+.-]*)([^\],]*)").ok());

impl Extractor for Autoconf {
    fn name(&self) -> &'static str {
        "autoconf"
    }

    fn accepts(&self, path: &RepoPath) -> bool {
        path.extension() == "m4" || matches!(path.file_name(), "configure.ac" | "configure.in")
    }

    fn extract(&self, source: &Source<'_>, sink: &mut FactSink<'_>) {
        let (Some(switch), Some(help)) = (SWITCH.as_ref(), HELP.as_ref()) else { return };
        let text = source.text();
        let mut found: Vec<(Flag, ByteSpan)> = Vec::new();
        for captures in switch.captures_iter(text) {
            let (Some(whole), Some(kind), Some(name)) = (captures.get(0), captures.get(1), captures.get(2)) else { continue };
            let (on, off) = if kind.as_str() == "ENABLE" { ("enable", "disable") } else { ("with", "without") };
            let spellings = vec![format!("--{on}-{}", name.as_str()), format!("--{off}-{}", name.as_str())];
            found.push((Flag { spellings, ..Flag::default() }, ByteSpan::new(whole.start(), whole.end())));
        }
        for captures in help.captures_iter(text) {
            let (Some(whole), Some(name), Some(rest)) = (captures.get(0), captures.get(1), captures.get(2)) else { continue };
            let name = name.as_str().to_owned();
            let takes_value = rest.as_str().trim_start_matches('[').starts_with('=');
            let span = ByteSpan::new(whole.start(), whole.end());
            match found.iter_mut().find(|(flag, _)| flag.spellings.contains(&name)) {
                Some((flag, _)) => {
                    flag.takes_value = Some(takes_value || flag.takes_value == Some(true));
                    // The help shows the form that changes what holds without it.
                    flag.spellings.sort_by_key(|spelling| *spelling != name);
                }
                None if is_flag(&name) => {
                    found.push((Flag { spellings: vec![name], takes_value: Some(takes_value), ..Flag::default() }, span));
                }
                None => {}
            }
        }
        found.sort_by_key(|(_, span)| span.start);
        for (flag, span) in found {
            flag.record("configure", span, "", sink);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::checking;

    #[test]
    fn reads_switches() {
        checking::check(
            &Autoconf,
            "configure.ac",
            r"
AC_ARG_ENABLE(debug,
AS_HELP_STRING([--enable-debug],[Enable debug])
AS_HELP_STRING([--disable-debug],[Disable debug]),
[ case x ])
AC_ARG_ENABLE([http], [AS_HELP_STRING([--disable-http],[no])])
AC_ARG_WITH(ssl,dnl
AS_HELP_STRING([--with-ssl=PATH],[where])
AC_ARG_WITH(plain)
AC_HELP_STRING([--other],[x])
",
            &[
                r#"cli-flag [configure] --disable-debug {"takesValue":false} = --enable-debug"#,
                r#"cli-flag [configure] --disable-http {"takesValue":false} = --enable-http"#,
                r#"cli-flag [configure] --with-ssl {"takesValue":true} = --without-ssl"#,
                r"cli-flag [configure] --with-plain {} = --without-plain",
                r#"cli-flag [configure] --other {"takesValue":false}"#,
            ],
        );
    }

    #[test]
    fn survives_broken_text() {
        checking::survives(&Autoconf, "a.m4", "AC_ARG_ENABLE([é], AS_HELP_STRING([--é=[x]],[y]))\n");
    }
}
