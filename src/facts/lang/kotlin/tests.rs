//! What the extractor reads of Kotlin.

use super::Kotlin;
use crate::facts::checking;

fn check(text: &str, expected: &[&str]) {
    checking::check(&Kotlin, "src/a.kt", text, expected);
}

#[test]
fn reads_definitions() {
    check(
        r"
package a.b

data class Config<T>(val size: Int = 5, private var name: String?, plain: Boolean) : Base() {
    suspend fun get(index: Int = -1, vararg rest: String, f: (Int) -> Unit): List<T> { return x }
    private fun hidden() {}
}

interface Api {
    val url: String
    fun call(a: String)
}

enum class Mode { FAST, SLOW }

internal object Tool {
    fun run() = 5
}

typealias Names = List<String>

fun String.shout(): String = this
",
        &[
            r#"symbol Config {"declared":"class"} = a.b.Config"#,
            r#"signature Config {"typeParameters":["T"],"parameters":[{"name":"size","kind":"positional","type":"Int","optional":true,"default":5},{"name":"name","kind":"positional","type":"String?"},{"name":"plain","kind":"positional","type":"Boolean"}],"members":[{"name":"size","type":"Int"}]}"#,
            r#"symbol Config.get {"declared":"method"}"#,
            r#"signature Config.get {"parameters":[{"name":"index","kind":"positional","type":"Int","optional":true,"default":-1},{"name":"rest","kind":"variadic","type":"String"},{"name":"f","kind":"positional","type":"(Int) -> Unit"}],"returns":"List<T>","async":true}"#,
            r#"symbol Config.hidden {"declared":"method"} internal"#,
            r#"signature Config.hidden {"parameters":[]} internal"#,
            r#"symbol Api {"declared":"interface"} = a.b.Api"#,
            r#"signature Api {"members":[{"name":"url","type":"String"}]}"#,
            r#"symbol Api.call {"declared":"method"}"#,
            r#"signature Api.call {"parameters":[{"name":"a","kind":"positional","type":"String"}]}"#,
            r#"symbol Mode {"declared":"enum"} = a.b.Mode"#,
            r#"signature Mode {"variants":["FAST","SLOW"]}"#,
            r#"symbol Mode.FAST {"declared":"variant"}"#,
            r#"symbol Mode.SLOW {"declared":"variant"}"#,
            r#"symbol Tool {"declared":"class"} = a.b.Tool internal"#,
            r#"signature Tool {"members":[]} internal"#,
            r#"symbol Tool.run {"declared":"method"} internal"#,
            r#"signature Tool.run {"parameters":[]} internal"#,
            r#"symbol Names {"declared":"type"} = a.b.Names"#,
            r#"signature Names {"type":"List<String>"}"#,
            r#"symbol shout {"declared":"function"}"#,
            r#"signature shout {"parameters":[],"returns":"String"}"#,
        ],
    );
}

#[test]
fn reads_constants_and_properties() {
    check(
        r#"
const val TOP: Int = 1_000
val made = make("x")
class Rule(val flag: Boolean = false, val must: String) {
    companion object {
        const val MAX = TOP
        private val WAIT = 20.minutes
    }
    @Configuration("how many")
    private val lines: Int by config(60)
    private val names: List<String> by config(defaultValue = listOf("a"))
    val lazyOne by lazy { 5 }
    var open = true
    private var closed: String? = null
    var wait = Duration.ofSeconds(30)
}
"#,
        &[
            r#"constant TOP {"value":1000,"type":"Int"}"#,
            r#"constant made {"valueExpr":"make(\"x\")"}"#,
            r#"config-key Rule.flag {"type":"Boolean","default":false}"#,
            r#"config-key Rule.must {"type":"String","required":true}"#,
            r#"constant Rule.MAX {"value":1000}"#,
            r#"constant Rule.WAIT {"value":"20m"} internal"#,
            r#"config-key Rule.lines {"type":"Int","default":60}"#,
            r#"config-key Rule.names {"type":"List<String>","default":["a"]}"#,
            r#"config-key Rule.lazyOne {"defaultExpr":"lazy { 5 }"}"#,
            r#"config-key Rule.open {"default":true}"#,
            r#"config-key Rule.closed {"type":"String?","default":null} internal"#,
            r#"config-key Rule.wait {"default":"30s"}"#,
        ],
    );
}

#[test]
fn reads_environment_variables() {
    check(
        "val a = System.getenv(\"ONE\") ?: \"d\"\nfun f() { System.getenv(\"TWO\") }\n",
        &[r#"env-var ONE {"default":"d"}"#, r"env-var TWO {}"],
    );
}

#[test]
fn survives_broken_text() {
    checking::survives(
        &Kotlin,
        "a.kt",
        "package a\nclass É<T>(val x: Int = 5) {\n  companion object { const val Y = listOf(1, (2)) }\n  val z by config(\"é\")\n  fun f(a: Int = 1, vararg b: T): Int = System.getenv(\"X\")\n}\nenum class E { A }\n",
    );
}
