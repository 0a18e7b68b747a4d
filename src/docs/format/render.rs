//! Shows regions compactly, for the tests of the formats: one line each with kind, lines, what stands above, and marks.

use std::fmt::Write;

use crate::model::{ByteSpan, LineIndex, MarkKind, Region, RegionKind};

use super::super::Format;

/// Checks a format against the expected lines; a failure prints what it gave.
#[track_caller]
pub(super) fn check(format: &dyn Format, text: &str, expected: &[&str]) {
    let got = render(text, &sound(format, text));
    assert_eq!(got, expected, "\n--- text\n{text}\n--- got\n{}\n", got.join("\n"));
}

/// Regions of a text, after checking that they keep the contract.
pub(super) fn sound(format: &dyn Format, text: &str) -> Vec<Region> {
    let regions = format.regions(text, 0);
    let mut end = 0;
    for (index, region) in regions.iter().enumerate() {
        assert!(region.span.start >= end, "region {index} overlaps the one before: {region:?}");
        assert!(!region.span.of(text).is_empty(), "region {index} is empty or cuts a character: {region:?}");
        end = region.span.end;
        let mut start = 0;
        for mark in &region.marks {
            assert!(region.span.contains(mark.span), "mark outside of region {index}: {mark:?}");
            assert!(text.get(mark.span.start..mark.span.end).is_some(), "mark cuts a character: {mark:?}");
            assert!(mark.span.start >= start, "marks are not ordered in region {index}");
            start = mark.span.start;
        }
        for above in region.scope.headings.iter().chain(&region.scope.items) {
            assert!(*above < index, "scope of region {index} names a later region");
        }
        let inner: Vec<ByteSpan> = match &region.kind {
            RegionKind::TableHeader { cells } => cells.clone(),
            RegionKind::TableRow { header, cells } => {
                assert!(header.is_none_or(|h| h < index && matches!(regions[h].kind, RegionKind::TableHeader { .. })));
                cells.clone()
            }
            RegionKind::CodeBlock { content, .. } => vec![*content],
            RegionKind::Directive { argument, .. } => vec![*argument],
            _ => Vec::new(),
        };
        for span in inner {
            assert!(region.span.contains(span), "{span:?} lies outside of region {index} {:?}", region.span);
            assert!(text.get(span.start..span.end).is_some(), "a part of region {index} cuts a character");
        }
    }
    regions
}

/// One line per region.
pub(super) fn render(text: &str, regions: &[Region]) -> Vec<String> {
    let index = LineIndex::new(text);
    regions.iter().map(|region| line(text, &index, regions, region)).collect()
}

fn line(text: &str, index: &LineIndex, regions: &[Region], region: &Region) -> String {
    let lines = index.lines(region.span);
    let cells = |cells: &[ByteSpan]| format!("[{}]", cells.iter().map(|c| shown(c.of(text))).collect::<Vec<_>>().join("|"));
    let kind = match &region.kind {
        RegionKind::Heading { level } => format!("h{level}"),
        RegionKind::Paragraph => "p".to_owned(),
        RegionKind::ListItem => "li".to_owned(),
        RegionKind::TableHeader { .. } => "th".to_owned(),
        RegionKind::TableRow { .. } => "tr".to_owned(),
        RegionKind::CodeBlock { .. } => "code".to_owned(),
        RegionKind::Html => "html".to_owned(),
        RegionKind::Directive { name, prose: true, .. } => format!("text:{name}"),
        RegionKind::Directive { name, .. } => format!("dir:{name}"),
    };
    let mut out = match (lines.start.get(), lines.end.get()) {
        (start, end) if start == end => format!("{kind} {start}"),
        (start, end) => format!("{kind} {start}-{end}"),
    };
    match &region.kind {
        RegionKind::TableHeader { cells: list } => {
            let _ = write!(out, " {}", cells(list));
        }
        RegionKind::TableRow { header, cells: list } => {
            let _ = write!(out, " {}{}", cells(list), if header.is_some() { "" } else { " headless" });
        }
        RegionKind::CodeBlock { lang, meta, content } => {
            let _ = write!(out, " {lang}");
            if !meta.is_empty() {
                let _ = write!(out, "{{{}}}", shown(meta));
            }
            let _ = write!(out, " {:?}", shown(content.of(text)));
        }
        RegionKind::Directive { argument, .. } => {
            let _ = write!(out, " {:?}", shown(argument.of(text)));
        }
        _ => {}
    }
    let titles: Vec<String> = region
        .scope
        .headings
        .iter()
        .map(|&i| title(regions[i].span.of(text)))
        .chain(region.scope.items.iter().map(|&i| format!("-{}", title(regions[i].span.of(text)))))
        .collect();
    if !titles.is_empty() {
        let _ = write!(out, " @ {}", titles.join(" > "));
    }
    for mark in &region.marks {
        let word = match &mark.kind {
            MarkKind::Code => "`".to_owned(),
            MarkKind::Link { target } => format!("->{target} "),
            MarkKind::LinkText => "text ".to_owned(),
            MarkKind::Emphasis => "em ".to_owned(),
            MarkKind::Role { name } => format!(":{name}:"),
            MarkKind::Strikethrough => "~".to_owned(),
            MarkKind::Html => "tag ".to_owned(),
        };
        let _ = write!(out, " | {word}{}", shown(mark.span.of(text)));
    }
    out
}

/// The first line of a region without its markers, cut short.
fn title(text: &str) -> String {
    let skip = |c: char| matches!(c, '#' | '=' | '-' | '*' | '+' | '.' | ' ' | '>' | '~' | '^' | '\r');
    let line = text.lines().map(|l| l.trim_matches(skip)).find(|l| !l.is_empty()).unwrap_or("");
    line.chars().take(24).collect()
}

fn shown(text: &str) -> String {
    text.replace('\r', "\\r").replace('\n', "\\n")
}
