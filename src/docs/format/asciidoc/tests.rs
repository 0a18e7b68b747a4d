//! `AsciiDoc` as regions.

use super::super::render::{check, sound};
use super::AsciiDoc;

#[track_caller]
fn adoc(text: &str, expected: &[&str]) {
    check(&AsciiDoc, text, expected);
}

#[test]
fn headings_and_paragraphs() {
    adoc(
        "= Title\nAuthor <a@b.c>\n:version: 1.2\n:long: a \\\n  b\n\nintro\nmore\n\n== Sub `x`\n\ntext\n\n=== Deep\n\n== Other\n\nOld\n---\n\nend",
        &[
            "h1 1",
            "p 2 @ Title",
            "p 3 @ Title",
            "p 4-5 @ Title",
            "p 7-8 @ Title",
            "h2 10 @ Title | `x",
            "p 12 @ Title > Sub `x`",
            "h3 14 @ Title > Sub `x`",
            "h2 16 @ Title",
            "h2 18-19 @ Title",
            "p 21 @ Title > Old",
        ],
    );
    adoc("// comment\ntext\n// inner\nmore\n\n////\nhidden\n\n== no\n////\n\n'''\nend", &["p 2-4", "p 13"]);
}

#[test]
fn lists() {
    adoc(
        "* one `x`\nmore\n** deep\n*** deeper\n* two\n+\nattached\n+\n----\ncode\n----\n\nafter",
        &[
            "li 1-2 | `x",
            "li 3 @ -one `x`",
            "li 4 @ -one `x` > -deep",
            "li 5",
            "p 7 @ -two",
            "code 9-11  \"code\" @ -two",
            "p 13",
        ],
    );
    adoc(
        ". a\n.. b\n. c\n\n- d\n\n1. e\n2. f\n<1> g\n\n* [x] h",
        &["li 1", "li 2 @ -a", "li 3", "li 5 @ -c", "li 7 @ -c > -d", "li 8 @ -c > -d", "li 9", "li 11 @ -<1> g"],
    );
    adoc(
        "term `t`:: text\nmore\nother::\n\n  below\n\nthird::\n* in\n* out\nfourth::: nested\n\nend",
        &[
            "li 1 | `t",
            "p 1-2 @ -term `t`::",
            "li 3",
            "p 5 @ -other::",
            "li 7",
            "li 8 @ -third::",
            "li 9 @ -third::",
            "li 10 @ -third:: > -out",
            "p 10 @ -third:: > -out > -fourth:::",
            "p 12",
        ],
    );
    adoc(
        "* a\n+\n--\nfirst\n\nsecond\n--\n* b\n\n  literal\n\npara",
        &["li 1", "p 4 @ -a", "p 6 @ -a", "li 8", "code 10  \"  literal\" @ -b", "p 12"],
    );
}

#[test]
fn code_blocks() {
    adoc(
        "[source,Java,indent=0]\n----\nclass A {}\n\ninclude::{dir}/A.java[tags=x]\n----\n\n[,ruby]\n----\nx\n----\n\n....\nliteral\n....\n\n```sh title\nrun\n```\n\n[source]\nby style\nmore\n\n indented\n  code\n\nend",
        &[
            "code 2-6 java{indent=0} \"class A {}\\\\n\\\\ninclude::{dir}/A.java[tags=x]\" | ->{dir}/A.java include::{dir}/A.java[tags=x]",
            "code 9-11 ruby \"x\"",
            "code 13-15  \"literal\"",
            "code 17-19 sh{title} \"run\"",
            "code 22-23  \"by style\\\\nmore\"",
            "code 25-26  \" indented\\\\n  code\"",
            "p 28",
        ],
    );
    adoc(
        ":source-language: kotlin\n\n[source]\n.Title `t`\n----\nx\n----\n\n[NOTE]\n====\nnote `y`\n\n----\nz\n----\n====\n\n[source,yaml]\n----\nunclosed",
        &["p 1", "p 4 | `t", "code 5-7 kotlin \"x\"", "p 11 | `y", "code 13-15  \"z\"", "code 19-20 yaml \"unclosed\""],
    );
    adoc("[plantuml]\n....\na -> b\n....\n----\n----\n", &["code 2-4 plantuml \"a -> b\"", "code 5-6  \"\""]);
}

#[test]
fn blocks() {
    adoc(
        "NOTE: Use `x`.\n\n[TIP]\n====\na\n\n* b\n====\n\n****\nside\n****\n\n++++\n<a href=\"x\">\n++++\n\n____\nquote\n____",
        &["p 1 | `x", "p 5", "li 7", "p 11", "html 14-16 | ->x <a href=\"x\">", "p 19"],
    );
    adoc(
        "include::a/b.adoc[leveloffset=+1]\n\n.Caption\nimage::c.png[Alt]\n\nifdef::x[]\ninside\nendif::[]\n\ntoc::[]",
        &["dir:include 1 \"a/b.adoc\" | ->a/b.adoc a/b.adoc", "p 3", "dir:image 4 \"c.png\" | ->c.png c.png", "p 7"],
    );
}

#[test]
fn tables() {
    adoc(
        ".Caption\n|===\n|Key |Default\n\n|`a` |3\n|b\n|long\n more\n|===\n\nend",
        &["p 1", "th 3 [Key|Default]", "tr 5 [`a`|3] | `a", "tr 6-8 [b|long\\n more]", "p 11"],
    );
    adoc(
        "[cols=\"1,2a\",options=\"header\"]\n|===\n|Key\n|Default\n\n|`a`\n|3\n\n* x\n|===",
        &["th 3-4 [Key|Default]", "tr 6-9 [`a`|3\\n\\n* x] | `a"],
    );
    adoc(
        "|===\n|a |b\n2+|both\n.2+^s|c |d \\| e\n|===\n[%header,format=csv]\n|===\nx,y\n\"1,0\",2\n|===\n,===\nq,r\n,===",
        &[
            "tr 2 [a|b] headless",
            "tr 3 [both] headless",
            "tr 4 [c|d \\| e] headless",
            "th 8 [x|y]",
            "tr 9 [1,0|2]",
            "tr 12 [q|r] headless",
        ],
    );
    adoc("[cols=2*]\n|===\n|a|b|c\n|===\n|===\n|===\n", &["tr 3 [a|b] headless", "tr 3 [c] headless"]);
}

#[test]
fn inline_markup() {
    adoc(
        "`a` `+b+` +c+ ``d``e *f* _g_ **h**i `j `k x`l`m f(`n`) a + b + c `o-p`s",
        &["p 1 | `a | `b | `c | `d | em f | em g | em h | `j `k x`l`m f(`n"],
    );
    adoc(
        "link:a/b.html[text `x`] xref:c.adoc#d[e,window=_blank] xref:id[] <<sec>> <<f.adoc#g,the words>> https://h.i/j[k^] https://l.m/n. image:o.png[p] mailto:q@r[s]",
        &[
            "p 1 | ->a/b.html link:a/b.html[text `x`] | text text `x` | `x | ->c.adoc#d xref:c.adoc#d[e,window=_blank] | text e | ->#id xref:id[] | ->#sec <<sec>> | ->f.adoc#g <<f.adoc#g,the words>> | text the words | ->https://h.i/j https://h.i/j[k^] | text k | ->https://l.m/n https://l.m/n | ->o.png image:o.png[p] | text s",
        ],
    );
    adoc(
        "kbd:[Ctrl+C] footnote:[see `x`] [line-through]#old# {attr} [[anchor]] +++<b>+++ \\`no` std::vec a:b[c] pass:[`y`]",
        &["p 1 | :kbd:Ctrl+C | `x | ~old"],
    );
}

#[test]
fn positions_with_crlf() {
    adoc(
        "= T\r\n\r\n* a `b`\r\nc\r\n\r\n[source,sh]\r\n----\r\nx\r\ny\r\n----\r\n\r\n|===\r\n|h |i\r\n\r\n|1 |2\r\n|===\r\n",
        &["h1 1", "li 3-4 @ T | `b", "code 7-10 sh \"x\\\\r\\\\ny\" @ T", "th 13 [h|i] @ T", "tr 15 [1|2] @ T"],
    );
}

#[test]
fn survives_hostile_text() {
    let deep = 10_000;
    for text in [
        "* ".repeat(deep),
        (1..1000).map(|i| "*".repeat(i) + " x\n").collect::<Vec<_>>().concat(),
        "`a ".repeat(deep),
        "*a _b `c +d #e ".repeat(deep),
        "link:a[".repeat(deep),
        "*a ".repeat(deep) + "b*",
        "<<a".repeat(deep),
        "[[".repeat(deep),
        "+++".repeat(deep),
        "|".repeat(deep),
        "|===\n".to_owned() + &"256*|x\n".repeat(deep),
        "|===\n".to_owned() + &"|x ".repeat(deep) + "\n",
        "====\n=====\n".repeat(deep),
        "----\n-----\n".repeat(deep),
        "a:: ".repeat(deep),
        ":".repeat(deep),
        "a::\n".repeat(deep),
        "+\n".repeat(deep),
        "x".repeat(1_000_000),
        "http://a[".repeat(deep),
        "\u{e9}\u{2028}`\u{e9}|".repeat(deep),
    ] {
        sound(&AsciiDoc, &text);
    }
}
