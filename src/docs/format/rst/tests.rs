//! reStructuredText as regions.

use super::super::super::Format;
use super::super::render::{check, sound};
use super::Rst;

#[track_caller]
fn rst(text: &str, expected: &[&str]) {
    check(&Rst, text, expected);
}

#[test]
fn sections() {
    rst(
        "=====\nTitle\n=====\n\nintro\n\nSub ``x``\n---------\ntext\n\nDeep\n~~~~\n\nOther\n-----\n\nTop\n===\n\nend",
        &[
            "h1 1-3",
            "p 5 @ Title",
            "h2 7-8 @ Title | `x",
            "p 9 @ Title > Sub ``x``",
            "h3 11-12 @ Title > Sub ``x``",
            "h2 14-15 @ Title",
            "h4 17-18 @ Title > Other",
            "p 20 @ Title > Other > Top",
        ],
    );
    rst("Title\n==\n\nA\n\n----\n\nB\n", &["p 1-2", "p 4", "p 8"]);
    rst("* item\n\nNext\n----\n\nx", &["li 1", "h1 3-4", "p 6 @ Next"]);
}

#[test]
fn lists() {
    rst(
        "- one ``x``\n  more\n\n  further\n\n  * deep\n- two\n\n1. a\n#. b\n\n(a) c\n\nA. Miller wrote\nthis.",
        &["li 1-2 | `x", "p 4 @ -one ``x``", "li 6 @ -one ``x``", "li 7", "li 9", "li 10", "li 12", "p 14-15"],
    );
    rst(
        "term ``t``\n  means *x*\n\n  more\nother : classifier\n  y\n",
        &["li 1 | `t", "p 2 @ -term ``t`` | em x", "p 4 @ -term ``t``", "li 5", "p 6 @ -other : classifier"],
    );
    rst(":param x: the value\n   goes on\n:returns: y\n:empty:\n", &["li 1-2", "li 3", "li 4"]);
    rst(
        "-a, --all  Show all.\n--size=<n>\n    The size.\n\n    Default: 3\n/V  x\n",
        &["li 1 | `-a, --all", "li 2 | `--size=<n>", "p 3 @ -size=<n", "p 5 @ -size=<n", "li 6 | `/V"],
    );
    rst(
        "- - a\n  - b\n-\n  c\n- .. note:: d\n",
        &["li 1", "li 1 @ -", "li 2 @ -", "li 3", "p 4 @ -", "li 5", "text:note 5 \"d\" @ -"],
    );
}

#[test]
fn lists_without_blank_lines() {
    rst("- a\n  b\n    - c\n    - d\n- e", &["li 1-2", "li 3 @ -a", "li 4 @ -a", "li 5"]);
    rst("such as:\n* a\n* b\n", &["p 1", "li 2", "li 3"]);
    rst("a\n* b\n", &["p 1-2"]);
}

#[test]
fn literal_blocks() {
    rst(
        "Run::\n\n   make\n     deep\n\n   more\n\nafter ::\n\n  x\n\n::\n\n  y\n",
        &["p 1", "code 3-6  \"   make\\\\n     deep\\\\n\\\\n   more\"", "p 8", "code 10  \"  x\"", "code 14  \"  y\""],
    );
    rst(
        "- item::\n\n    code\n\n  para\n\nterm::\n    direct\n",
        &["li 1", "code 3  \"    code\" @ -item::", "p 5 @ -item::", "p 7", "code 8  \"    direct\""],
    );
    rst("Quoted::\n\n> a\n> b\n\nx", &["p 1", "code 3-4  \"> a\\\\n> b\"", "p 6"]);
    rst(
        ".. highlight:: sh\n\nRun::\n\n   make\n\n.. code-block::\n\n   x\n\n.. code-block:: Python\n   :linenos:\n   :caption: a.py\n\n   x = 1\n\n     y\n\nend",
        &[
            "p 3",
            "code 5 sh \"   make\"",
            "code 7-9 sh \"   x\"",
            "code 11-17 python{:linenos: :caption: a.py} \"   x = 1\\\\n\\\\n     y\"",
            "p 19",
        ],
    );
    rst(
        ">>> f(1)\n2\n>>> g()\n\ntext\n\n.. doctest::\n\n   >>> x\n",
        &["code 1-3 pycon \">>> f(1)\\\\n2\\\\n>>> g()\"", "p 5", "code 7-9 pycon \"   >>> x\""],
    );
    rst(".. code:: sh\n\n.. code-block:: yaml\n   a: 1\n", &["code 3-4 yaml \"   a: 1\""]);
}

#[test]
fn inline_markup() {
    rst(
        "``a`` *b* **c d** `e` ``f`g`` :func:`h` :py:class:`~a.b.C` :ref:`text <label>` `i`:code: :doc:`!j`",
        &["p 1 | `a | em b | em c d | `e | `f`g | :func:h | :class:a.b.C | text text | :ref:label | :code:i | :doc:j"],
    );
    rst(
        "`text <https://a.b/c_>`_ `Name`_ name_ other_ `x <name_>`__ https://e.org/f. a_b_c snake_case_\n\n.. _name: ../r.rst\n.. _Other:\n.. _Long Name:\n   http://x/\n   y\n",
        &[
            "p 1 | ->https://a.b/c_ `text <https://a.b/c_>`_ | text text | ->../r.rst `Name`_ | text Name | ->../r.rst name_ | text name | ->../r.rst `x <name_>`__ | text x | ->https://e.org/f https://e.org/f",
            "p 3 | ->../r.rst .. _name: ../r.rst",
            "p 5-7 | ->http://x/y .. _Long Name:\\n   http://x/\\n   y",
        ],
    );
    rst("2 * 3 * 4 ``un closed *x `y\n\n\\*not\\* \\``z``", &["p 1", "p 3"]);
    rst("``--flag``/``-f``: (``x``) ``multi\nline`` ``é``é", &["p 1-2 | `--flag | `-f | `x | `multi\\nline"]);
}

#[test]
fn directives() {
    rst(
        ".. module:: a.b\n\n.. autoclass:: a.b.C\n   :members: x, y\n   :noindex:\n\n.. py:function:: f(a, *b)\n                 g(a)\n\n   Does ``x``.\n\n   :param a: y\n\nafter",
        &[
            "dir:module 1 \"a.b\"",
            "dir:autoclass 3 \"a.b.C\"",
            "li 4 @ -autoclass:: a.b.C",
            "dir:function 7 \"f(a, *b)\"",
            "dir:function 8 \"g(a)\" @ -py:function:: f(a, *b)",
            "p 10 @ -py:function:: f(a, *b) > -g(a) | `x",
            "li 12 @ -py:function:: f(a, *b) > -g(a)",
            "p 14",
        ],
    );
    rst(
        ".. option:: --flag <x>\n   Directly.\n\n.. envvar:: PATH_X\n\n   text\n\n   .. versionadded:: 3.1\n\n   .. versionchanged:: 4.0 Now ``y``\n      and more.\n\n   .. deprecated:: 5\n      Use z.\n",
        &[
            "dir:option 1 \"--flag <x>\"",
            "p 2 @ -option:: --flag <x",
            "dir:envvar 4 \"PATH_X\"",
            "p 6 @ -envvar:: PATH_X",
            "text:versionadded 8 \"3.1\" @ -envvar:: PATH_X",
            "text:versionchanged 10-11 \"4.0 Now ``y``\\\\n      and more.\" @ -envvar:: PATH_X | `y",
            "text:deprecated 13 \"5\" @ -envvar:: PATH_X",
            "p 14 @ -envvar:: PATH_X > -deprecated:: 5",
        ],
    );
    rst(
        ".. confval:: key\n   :default: ``3``\n   :type: int\n\n   text\n\n.. note:: Begins here\n   goes on.\n\n   Second.\n\n.. warning::\n\n   Body\n\n   - x\n",
        &[
            "dir:confval 1 \"key\"",
            "li 2 @ -confval:: key | `3",
            "li 3 @ -confval:: key",
            "p 5 @ -confval:: key",
            "text:note 7-8 \"Begins here\\\\n   goes on.\"",
            "p 10 @ -note:: Begins here",
            "text:warning 12 \"\"",
            "p 14 @ -warning::",
            "li 16 @ -warning::",
        ],
    );
    rst(
        ".. literalinclude:: ../a.py\n   :lines: 1-3\n\n.. include:: b.rst\n.. image:: c.png\n   :alt: x\n\n.. figure:: d.png\n\n   Caption ``e``\n",
        &[
            "dir:literalinclude 1 \"../a.py\" | ->../a.py ../a.py",
            "dir:include 4 \"b.rst\" | ->b.rst b.rst",
            "dir:image 5 \"c.png\" | ->c.png c.png",
            "dir:figure 8 \"d.png\" | ->d.png d.png",
            "p 10 @ -figure:: d.png | `e",
        ],
    );
    rst(
        ".. toctree::\n   :maxdepth: 2\n   :caption: C\n\n   intro\n   Title <guide/x>\n\nafter",
        &["dir:toctree 5 \"intro\"", "dir:toctree 6 \"guide/x\"", "p 8"],
    );
    rst(
        ".. a comment\n   with ``x``\n\n   more\n\n..\n   another\n\n..\n\n   quote\n\n.. |sub| replace:: ``y``\n.. [1] A note ``z``\n   on\n.. raw:: html\n\n   <a href=\"q\">\n\nend",
        &["p 11", "p 14-15 | `z", "html 18 | ->q <a href=\"q\">", "p 20"],
    );
}

#[test]
fn tables() {
    rst(
        "=====  =======\nKey    Default\n=====  =======\n``a``  3\nb      long\n       more\n\n       ``x``\n-----  -------\nc\n=====  =======\n\nafter",
        &[
            "th 2 [Key|Default]",
            "tr 4 [``a``|3] | `a",
            "tr 5-8 [b|long\\n       more\\n\\n       ``x``] | `x",
            "tr 10 [c|]",
            "p 13",
        ],
    );
    rst(
        "=====  ===\n``long_name``  3\nabcdefghi\n=====  ===\n",
        &["tr 2 [``long_name``|3] headless | `long_name", "tr 3 [abcdefghi|] headless"],
    );
    rst("===  ===\na    b\n===  ===\n\nx", &["tr 2 [a|b] headless", "p 5"]);
    rst(
        "+-----+---------+\n| Key | Default |\n+=====+=========+\n| a   | ``3``   |\n|     | more    |\n+-----+---------+\n| both          |\n+-----+---------+\n\nafter",
        &["th 2 [Key|Default]", "tr 4-5 [a|``3``   |\\n|     | more] | `3", "tr 7 [both|]", "p 10"],
    );
    rst("+---+---+\n| a | b |\n+   +---+\n|   | c |\n+---+---+\n", &["tr 2 [a|b] headless", "tr 4 [|c] headless"]);
    rst(
        ".. list-table:: Title\n   :header-rows: 1\n   :widths: 1 2\n\n   * - Key\n     - Default\n   * - ``a``\n     - 3\n\n       more\n   * - b\n     -\n\nafter",
        &[
            "text:list-table 1 \"Title\"",
            "th 5-6 [Key|Default] @ -list-table:: Title",
            "tr 7-10 [``a``|3\\n\\n       more] @ -list-table:: Title | `a",
            "tr 11-12 [b|] @ -list-table:: Title",
            "p 14",
        ],
    );
    rst(
        ".. csv-table:: T\n   :header: \"Key\", \"Default, all\"\n\n   \"a\", \"x, ``y``\"\n   b, 3\n\nafter",
        &[
            "text:csv-table 1 \"T\"",
            "th 2 [Key|Default, all] @ -csv-table:: T",
            "tr 4 [a|x, ``y``] @ -csv-table:: T | `y",
            "tr 5 [b|3] @ -csv-table:: T",
            "p 7",
        ],
    );
}

#[test]
fn positions_with_crlf() {
    rst(
        "Title\r\n=====\r\n\r\nRun ``x``::\r\n\r\n   make\r\n\r\n.. option:: -a\r\n\r\n   text\r\n\r\n===  ===\r\na    b\r\n===  ===\r\n1    2\r\n===  ===\r\n",
        &[
            "h1 1-2",
            "p 4 @ Title | `x",
            "code 6  \"   make\" @ Title",
            "dir:option 8 \"-a\" @ Title",
            "p 10 @ Title > -option:: -a",
            "th 13 [a|b] @ Title",
            "tr 15 [1|2] @ Title",
        ],
    );
}

#[test]
fn takes_txt_with_markers_in_docs_only() {
    for (path, text, expected) in [
        ("docs/a.txt", ".. note:: x\n", true),
        ("docs/a.txt", "plain\n", false),
        ("docs/requirements.txt", ".. note:: x\n", false),
        ("src/a.txt", ".. note:: x\n", false),
        ("a.rst", "plain", true),
    ] {
        assert_eq!(Rst.claims(&path.into(), text), expected, "{path}");
    }
}

#[test]
fn survives_hostile_text() {
    let deep = 10_000;
    for text in [
        "- ".repeat(deep),
        "* - ".repeat(deep),
        "`".repeat(deep),
        "*a ".repeat(deep),
        "**a *b `c ``d |e ".repeat(deep),
        ":a:`".repeat(deep),
        ":a".repeat(deep),
        "_".repeat(deep),
        "a_ ".repeat(deep),
        "`a <".repeat(deep),
        "::\n\n ".repeat(deep),
        "x".repeat(1_000_000),
        "+-".repeat(deep) + "+\n|\n+-+\n",
        ".. note::\n".repeat(deep),
        (0..1000).map(|i| " ".repeat(i) + "- x::\n").collect::<Vec<_>>().concat(),
        (0..1000).map(|i| " ".repeat(i) + ".. a::\n").collect::<Vec<_>>().concat(),
        ".. list-table::\n\n".to_owned() + &"   * - x\n     - y\n".repeat(deep),
        ".. csv-table::\n\n   \"".to_owned() + &"x,\n   ".repeat(deep),
        "= =\n".repeat(deep),
        "= =\nx\n".repeat(deep),
        "\u{e9}\u{2028}`\u{e9}".repeat(deep),
    ] {
        sound(&Rst, &text);
    }
}
