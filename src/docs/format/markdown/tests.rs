//! Markdown and MDX as regions.

use super::super::render::{check, sound};
use super::{Markdown, Mdx};

#[track_caller]
fn md(text: &str, expected: &[&str]) {
    check(&Markdown, text, expected);
}

#[track_caller]
fn mdx(text: &str, expected: &[&str]) {
    check(&Mdx, text, expected);
}

#[test]
fn headings_and_paragraphs() {
    md(
        "# Title {#id}\n\nOne\ntwo.\n\n## Sub\ntext\n\nSet\n===\n\nend",
        &["h1 1", "p 3-4 @ Title {#id}", "h2 6 @ Title {#id}", "p 7 @ Title {#id} > Sub", "h1 9-10", "p 12 @ Set"],
    );
    md("# A\n### C\n## B\nx", &["h1 1", "h3 2 @ A", "h2 3 @ A", "p 4 @ A > B"]);
}

#[test]
fn lists() {
    md(
        "- **Default:** `False`\n- b\n  more\n\n  further\n\n      code\n- [ ] task",
        &["li 1 | em Default: | `False", "li 2-3", "p 5 @ -b", "code 7  \"      code\" @ -b", "li 8"],
    );
    md(
        "1. one\n   - two `x`\n     - three\n   tail\n2) other",
        &["li 1", "li 2 @ -1. one | `x", "li 3-4 @ -1. one > -two `x`", "li 5"],
    );
    md(
        "- - a\n\n-\n\n- ```sh\n  run\n  ```\n- # H\n  below\n\nafter",
        &["li 1", "li 1 @ -", "li 3", "li 5", "code 5-7 sh \"  run\" @ -", "li 8", "h1 8 @ -", "p 9 @ H > -", "p 11"],
    );
    md(
        "Term `t`\n: means `x`\n\n    more\n\nOther\n: y\n",
        &["li 1 | `t", "p 2 @ -Term `t` | `x", "p 4 @ -Term `t`", "li 6", "p 7 @ -Other"],
    );
    md("## key\n> - quoted `a`\n>\n>   deep\n\ntail", &["h2 1", "li 2 @ key | `a", "p 4 @ key > -quoted `a`", "p 6 @ key"]);
}

#[test]
fn tables() {
    md(
        "| Key | Default |\n|---|--:|\n| `a\\|b` | 3 |\n| c | |\n",
        &["th 1 [Key|Default]", "tr 3 [`a\\|b`|3] | `a\\|b", "tr 4 [c|]"],
    );
    md(
        "a | b\n--|--\n`x` | [t](./y.md)\n\nafter",
        &["th 1 [a|b]", "tr 3 [`x`|[t](./y.md)] | `x | ->./y.md [t](./y.md) | text t", "p 5"],
    );
    md("- item\n\n  | A |\n  |---|\n  | 1 \\| 2 |\n", &["li 1", "th 3 [A] @ -item", "tr 5 [1 \\| 2] @ -item"]);
    md("| a |\n|---|\n| x | y |\n|  |\n", &["th 1 [a]", "tr 3 [x]", "tr 4 []"]);
}

#[test]
fn code_blocks() {
    md(
        "```Rust,no_run title=\"a.rs\"\nfn x() {}\n\n```\n\n~~~\nplain\n~~~\n\n    indented\n\n      more\n\ntail",
        &[
            "code 1-4 rust{no_run title=\"a.rs\"} \"fn x() {}\"",
            "code 6-8  \"plain\"",
            "code 10-12  \"    indented\\\\n\\\\n      more\"",
            "p 14",
        ],
    );
    md("- a\n\n  ```yaml\n  k:\n    v: 1\n  ```\n- b", &["li 1", "code 3-6 yaml \"  k:\\\\n    v: 1\" @ -a", "li 7"]);
    md("> ```sh\n> a\n> b\n> ```", &["code 1-4 sh \"> a\\\\n> b\""]);
    md(
        "```{code-block} Python\n:linenos:\nx\n```\n\n```{ .toml title=\"x\" }\na=1\n```\n\n```ts{1,3} twoslash\nx\n```\n\n```",
        &[
            "code 1-4 python \":linenos:\\\\nx\"",
            "code 6-8 toml{title=\"x\"} \"a=1\"",
            "code 10-12 ts{{1,3} twoslash} \"x\"",
            "code 14  \"\"",
        ],
    );
}

#[test]
fn code_spans() {
    md("a `x` ``b ` c`` ` d ` `` `e` `` `` ` `` `\nf\n` z", &["p 1-3 | `x | `b ` c | `d | ``e` | `` | `f"]);
    md("| `a\\|b` `` ` `` |\n|---|\n", &["th 1 [`a\\|b` `` ` ``] | `a\\|b | ``"]);
}

#[test]
fn links() {
    md(
        "[a `b`](./x.md#y \"t\") <https://e.org> [r][ref] [ref] ![i](p&amp;q.png) [s](<a b.md>)\n\n[ref]: ../r.md \"T\"\n",
        &[
            "p 1 | ->./x.md#y [a `b`](./x.md#y \"t\") | text a `b` | `b | ->https://e.org <https://e.org> | ->../r.md [r][ref] | text r | ->../r.md [ref] | text ref | ->p&q.png ![i](p&amp;q.png) | ->a b.md [s](<a b.md>) | text s",
            "p 3 | ->../r.md [ref]: ../r.md \"T\"",
        ],
    );
    md(
        "[![badge](b.svg)](ci.md) [e\\_f](g\\_h.md) [n]()",
        &[
            "p 1 | ->ci.md [![badge](b.svg)](ci.md) | ->b.svg ![badge](b.svg) | text ![badge](b.svg) | ->g_h.md [e\\_f](g\\_h.md) | text e\\_f | -> [n]() | text n",
        ],
    );
    md("*em* __st **n**__ ~~gone `x`~~ ~one~", &["p 1 | em em | em st **n** | em n | ~gone `x` | `x | ~one"]);
}

#[test]
fn bare_addresses() {
    md(
        "see https://a.b/c_d_e (http://x.y). [t](https://q.r) `https://no` <https://s>\n\n- https://l/m\n",
        &[
            "p 1 | ->https://a.b/c_d_e https://a.b/c_d_e | ->http://x.y http://x.y | ->https://q.r [t](https://q.r) | text t | `https://no | ->https://s <https://s>",
            "li 3 | ->https://l/m https://l/m",
        ],
    );
}

#[test]
fn html() {
    md(
        "<p align=\"center\">\n  <img src=\"logo.png\">\n  <a href=\"docs/x.md\"><code>--flag</code></a>\n</p>\n\ntext <kbd>x</kbd> <a href='y'>z</a> <code>w</code>",
        &[
            "html 1-4 | ->logo.png <img src=\"logo.png\"> | ->docs/x.md <a href=\"docs/x.md\"> | `--flag",
            "p 6 | tag <kbd> | tag </kbd> | ->y <a href='y'> | tag <a href='y'> | tag </a> | tag <code> | `w | tag </code>",
        ],
    );
    md("<!-- note -->\n\n<details>\n<summary>S</summary>\n\n`in`\n\n</details>", &["html 1", "html 3-4", "p 6 | `in", "html 8"]);
}

#[test]
fn alerts_containers_tabs() {
    md("> [!NOTE]\n> Use `x`.\n\n::: tip Title\nUse `y`.\n- a\n:::\nafter", &["p 2 | `x", "p 5 | `y", "li 6", "p 8"]);
    md(
        "=== \"npm\"\n\n    ```sh\n    npm i\n    ```\n\n    - a\n        - b\n\n=== \"yarn\"\n    yarn `x`\n\n!!! note\n    deep\n\n    ??? tip \"T\"\n        deeper `y`\n\nafter\n\n    code",
        &["code 3-5 sh \"    npm i\"", "li 7", "li 8 @ -a", "p 11 | `x", "p 14", "p 17 | `y", "p 19", "code 21  \"    code\""],
    );
}

#[test]
fn pymdown_blocks() {
    md("/// note | Title\nUse `x`.\n///\n\nafter", &["p 2 | `x", "p 5"]);
}

#[test]
fn inclusions() {
    md(
        "{{#include ../a.rs:3:4}} \\{{#include no.rs}} `{{#include code.rs}}`\n\n```rust\n{{#rustdoc_include ../b.rs:main}}\n```\n",
        &[
            "p 1 | ->../a.rs {{#include ../a.rs:3:4}} | `{{#include code.rs}}",
            "code 3-5 rust \"{{#rustdoc_include ../b.rs:main}}\" | ->../b.rs {{#rustdoc_include ../b.rs:main}}",
        ],
    );
    md(
        "--8<-- \"docs/x.md:part\"\n\n```\n--8<-- 'y.sh'\n```\n\n--8<--\na.md\nb.md\n--8<--\n\n<<< @/s/x.js{2}\n",
        &[
            "p 1 | ->docs/x.md --8<-- \"docs/x.md:part\"",
            "code 3-5  \"--8<-- 'y.sh'\" | ->y.sh --8<-- 'y.sh'",
            "p 7-10 | ->a.md a.md | ->b.md b.md",
            "p 12 | ->@/s/x.js <<< @/s/x.js{2}",
        ],
    );
}

#[test]
fn mdx_blocks() {
    mdx(
        "import X from './x'\nimport {\n  Y,\n} from \"../y.js\"\nimport Z from 'z'\n\nexport const meta = {\n\n  a: 1\n}\n\n# H `foo`\n\n<Tabs items={['a > b']}>\n  <Tab\n    title=\"q\">\n    Use `cli --flag` {props.x} here\n\n    | a | b |\n    |---|---|\n    | `k\\|x` | v |\n\n        not code\n  </Tab>\n</Tabs>\n\n```rust title=\"a.rs\"\n<Tab>\n```\n",
        &[
            "html 1-5 | ->./x import X from './x' | ->../y.js } from \"../y.js\"",
            "html 7-10",
            "h1 12 | `foo",
            "html 14 @ H `foo`",
            "html 15-16 @ H `foo`",
            "p 17 @ H `foo` | `cli --flag",
            "th 19 [a|b] @ H `foo`",
            "tr 21 [`k\\|x`|v] @ H `foo` | `k\\|x",
            "code 23  \"        not code\" @ H `foo`",
            "html 24 @ H `foo`",
            "html 25 @ H `foo`",
            "code 27-29 rust{title=\"a.rs\"} \"<Tab>\" @ H `foo`",
        ],
    );
    mdx(
        "import this is prose\n\n{/* generated\n   by x */}\n\n- a\n  <Note>\n  in `b`\n  </Note>\n\n<Img src={require('./p.png').default} /> <br/>\n\ntext <Link to=\"/d\">t</Link>\n\n:::tip\n`y`\n:::\n",
        &[
            "p 1",
            "html 3-4",
            "li 6",
            "html 7 @ -a",
            "p 8 @ -a | `b",
            "html 9",
            "html 11 | ->./p.png <Img src={require('./p.png').default} />",
            "p 13 | ->/d <Link to=\"/d\"> | tag <Link to=\"/d\"> | tag </Link>",
            "p 16 | `y",
        ],
    );
}

#[test]
fn positions_with_crlf() {
    md(
        "# T\r\n\r\na `b`\r\nc\r\n\r\n```sh\r\nx\r\ny\r\n```\r\n\r\n| h |\r\n|---|\r\n| c |\r\n",
        &["h1 1", "p 3-4 @ T | `b", "code 6-9 sh \"x\\\\r\\\\ny\" @ T", "th 11 [h] @ T", "tr 13 [c] @ T"],
    );
    mdx(
        "import X from './x'\r\n\r\n<Tab>\r\n  `a`\r\n</Tab>\r\n",
        &["html 1 | ->./x import X from './x'", "html 3", "p 4 | `a", "html 5"],
    );
}

#[test]
fn begins_after_the_frontmatter() {
    let text = "---\na: 1\n---\n# T\n\n!!! note\n    `x`\n";
    let regions = super::super::super::Format::regions(&Markdown, text, 13);
    let shown = super::super::render::render(text, &regions);
    assert_eq!(shown, ["h1 4", "p 7 @ T | `x"]);
}

#[test]
fn survives_hostile_text() {
    let deep = 10_000;
    for text in [
        "> ".repeat(deep),
        "- ".repeat(deep),
        "[".repeat(deep),
        "[a](".repeat(deep),
        "*a **b ".repeat(deep),
        "`".repeat(deep),
        "<a ".repeat(deep),
        "<Tab>\n".repeat(deep),
        "<Tab {\n".repeat(deep),
        "!!! note\n    ".repeat(deep),
        "| a ".repeat(deep) + "\n" + &"|-".repeat(deep) + "\n",
        "x".repeat(1_000_000),
        "[^1]: ".repeat(deep),
        "{{#include ".repeat(deep),
        "\u{e9}\u{2028}\r".repeat(deep),
        (0..1000).map(|i| " ".repeat(i) + "- x").collect::<Vec<_>>().join("\n"),
    ] {
        sound(&Markdown, &text);
        sound(&Mdx, &text);
    }
}
