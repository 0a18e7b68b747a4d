//! Reading code blocks: command lines, and keys with values in configuration examples.

use crate::model::ByteSpan;
use crate::syntax::{Grammar, Node, NodeExt, parse};

/// Whether a code block may hold command lines.
pub(super) fn is_shell_like(lang: &str) -> bool {
    lang.is_empty()
        || Grammar::for_fence(lang) == Some(Grammar::Bash)
        || matches!(
            lang,
            "text"
                | "txt"
                | "plain"
                | "plaintext"
                | "powershell"
                | "ps1"
                | "bat"
                | "cmd"
                | "none"
                | "yaml"
                | "yml"
                | "dockerfile"
                | "makefile"
        )
}

/// Programs that run something else named behind them.
pub(super) fn is_runner(word: &str) -> bool {
    matches!(
        word,
        "npx"
            | "pnpm"
            | "yarn"
            | "npm"
            | "bunx"
            | "bun"
            | "cargo"
            | "go"
            | "python"
            | "python3"
            | "uv"
            | "uvx"
            | "pipx"
            | "poetry"
            | "hatch"
            | "pdm"
            | "rye"
            | "node"
            | "deno"
            | "docker"
            | "sudo"
            | "env"
            | "time"
            | "bundle"
            | "java"
            | "make"
            | "gradle"
            | "./gradlew"
            | "mvn"
            | "tox"
            | "nox"
    )
}

/// Tools of others whose flags are never the project's.
pub(super) fn is_foreign_tool(word: &str) -> bool {
    matches!(
        word,
        "git"
            | "curl"
            | "wget"
            | "pip"
            | "pip3"
            | "apt"
            | "apt-get"
            | "brew"
            | "ls"
            | "cat"
            | "grep"
            | "sed"
            | "awk"
            | "find"
            | "tar"
            | "kubectl"
            | "helm"
            | "ssh"
            | "scp"
            | "rsync"
            | "chmod"
            | "chown"
            | "mkdir"
            | "rm"
            | "cp"
            | "mv"
            | "echo"
            | "openssl"
            | "systemctl"
            | "terraform"
            | "aws"
            | "gcloud"
            | "az"
            | "docker-compose"
            | "rustup"
            | "cmake"
            | "ninja"
            | "gcc"
            | "clang"
            | "psql"
            | "mysql"
    )
}

/// Whether a command line installs, builds or removes what stands behind it: `cargo install`, `npm i -g`, `go get`.
pub(super) fn installs(words: &[String]) -> bool {
    let second = words.iter().skip(1).find(|w| !w.starts_with('-')).map_or("", String::as_str);
    let manager = words.first().is_some_and(|w| {
        matches!(
            w.as_str(),
            "cargo"
                | "npm"
                | "pnpm"
                | "yarn"
                | "bun"
                | "go"
                | "pip"
                | "pip3"
                | "pipx"
                | "uv"
                | "gem"
                | "brew"
                | "apt"
                | "apt-get"
                | "dotnet"
                | "poetry"
                | "conda"
                | "mamba"
        )
    });
    manager
        && matches!(
            second,
            "install"
                | "i"
                | "add"
                | "get"
                | "build"
                | "update"
                | "upgrade"
                | "uninstall"
                | "remove"
                | "publish"
                | "pip"
                | "tool"
        )
}

/// The words of the last command in a text that ends where the name of interest starts: the line and the lines continued
/// into it, behind the last `|`, `&&`, `;` or substitution, without prompt, assignments and `sudo`.
pub(super) fn command_words(text: &str) -> Vec<String> {
    let mut line = String::new();
    for part in text.rsplit('\n') {
        let part = part.trim_end_matches('\r');
        if line.is_empty() && std::ptr::eq(part.as_ptr(), text[text.rfind('\n').map_or(0, |i| i + 1)..].as_ptr()) {
            part.clone_into(&mut line);
            continue;
        }
        match part.trim_end().strip_suffix('\\') {
            Some(head) => line = format!("{head} {line}"),
            None => break,
        }
    }
    let cut = ["&&", "||", "|", ";", "$(", "`"].iter().filter_map(|s| line.rfind(s).map(|at| at + s.len())).max().unwrap_or(0);
    let command = line[cut..].trim_start();
    let command = command.strip_prefix(['$', '>', '%', '#']).filter(|rest| rest.starts_with(' ')).unwrap_or(command);
    let command = command.trim_start_matches("run: ").trim_start_matches("- ").trim_start_matches("RUN ");
    let mut words: Vec<String> =
        command.split_whitespace().map(|w| w.trim_matches(['"', '\'', '(', ')', '`']).to_owned()).collect();
    // The glued part in front of the name (`--flag=`, quotes) is no word of its own.
    if !command.is_empty() && !command.ends_with(char::is_whitespace) {
        words.pop();
    }
    let skip = words
        .iter()
        .take_while(|w| *w == "sudo" || *w == "env" || *w == "time" || w.is_empty() || (w.contains('=') && !w.starts_with('-')))
        .count();
    words.drain(..skip);
    words
}

/// A key in a configuration example.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct KeyValue {
    /// Names from the outermost map.
    pub(super) path: Vec<String>,
    /// The key, in bytes of the text that was parsed.
    pub(super) key: ByteSpan,
    /// The value, if it is a scalar.
    pub(super) value: Option<ByteSpan>,
}

/// The keys of a YAML, JSON or TOML text, in order. A text with syntax errors gives what can be read.
pub(super) fn keys(grammar: Grammar, text: &str) -> Vec<KeyValue> {
    let Some(tree) = parse(grammar, text) else { return Vec::new() };
    let mut out = Vec::new();
    for node in tree.root().preorder() {
        let pair = match node.kind() {
            "pair" | "block_mapping_pair" | "flow_pair" => node,
            _ => continue,
        };
        let (key, value) = match grammar {
            Grammar::Toml => {
                let children = pair.named();
                (children.first().copied(), children.get(1).copied())
            }
            _ => (pair.field("key"), pair.field("value")),
        };
        let Some(key) = key else { continue };
        let mut path = containers(pair, grammar, text);
        let own = key_text(key, text);
        path.extend(own.split('.').filter(|_| grammar == Grammar::Toml).map(|s| s.trim().trim_matches(['"', '\'']).to_owned()));
        if grammar != Grammar::Toml {
            path.push(own);
        }
        out.push(KeyValue { path, key: key.span(), value: value.filter(|v| is_scalar(*v)).map(|v| v.span()) });
        if out.len() > 2_048 {
            break;
        }
    }
    out
}

fn key_text(key: Node<'_>, text: &str) -> String {
    key.text(text).trim().trim_matches(['"', '\'']).to_owned()
}

fn is_scalar(value: Node<'_>) -> bool {
    !matches!(value.kind(), "object" | "array" | "inline_table" | "block_node") || value.child_of_kind("block_scalar").is_some()
}

fn containers(pair: Node<'_>, grammar: Grammar, text: &str) -> Vec<String> {
    let mut out = Vec::new();
    let mut node = pair.parent();
    let mut depth = 0;
    while let Some(parent) = node {
        depth += 1;
        if depth > 256 {
            break;
        }
        match (grammar, parent.kind()) {
            (Grammar::Toml, "table" | "table_array_element") => {
                if let Some(header) = parent.named().first() {
                    out.push(
                        header.text(text).split('.').map(|s| s.trim().trim_matches(['"', '\'']).to_owned()).collect::<Vec<_>>(),
                    );
                }
            }
            (Grammar::Toml, "pair") => {
                if let Some(key) = parent.named().first() {
                    out.push(vec![key_text(*key, text)]);
                }
            }
            (_, "pair" | "block_mapping_pair" | "flow_pair") => {
                if let Some(key) = parent.field("key") {
                    out.push(vec![key_text(key, text)]);
                }
            }
            _ => {}
        }
        node = parent.parent();
    }
    out.into_iter().rev().flatten().collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_command_words() {
        for (text, expected) in [
            ("$ gatehouse serve ", "gatehouse serve"),
            ("a\ngatehouse serve --config prod.yaml \\\n  ", "gatehouse serve --config prod.yaml"),
            ("FOO=1 sudo tool sub --flag=", "tool sub"),
            ("cat x | tool ", "tool"),
            ("", ""),
            ("tool --x 'a' \"", "tool --x a"),
        ] {
            assert_eq!(command_words(text).join(" "), expected, "{text}");
        }
    }

    #[test]
    fn reads_keys() {
        let paths = |grammar, text: &str| {
            keys(grammar, text)
                .into_iter()
                .map(|k| format!("{}={}", k.path.join("."), k.value.map_or("-", |v| v.of(text))))
                .collect::<Vec<_>>()
                .join(" ")
        };
        assert_eq!(
            paths(Grammar::Yaml, "audit:\n  days: 30\n  sink: stdout\nb: {c: 1}\n"),
            "audit=- audit.days=30 audit.sink=stdout b={c: 1} b.c=1"
        );
        assert_eq!(paths(Grammar::Json, "{\"d\": {\"isolate\": false}, \"l\": [1]}"), "d=- d.isolate=false l=-");
        assert_eq!(paths(Grammar::Toml, "a.b = 1\n[s]\nx = 20\n[s.t]\ny = \"z\"\n"), "a.b=1 s.x=20 s.t.y=\"z\"");
    }
}
