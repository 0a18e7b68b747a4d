//! Comments that speak to refdrift, and the block each speaks of. What the words mean is decided by the policy.

use super::comment::Comment;
use crate::model::{ByteSpan, Region, RegionKind, Remark};

/// Longest words that are kept, in characters.
const MAX_WORDS: usize = 1_200;

/// Most remarks of one document.
const MAX_REMARKS: usize = 500;

/// Every comment that begins with `refdrift:`, the markers of generated regions left out.
pub(super) fn find(text: &str, comments: &[Comment<'_>], regions: &[Region]) -> Vec<Remark> {
    let spoken = comments.iter().filter_map(|comment| Some((comment, words(comment.text)?)));
    spoken
        .take(MAX_REMARKS)
        .map(|(comment, words)| Remark { span: comment.span, words, block: block(text, comment.span, comments, regions) })
        .collect()
}

fn words(comment: &str) -> Option<String> {
    let comment = comment.trim();
    let rest = comment.get(..9).filter(|head| head.eq_ignore_ascii_case("refdrift:")).and_then(|_| comment.get(9..))?;
    let words = rest.split_whitespace().collect::<Vec<_>>().join(" ");
    let is_marker = words.get(..9).is_some_and(|w| w.eq_ignore_ascii_case("generated"));
    (!is_marker).then(|| words.chars().take(MAX_WORDS).collect())
}

/// The block a comment stands in, where there is anything else in it, else the next one.
fn block(text: &str, comment: ByteSpan, comments: &[Comment<'_>], regions: &[Region]) -> Option<ByteSpan> {
    let has_content = |region: &Region| !is_blank_besides(text, region.span, comments);
    let first = regions.partition_point(|r| r.span.end <= comment.start);
    let own = regions
        .iter()
        .skip(first)
        .take_while(|r| r.span.start < comment.end)
        .find(|r| r.span.overlaps(comment) && has_content(r));
    if let Some(own) = own {
        return Some(own.span);
    }
    let next = regions.iter().enumerate().skip(first).find(|(_, r)| r.span.start >= comment.end && has_content(r));
    let (index, head) = next?;
    let belongs = |region: &&Region| match head.kind {
        RegionKind::TableHeader { .. } | RegionKind::TableRow { .. } => matches!(region.kind, RegionKind::TableRow { .. }),
        // The items of a list, and what stands in them.
        RegionKind::ListItem => {
            region.scope.headings == head.scope.headings
                && (matches!(region.kind, RegionKind::ListItem) || region.scope.items.len() > head.scope.items.len())
        }
        _ => false,
    };
    let last = regions.iter().skip(index + 1).take_while(belongs).last().unwrap_or(head);
    Some(ByteSpan::new(head.span.start, last.span.end.max(head.span.end)))
}

/// Whether a span holds nothing but comments and blanks.
fn is_blank_besides(text: &str, span: ByteSpan, comments: &[Comment<'_>]) -> bool {
    let mut at = span.start;
    let first = comments.partition_point(|c| c.span.end <= span.start);
    for comment in comments.iter().skip(first).take_while(|c| c.span.start < span.end) {
        if comment.span.start > at && !ByteSpan::new(at, comment.span.start).of(text).trim().is_empty() {
            return false;
        }
        at = at.max(comment.span.end);
    }
    at >= span.end || ByteSpan::new(at, span.end).of(text).trim().is_empty()
}

#[cfg(test)]
mod tests {
    use super::super::parse;
    use crate::model::RepoPath;

    /// Expected: words and the block's text for each remark.
    fn check(path: &str, text: &str, expected: &[(&str, Option<&str>)]) {
        let document = parse(&RepoPath::new(path), text).expect("a document").document;
        let got: Vec<(&str, Option<&str>)> =
            document.remarks.iter().map(|r| (r.words.as_str(), r.block.map(|b| b.of(&document.text)))).collect();
        assert_eq!(got, expected, "{text}");
    }

    #[test]
    fn speaks_of_the_next_block() {
        let said = "allow broken-reference X why not";
        let comment = "<!-- refdrift: allow broken-reference X\n  why not -->";
        check("a.md", &format!("{comment}\nText of\ntwo lines.\n\nMore.\n"), &[(said, Some("Text of\ntwo lines."))]);
        check("a.md", &format!("{comment}\n\n```sh\nx\n```\nMore.\n"), &[(said, Some("```sh\nx\n```"))]);
        check(
            "a.md",
            &format!("{comment}\n| a | b |\n|---|---|\n| 1 | 2 |\n\nMore.\n"),
            &[(said, Some("| a | b |\n|---|---|\n| 1 | 2 |"))],
        );
        check("a.md", &format!("{comment}\n- a\n- b\n\n  c\n\nMore.\n"), &[(said, Some("- a\n- b\n\n  c"))]);
        check("a.md", &format!("{comment}\n"), &[(said, None)]);
        check("a.md", "[//]: # (refdrift: allow x y)\n\nText.\n", &[("allow x y", Some("Text."))]);
        check(
            "a.md",
            "<!-- refdrift: allow a b -->\n<!-- other -->\n<!-- RefDrift: allow c d -->\n\nText.\n",
            &[("allow a b", Some("Text.")), ("allow c d", Some("Text."))],
        );
    }

    #[test]
    fn speaks_of_its_own_block() {
        check(
            "a.md",
            "One.\n\n- two <!-- refdrift: allow a b -->\n- three\n",
            &[("allow a b", Some("- two <!-- refdrift: allow a b -->"))],
        );
    }

    #[test]
    fn reads_each_format() {
        check("a.mdx", "{/* refdrift: allow a b */}\n\nText.\n\nMore.\n", &[("allow a b", Some("Text."))]);
        check("a.rst", "Title\n=====\n\n.. refdrift: allow a b\n\nText.\n\nMore.\n", &[("allow a b", Some("Text."))]);
        check("a.adoc", "= Title\n\n// refdrift: allow a b\nText.\n\nMore.\n", &[("allow a b", Some("Text."))]);
    }

    #[test]
    fn quotes_and_markers_are_none() {
        for text in [
            "```\n<!-- refdrift: allow a b -->\n```\n",
            "`<!-- refdrift: allow a b -->`\n",
            "<!-- refdrift:generated generator=x -->\na\n<!-- /refdrift:generated -->\n",
            "refdrift: allow a b\n",
            "<!-- see refdrift: allow a b -->\n\nText.\n",
        ] {
            check("a.md", text, &[]);
        }
    }
}
