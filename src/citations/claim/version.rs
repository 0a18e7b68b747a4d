//! Minimum versions in prose, and the project's own version pinned in a command.

use std::sync::LazyLock;

use regex::Regex;

use super::{Subject, Verdict, window};
use crate::model::{Aspect, ByteSpan, Claim, ClaimRule, MarkKind, Strength};
use crate::value::version;

static VERSION: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"v?\d+(?:\.\d+){0,3}").expect("valid pattern"));
static REQUIRES: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(concat!(
        r"(?i)\b(?:requir\w+|needs?|needed|minimum|min\.?|at least|or (?:newer|later|higher|above|greater|up|more recent)|and (?:newer|later|higher|above|up)|newer|onwards?|upwards?|",
        r"supports?|supported|compatible|compat\w+|MSRV|prerequisites?|depends on|works (?:with|on)|runs? on|tested|compiles? with|builds? with|install(?:ed)?)\b|>=|≥|=>",
    ))
    .expect("valid pattern")
});

/// What holds for some readers only.
static CONDITION: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(concat!(
        r"(?i)\b(?:if|when) (?:you(?:'re|r)?|your|one|using|running)\b|\bcompatible with [A-Z]|\bif the (?:latest|current|newest)\b|\bon (?:older|earlier|newer)\b|^\W*for (?:example|instance)\b|\bdefaults?(?: (?:is|to|value))?[:\s`*]+(?:the )?(?:JDK|JRE|Java|Python|Node|Go|Rust|Ruby)\b",
        r"|\bth(?:is|at|ese|e) (?:[\w-]+ ){0,2}(?:option|feature|flag|setting|parameter|function|method|example|backend)s?\b[^.]{0,40}\b(?:requires?|needs?|works?)\b",
    ))
    .expect("valid pattern")
});
/// `3.6.0 is not supported`: a version that is said not to do.
static NOT: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"(?i)^[`*_\s]*(?:(?:is|are|does|do|has|have|was|were)\s+[*_]*not|(?:and|or) (?:below|earlier|lower|older))\b")
        .expect("valid pattern")
});
static ADJECTIVE: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"^ (?:compatible )?(?:type|typing|syntax|style|features?|code|async|annotations?|hints?|idioms?|constructs?|declarations?|semantics)\b",
    )
    .expect("valid pattern")
});

/// How far a version may stand from the runtime's name, in bytes.
const MAX_GAP: usize = 40;

pub(super) fn judge(subject: &Subject<'_>) -> Verdict {
    if let Some(aspect) = subject.change.aspects.iter().find(|a| a.pointer == "/minimum") {
        return minimum(subject, aspect);
    }
    match subject.change.aspects.iter().find(|a| a.pointer == "/version") {
        Some(aspect) => pin(subject, aspect),
        None => Verdict::Mention,
    }
}

fn sides(aspect: &Aspect) -> Option<(&str, &str)> {
    Some((aspect.before.as_ref()?.as_str()?, aspect.after.as_ref()?.as_str()?))
}

/// Components a cited version must have to mean a release of the runtime.
fn least_components(runtime: &str) -> usize {
    match runtime {
        "node" | "java" | "npm" | "pnpm" | "yarn" | "dotnet" => 1,
        _ => 2,
    }
}

fn minimum(subject: &Subject<'_>, aspect: &Aspect) -> Verdict {
    let Some((old, new)) = sides(aspect) else { return Verdict::Mention };
    // What is enough for more readers than before was enough for those it names.
    if version::components(new).zip(version::components(old)).is_some_and(|(new, old)| new < old) {
        return Verdict::Mention;
    }
    // That CI tests an older version besides is no promise.
    if subject.change.cited().owner.ends_with("#ci") && version::components(new) < version::components(old) {
        return Verdict::Mention;
    }
    let document = subject.document;
    // A glossary tells what words mean, not what is needed.
    if document.path.stem().eq_ignore_ascii_case("glossary") {
        return Verdict::Mention;
    }
    let span = window::sentence(document, subject.citation);
    let text = subject.of(span);
    let name = subject.citation.span;
    let least = least_components(&subject.change.cited().name);
    let mut stale = None;
    let mut current = false;
    let mut older = false;
    for found in VERSION.find_iter(text) {
        let at = ByteSpan::new(span.start + found.start(), span.start + found.end());
        let before = document.text[..at.start].chars().next_back();
        if before.is_some_and(|c| c.is_alphanumeric() || matches!(c, '_' | '.' | '/')) && before != Some('v') {
            continue;
        }
        let gap = if at.start >= name.end { at.start - name.end } else { name.start.saturating_sub(at.end) };
        if gap > MAX_GAP || another_runtime_between(&document.text, name, at) {
            continue;
        }
        if NOT.is_match(&document.text[at.end..]) || is_time_or_place(&document.text, span, name, at) {
            continue;
        }
        if version::states(found.as_str(), new, least) {
            current = true;
        } else if version::states(found.as_str(), old, least) && at.start >= name.end {
            stale.get_or_insert(at);
        } else if is_below(found.as_str(), old) && stands_behind(subject, at.start) {
            older = true;
        }
    }
    let Some(stale) = stale.filter(|_| !current) else {
        return if current { Verdict::Current } else { Verdict::Mention };
    };
    // What names an older version besides, without saying that it will not do, states no minimum: `wheels for 3.6, 3.7-3.9`.
    if older || CONDITION.is_match(text) || speaks_of_another(subject, span) || is_commit_message(subject) {
        return Verdict::Mention;
    }
    if super::super::past::speaks_of_past(text, 0)
        || tells_a_step(text)
        || speaks_of_release(subject, text)
        || is_row_of_releases(subject, name)
        || is_about_the_runtime(&document.text, span, name)
        || names_a_release(text, old, new)
    {
        return Verdict::Past;
    }
    let line = document.lines.span_of(document.lines.line(stale.start));
    if (subject.background.is_new)(subject.of(line)) {
        return Verdict::WrittenNow;
    }
    let headings = subject
        .region()
        .scope
        .headings
        .iter()
        .filter_map(|&h| document.regions.get(h))
        .any(|r| REQUIRES.is_match(document.region_text(r)));
    let behind = document.text.get(stale.end..).unwrap_or("");
    // `Python 3.6+ type hints` are a kind of thing, not something to have.
    let open = behind.strip_prefix('+').is_some_and(|rest| !ADJECTIVE.is_match(rest));
    // `TLS 1.1 (Python 3.4+)`: what one thing needs.
    let remark = is_in_remark(&document.text, span, name, stale);
    if !(REQUIRES.is_match(text) || headings || open) || remark && !REQUIRES.is_match(text) {
        return Verdict::Mention;
    }
    claim(subject, stale, ClaimRule::MinimumVersion, Strength::Strong, aspect)
}

/// Whether a sentence is about another project: it begins with a link to that one's site.
fn speaks_of_another(subject: &Subject<'_>, sentence: ByteSpan) -> bool {
    subject.region().marks.iter().any(|mark| {
        let MarkKind::Link { target } = &mark.kind else { return false };
        let target = target.to_lowercase();
        let own = subject.background.own_names.iter().any(|n| n.len() > 2 && target.contains(n.as_str()));
        target.contains("://")
            && !own
            && sentence.contains(mark.span)
            && mark.span.end <= subject.citation.span.start
            && mark.span.start < sentence.start + 40
    })
}

/// Whether a sentence is about one release of the project itself: `Tool 5.2.x requires Python 3.7`.
fn speaks_of_release(subject: &Subject<'_>, sentence: &str) -> bool {
    static RELEASE: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"([A-Za-z][\w.-]*[A-Za-z0-9])['`*_\]]*,?\s+(?:version\s+|release\s+)?[`*_(]*v?\d+(?:\.\d+)*(?:\.x)?\b")
            .expect("valid pattern")
    });
    RELEASE.captures_iter(sentence).any(|c| {
        let word = c[1].to_lowercase();
        word != subject.change.cited().name && subject.background.own_names.contains(&word)
    })
}

/// Whether a version says when or where something is so: `gained generics in Python 3.9`, `as old as Go 1.17`, `On Python 3.9, ...`.
fn is_time_or_place(text: &str, sentence: ByteSpan, name: ByteSpan, version: ByteSpan) -> bool {
    static LEAD: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(
            r"(?i)\b(?:in|as of|as old as|older than|before|prior to|until|up to)\s+(?:the\s+)?[`*_]*$|(?:^|[.;:(])\s*on\s+[`*_]*$",
        )
        .expect("valid pattern")
    });
    static OPEN: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"(?i)^[`*_]*(?:\+|\.x|,? (?:and|or) (?:later|newer|above|higher|up))").expect("valid pattern")
    });
    static CONDITIONAL: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"(?i)^[`*_]*(?:\+|\.x|,? (?:and|or) (?:later|newer|above|higher|up))[`*_]*,").expect("valid pattern")
    });
    // `since the v1.10.0 release`: a release of something.
    let behind = text.get(version.end..).unwrap_or("").trim_start_matches(['`', '*', '_', ' ']);
    if behind.starts_with("release") && !behind.starts_with("releases") {
        return true;
    }
    // `In Ruby 2.3 or later, use ...`: what holds there.
    let lead = text.get(sentence.start.min(name.start)..name.start).unwrap_or("").trim();
    let opens = lead.eq_ignore_ascii_case("in") || lead.eq_ignore_ascii_case("on") || lead.eq_ignore_ascii_case("with");
    if name.end <= version.start && opens && CONDITIONAL.is_match(text.get(version.end..).unwrap_or("")) {
        return true;
    }
    name.end <= version.start
        && LEAD.is_match(text.get(sentence.start.min(name.start)..name.start).unwrap_or(""))
        && !OPEN.is_match(text.get(version.end..).unwrap_or(""))
}

/// Whether a cited version of the same form is lower than the minimum was.
fn is_below(cited: &str, old: &str) -> bool {
    let (Some(cited), Some(old)) = (version::components(cited), version::components(old)) else { return false };
    cited.len() >= 2 && cited[0] > 0 && cited[0] + 1 >= old[0] && cited < old && !old.starts_with(&cited)
}

/// Whether the runtime's name stands right before a place, itself or as the end of a word: `CPython 3.6`.
fn stands_behind(subject: &Subject<'_>, at: usize) -> bool {
    let before = subject.document.text.get(..at).unwrap_or("").trim_end_matches([' ', '`', '*', '=', '>', '<', '~', 'v', '-']);
    let name = subject.of(subject.citation.span).as_bytes();
    let end = before.as_bytes();
    end.len() >= name.len() && end[end.len() - name.len()..].eq_ignore_ascii_case(name)
}

/// Whether a sentence names a release of something else in full: `To use v0.3.9 you need node 0.4 or later`.
fn names_a_release(text: &str, old: &str, new: &str) -> bool {
    static RELEASE: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"(?:^|[\s(`\[])v(\d+\.\d+\.\d+)\b").expect("valid pattern"));
    RELEASE.captures_iter(text).any(|c| !version::states(&c[1], old, 1) && !version::states(&c[1], new, 1))
}

/// Whether a sentence tells what the runtime itself has or needs, or defines a term: `The Rust compiler since version 1.64
/// requires ...`, `was added to Python 3.7`.
fn is_about_the_runtime(text: &str, sentence: ByteSpan, name: ByteSpan) -> bool {
    static GAINED: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"(?i)\b(?:added|introduced|built|shipped|included|bundled|available)\s+(?:in|to|into|with|since)\s+(?:the\s+)?[`*_]*$|\bbuilt[- ]in\b[^\n]{0,80}\b(?:on|in|since|from)\s+(?:the\s+)?[`*_]*$")
            .expect("valid pattern")
    });
    static SINCE: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"(?i)^(?:\s+(?:compiler|runtime|interpreter|toolchain|itself|language))?[`*_]*\s+since\b")
            .expect("valid pattern")
    });
    GAINED.is_match(text.get(sentence.start.min(name.start)..name.start).unwrap_or(""))
        || SINCE.is_match(text.get(name.end..sentence.end).unwrap_or(""))
}

/// Whether a sentence tells of a step from one minimum to another: `Bumps the minimum Node version from 8 to 14`.
fn tells_a_step(text: &str) -> bool {
    static STEP: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"(?i)\b(?:bump|rais|increas|decreas|lower|updat)\w*\b.{0,60}\b(?:minimum|min|required?|requirements?)\b|\bfor (?:ruby|node|python|go|rust|java|php) <")
            .expect("valid pattern")
    });
    STEP.is_match(text)
}

/// Whether a line opens with a release of something else than the runtime: `1.27 to 1.29 - Rust 1.56`, `As of 2.0, ...`.
fn is_row_of_releases(subject: &Subject<'_>, name: ByteSpan) -> bool {
    static ROW: LazyLock<Regex> = LazyLock::new(|| {
        Regex::new(r"(?i)^[\s*+|>-]*(?:(?:as of|since|from|starting (?:with|from|in))\s+)?(?:version\s+|release\s+)?[`*_]*v?\d+\.(?:\d+|x)")
            .expect("valid pattern")
    });
    let document = subject.document;
    let line = document.lines.span_of(document.lines.line(name.start));
    // The numbers of a list are not versions; a version of the runtime itself stands behind its name.
    ROW.is_match(document.text.get(line.start..name.start).unwrap_or(""))
}

/// Whether the place is the message of a commit, shown as code: `update to Rust 1.88 (#2725)`.
fn is_commit_message(subject: &Subject<'_>) -> bool {
    static REQUEST: LazyLock<Regex> = LazyLock::new(|| Regex::new(r"\(#\d+\)`*$").expect("valid pattern"));
    let code = subject.region().marks.iter().find(|m| m.kind == MarkKind::Code && m.span.contains(subject.citation.span));
    code.is_some_and(|m| REQUEST.is_match(subject.of(m.span).trim_end()))
}

/// Whether name and version are all that a bracket behind other words holds.
fn is_in_remark(text: &str, sentence: ByteSpan, name: ByteSpan, version: ByteSpan) -> bool {
    let before = text.get(sentence.start..name.start).unwrap_or("").trim_end_matches(['`', '*', ' ']);
    let behind = text.get(version.end..).unwrap_or("").trim_start_matches(['+', '`', '*', ' ']);
    let words = before.trim_end_matches('(').chars().any(char::is_alphanumeric);
    before.ends_with('(') && behind.starts_with(')') && words
}

/// Whether another capitalised product stands between the name and the version: `Python and Rust 1.74`.
fn another_runtime_between(text: &str, name: ByteSpan, version: ByteSpan) -> bool {
    let (start, end) = if name.end <= version.start { (name.end, version.start) } else { (version.end, name.start) };
    let between = text.get(start..end).unwrap_or("");
    between.contains(['|', ';', '\n']) && between.contains('|')
        || between.split(|c: char| !c.is_alphanumeric()).any(|w| {
            matches!(
                w.to_lowercase().as_str(),
                "python"
                    | "node"
                    | "rust"
                    | "go"
                    | "ruby"
                    | "java"
                    | "npm"
                    | "vim"
                    | "pip"
                    | "docker"
                    | "typescript"
                    | "jruby"
                    | "pypy"
                    | "redis"
                    | "rails"
                    | "cargo"
            )
        })
}

fn pin(subject: &Subject<'_>, aspect: &Aspect) -> Verdict {
    let Some((old, new)) = sides(aspect) else { return Verdict::Mention };
    // A next-development bump says nothing about what readers should install.
    if version::is_preview(new) || version::is_preview(old) {
        return Verdict::Mention;
    }
    // Nor does a version that is not to be published.
    if subject.change.after.as_ref().is_some_and(|f| f.value.get("published").is_some()) {
        return Verdict::Mention;
    }
    // Nor does a trial of a lower one.
    if version::components(new) < version::components(old) {
        return Verdict::Mention;
    }
    let text = &subject.document.text;
    let end = text[subject.citation.span.end..].find('\n').map_or(text.len(), |at| subject.citation.span.end + at);
    let Some(found) = VERSION.find(&text[subject.citation.span.end..end]) else { return Verdict::Mention };
    let at = ByteSpan::new(subject.citation.span.end + found.start(), subject.citation.span.end + found.end());
    if version::states(found.as_str(), new, 1) {
        return Verdict::Current;
    }
    // Only the very version that was current at base went stale now; an older pin was stale before.
    if !version::states(found.as_str(), old, 2) {
        return Verdict::ExplicitArgument;
    }
    // A range that a manifest line opens lets the new version in.
    let lead = &text[subject.citation.span.end..at.start];
    if lead.contains('=') && !lead.contains("==") && version::is_compatible(found.as_str(), new) {
        return Verdict::ExplicitArgument;
    }
    if is_last_of_its_kind(subject, found.as_str()) {
        return Verdict::ExplicitArgument;
    }
    // A release that takes the pinned one's place without a break leaves the command as good as it was.
    let strength = if version::is_compatible(found.as_str(), new) { Strength::Weak } else { Strength::Strong };
    claim(subject, at, ClaimRule::VersionPin, strength, aspect)
}

/// Whether the text above a command says that the pinned version is the last that does something.
fn is_last_of_its_kind(subject: &Subject<'_>, pinned: &str) -> bool {
    static UNTIL: LazyLock<Regex> =
        LazyLock::new(|| Regex::new(r"(?i)\b(?:until|up to|through|last|latest|before|older|below)\b").expect("valid pattern"));
    let above = subject.citation.region.checked_sub(1).and_then(|i| subject.document.regions.get(i));
    above.map(|r| subject.document.region_text(r)).is_some_and(|text| text.contains(pinned) && UNTIL.is_match(text))
}

fn claim(subject: &Subject<'_>, stale: ByteSpan, rule: ClaimRule, strength: Strength, aspect: &Aspect) -> Verdict {
    Verdict::Claims(vec![Claim { citation: subject.citation.clone(), rule, strength, stale, aspect: Some(aspect.clone()) }])
}
