//! The README's example is what the program prints, its commands are real, and its links lead somewhere.
#![allow(clippy::disallowed_methods, reason = "tests read the README")]

mod support;

use support::program::{refdrift, run};

fn readme() -> String {
    std::fs::read_to_string(support::root().join("README.md")).expect("README.md")
}

/// The fenced blocks of a language.
fn blocks(text: &str, language: &str) -> Vec<String> {
    let open = format!("```{language}\n");
    text.split(&open).skip(1).filter_map(|rest| rest.split("\n```").next()).map(str::to_owned).collect()
}

#[test]
fn the_example_is_the_output_of_the_demo() {
    let demo = run(&mut refdrift(&["demo"])).stdout;
    let (intro, report) = demo.split_once("\n\n").expect("an introduction and a report");
    let example = blocks(&readme(), "text").first().cloned().expect("an example");
    let (command, shown) = example.split_once("\n\n").expect("a command and a report");
    assert!(intro.ends_with(command), "the demo ran another command than `{command}`");
    assert_eq!(shown.trim(), report.trim());
}

#[test]
fn the_two_commands_are_there() {
    let commands: Vec<String> =
        blocks(&readme(), "sh").iter().flat_map(|b| b.lines().map(str::to_owned).collect::<Vec<_>>()).collect();
    for command in ["cargo run --no-default-features --quiet -- demo", "cargo test --tests"] {
        assert!(commands.iter().any(|c| c == command), "`{command}` is not in the README");
    }
}

#[test]
fn every_command_of_the_readme_parses() {
    for block in blocks(&readme(), "sh") {
        for line in block.lines().filter(|l| l.starts_with("refdrift ")) {
            let words: Vec<&str> = line.split(" #").next().unwrap_or(line).split_whitespace().skip(1).collect();
            // A folder that is no repository: arguments that do not parse are told before that.
            let folder = tempfile::tempdir().expect("a folder");
            let reads_a_record = words.first() == Some(&"validate") || words.contains(&"--sidecar") && words[0] == "explain";
            let (outcome, told) = if reads_a_record {
                (run(refdrift(&words).current_dir(folder.path())), "cannot read")
            } else {
                (run(refdrift(&words).arg("--repo").arg(folder.path())), "is not in a git repository")
            };
            assert!(outcome.stderr.contains(told), "{line}: {}", outcome.stderr);
        }
    }
}

#[test]
fn the_configuration_of_the_readme_and_of_its_page_is_valid() {
    let page = std::fs::read_to_string(support::root().join("docs/configuration.md")).expect("docs/configuration.md");
    let all = [blocks(&readme(), "yaml"), blocks(&page, "yaml")].concat();
    assert!(all.len() >= 4);
    for block in all {
        let parsed = refdrift::config::Config::parse(&block, "example.yml".into());
        assert!(parsed.is_ok(), "{}\n{block}", parsed.err().map_or(String::new(), |e| e.to_string()));
    }
}

/// Documents of a fixture at head, and the lines that its expectation shows as reported.
fn fixture(case: &str) -> (String, Vec<String>) {
    let folder = support::root().join("fixtures/repos").join(case);
    let after = support::read_tree(&folder.join("after"));
    let expected = std::fs::read_to_string(folder.join("expected/findings.txt")).unwrap_or_default();
    let reported = expected
        .lines()
        .filter_map(|line| {
            let (document, rest) = line.split_once(':')?;
            let row: usize = rest.split(' ').next()?.parse().ok()?;
            after.get(document)?.lines().nth(row - 1).map(str::to_owned)
        })
        .collect();
    (after.into_values().collect::<Vec<_>>().join("\n"), reported)
}

#[test]
fn the_examples_of_the_rules_stand_in_their_fixtures() {
    let page = std::fs::read_to_string(support::root().join("docs/findings.md")).expect("docs/findings.md");
    let mut count = 0;
    for part in page.split("\nFrom `").skip(1) {
        let case = part.split('`').next().unwrap_or("");
        let (text, reported) = fixture(case);
        let block = blocks(part, "text").first().cloned().unwrap_or_default();
        for line in block.lines() {
            let (verdict, words) = line.split_once("  ").expect("a verdict and a line");
            count += 1;
            assert!(text.lines().any(|l| l == words), "{case} has no line `{words}`");
            assert_eq!(reported.iter().any(|l| l == words), verdict == "stale", "{case}: {line}");
        }
    }
    assert!(count > 15);
    for case in page.split("| `routing-").skip(1).filter_map(|rest| rest.split('`').next()) {
        assert!(!fixture(&format!("routing-{case}")).0.is_empty(), "no fixture routing-{case}");
    }
}

#[test]
fn links_between_pages_lead_somewhere() {
    let mut pages = vec!["README.md".to_owned(), "CONTRIBUTING.md".to_owned(), "CHANGELOG.md".to_owned()];
    for name in support::read_tree(&support::root().join("docs")).keys() {
        pages.push(format!("docs/{name}"));
    }
    for page in pages {
        let text = std::fs::read_to_string(support::root().join(&page)).expect(&page);
        let folder = support::root().join(&page).parent().expect("a folder").to_owned();
        let text: String = text.split("```").step_by(2).collect();
        for target in text.split("](").skip(1).filter_map(|rest| rest.split(')').next()) {
            let path = target.split('#').next().unwrap_or("");
            let local = !path.is_empty() && !path.contains("://") && !path.contains(' ');
            assert!(!local || folder.join(path).exists(), "{page} links to {target}");
        }
    }
}

#[test]
fn the_readme_is_short_enough_to_read() {
    assert!(readme().lines().count() < 250);
}
