//! What the extractor reads of Java.

use super::Java;
use crate::facts::checking;

fn check(text: &str, expected: &[&str]) {
    checking::check(&Java, "src/A.java", text, expected);
}

#[test]
fn reads_definitions() {
    check(
        r"
package a.b;
public class Config<T> extends Base {
  public Config(int size, String... names) {}
  public <U> List<U> get(final int index) throws E { return null; }
  private void hidden() {}
  public enum Mode { FAST, SLOW(1); int x; }
}
interface Api { void call(String a); }
record Point(int x, int y) {}
",
        &[
            r#"symbol Config {"declared":"class"} = a.b.Config"#,
            r#"signature Config {"typeParameters":["T"],"parameters":[{"name":"size","kind":"positional","type":"int"},{"name":"names","kind":"variadic","type":"String"}],"members":[]}"#,
            r#"symbol Config.get {"declared":"method"}"#,
            r#"signature Config.get {"parameters":[{"name":"index","kind":"positional","type":"int"}],"returns":"List<U>","typeParameters":["U"]}"#,
            r#"symbol Config.hidden {"declared":"method"} internal"#,
            r#"signature Config.hidden {"parameters":[],"returns":"void"} internal"#,
            r#"symbol Config.Mode {"declared":"enum"} = a.b.Config.Mode"#,
            r#"signature Config.Mode {"variants":["FAST","SLOW"]}"#,
            r#"symbol Config.Mode.FAST {"declared":"variant"}"#,
            r#"symbol Config.Mode.SLOW {"declared":"variant"}"#,
            r#"symbol Api {"declared":"interface"} = a.b.Api internal"#,
            r#"signature Api {"members":[]} internal"#,
            r#"symbol Api.call {"declared":"method"} internal"#,
            r#"signature Api.call {"parameters":[{"name":"a","kind":"positional","type":"String"}],"returns":"void"} internal"#,
            r#"symbol Point {"declared":"class"} = a.b.Point internal"#,
            r#"signature Point {"parameters":[{"name":"x","kind":"positional","type":"int"},{"name":"y","kind":"positional","type":"int"}],"members":[]} internal"#,
        ],
    );
}

#[test]
fn reads_constants_and_fields() {
    check(
        r#"
public class C {
  public static final int MAX = 1_000;
  private static final Duration WAIT = Duration.ofMillis(60 * 1000);
  static final String[] NAMES = {"a", "b"}, OTHER = make();
  private int size = MAX;
  protected Duration wait = WAIT, late = Duration.ofSeconds(MAX);
  List<String> list = List.of("x");
  String none;
  static int counter = 0;
}
public @interface Retry { int value() default 3; String name(); }
interface K { long LIMIT = 5L; }
"#,
        &[
            r#"constant C.MAX {"value":1000,"type":"int"}"#,
            r#"constant C.WAIT {"value":"1m","type":"Duration"} internal"#,
            r#"constant C.NAMES {"value":["a","b"],"type":"String[]"} internal"#,
            r#"constant C.OTHER {"valueExpr":"make()","type":"String[]"} internal"#,
            r#"config-key C.size {"type":"int","default":1000}"#,
            r#"config-key C.wait {"type":"Duration","default":"1m"}"#,
            r#"config-key C.late {"type":"Duration","default":"1000s"}"#,
            r#"config-key C.list {"type":"List<String>","default":["x"]}"#,
            r#"config-key C.none {"type":"String"}"#,
            r#"config-key Retry.value {"type":"int","default":3}"#,
            r#"config-key Retry.name {"type":"String","required":true}"#,
            r#"constant K.LIMIT {"value":5,"type":"long"} internal"#,
        ],
    );
}

#[test]
fn reads_environment_variables() {
    check(
        r#"class A { void f() { System.getenv("ONE"); System.getenv().getOrDefault("TWO", "d"); other.getenv("NO"); } }"#,
        &[r"env-var ONE {}", r#"env-var TWO {"default":"d"}"#],
    );
}

#[test]
fn survives_broken_text() {
    checking::survives(
        &Java,
        "A.java",
        "package a;\npublic class É<T> { static final int[] X = {1, (2)}; enum E { A; } int f(int... x) { return System.getenv(\"X\"); } }\n@interface R { int v() default 3; }\n",
    );
}
