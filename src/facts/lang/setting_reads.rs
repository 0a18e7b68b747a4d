//! Settings that code reads from a settings object in capitals (`conf.RESULT_DB_TABLE`, `settings.EMAIL_HOST_NAME`): reading
//! one is what makes it exist where no table declares it.

use std::sync::LazyLock;

use regex::Regex;
use serde_json::json;

use crate::facts::{Extractor, FactSink, NewFact, Source};
use crate::model::{ByteSpan, FactKind, RepoPath};
use crate::syntax::Grammar;

/// Reads of settings in capitals.
pub struct SettingReads;

static READ: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"\b(?:conf|config|settings|cfg)(?:\.|\[[\x22'])([A-Z][A-Z0-9]*(?:_[A-Z0-9]+){2,})\b").expect("valid pattern")
});

impl Extractor for SettingReads {
    fn name(&self) -> &'static str {
        "setting-reads"
    }

    fn accepts(&self, path: &RepoPath) -> bool {
        matches!(
            Grammar::for_path(path),
            Some(Grammar::Python | Grammar::Ruby | Grammar::JavaScript | Grammar::TypeScript | Grammar::Tsx)
        )
    }

    fn extract(&self, source: &Source<'_>, sink: &mut FactSink<'_>) {
        for found in READ.captures_iter(source.text()) {
            let Some(name) = found.get(1) else { continue };
            let line = source.text()[..name.start()].rsplit('\n').next().unwrap_or("").trim_start();
            if line.starts_with(['#', '*']) || line.starts_with("//") {
                continue;
            }
            sink.push(NewFact::new(
                FactKind::ConfigKey,
                "settings",
                name.as_str(),
                json!({}),
                ByteSpan::new(name.start(), name.end()),
            ));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::SettingReads;
    use crate::facts::testing::check;

    #[test]
    fn reads_settings() {
        check(
            &SettingReads,
            "a.py",
            "x = app.conf.RESULT_DB_TABLE\n# conf.OLD_DB_TABLE\ny = conf['A_B_C'], conf.DEBUG\n",
            &["config-key [settings] RESULT_DB_TABLE {}", "config-key [settings] A_B_C {}"],
        );
    }
}
