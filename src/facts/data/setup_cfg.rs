//! `setup.cfg`: own version, Python version, programs, extras, dependencies.

use super::ini;
use super::package::Manifest;
use crate::facts::{Extractor, FactSink, Source};
use crate::model::RepoPath;

/// Reads `setup.cfg`.
pub struct SetupCfg;

impl Extractor for SetupCfg {
    fn name(&self) -> &'static str {
        "setup-cfg"
    }

    fn accepts(&self, path: &RepoPath) -> bool {
        path.file_name() == "setup.cfg"
    }

    fn extract(&self, source: &Source<'_>, sink: &mut FactSink<'_>) {
        let mut manifest = Manifest::new(source, sink, "pypi");
        let settings = ini::read(source.text());
        // `attr: x` and `file: x` are computed.
        let version = settings.iter().find(|s| s.section == "metadata" && s.key == "version").map(ini::Setting::value);
        let version = version.filter(|v| !v.contains(':'));
        for setting in &settings {
            let value = setting.value();
            match (setting.section.as_str(), setting.key.as_str()) {
                ("metadata", "name") => manifest.own(&value, version.as_deref(), setting.span),
                ("options", "python_requires") => manifest.runtime("python", &value, setting.span),
                ("options", "install_requires") => {
                    setting.lines.iter().for_each(|line| manifest.requirement("runtime", line, setting.span));
                }
                ("options", "setup_requires") => {
                    setting.lines.iter().for_each(|line| manifest.requirement("build", line, setting.span));
                }
                ("options.extras_require", extra) if !extra.is_empty() => {
                    manifest.key(&format!("extras.{extra}"), setting.lines.clone(), setting.span);
                    setting.lines.iter().for_each(|line| manifest.requirement("optional", line, setting.span));
                }
                ("options.entry_points", "console_scripts" | "gui_scripts") => {
                    for line in &setting.lines {
                        if let Some((name, _)) = line.split_once('=') {
                            manifest.program(name.trim(), setting.span);
                        }
                    }
                }
                _ => {}
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::facts::testing::{check, survives};

    const FULL: &str = "[metadata]\nname = tool\nversion = 1.0 # c\n[options]\npython_requires = >=3.6\ninstall_requires =\n    click>=7\n    # c\n    attrs\n[options.extras_require]\ndocs =\n  sphinx\n[options.entry_points]\nconsole_scripts =\n    tool = tool.cli:main\n";

    #[test]
    fn reads_a_project() {
        check(
            &SetupCfg,
            "setup.cfg",
            FULL,
            &[
                r#"package tool {"ecosystem":"pypi","version":"1.0","purl":"pkg:pypi/tool@1.0"}"#,
                r#"package python {"minimum":"3.6","constraint":">=3.6"}"#,
                r#"package [file:setup.cfg#runtime] click {"constraint":">=7","group":"runtime"}"#,
                r#"package [file:setup.cfg#runtime] attrs {"group":"runtime"}"#,
                r#"config-key extras.docs {"value":["sphinx"]}"#,
                r#"package [file:setup.cfg#optional] sphinx {"group":"optional"}"#,
                "cli-command [command:tool] tool {}",
            ],
        );
    }

    #[test]
    fn survives_broken_text() {
        survives(&SetupCfg, "setup.cfg", FULL);
    }
}
