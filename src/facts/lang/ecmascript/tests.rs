//! What the extractor reads of JavaScript and TypeScript, table by table.

use super::Ecmascript;
use crate::facts::checking;

fn check(text: &str, expected: &[&str]) {
    checking::check(&Ecmascript, "src/a.ts", text, expected);
}

fn check_js(text: &str, expected: &[&str]) {
    checking::check(&Ecmascript, "lib/a.js", text, expected);
}

#[test]
fn reads_functions() {
    check(
        r"
const LIMIT = 1_000;
export async function run<T>(this: X, a: string, b?: number, c = LIMIT, ...rest: T[]): Promise<T> { const local = 1; }
export const arrow = (x) => x;
const single = x => x;
export default function main({ retries = 3, timeout, other: renamed = compute( 1 ), ...more }: { retries?: number; timeout: number } = {}) {}
export function overloaded(a: string): void;
export function overloaded(a: number): void;
export function overloaded(a: any) {}
",
        &[
            r#"signature run {"parameters":[{"name":"a","kind":"positional","type":"string"},{"name":"b","kind":"positional","type":"number","optional":true},{"name":"c","kind":"positional","optional":true,"default":1000},{"name":"rest","kind":"variadic","type":"T[]"}],"returns":"Promise<T>","typeParameters":["T"],"async":true}"#,
            r#"signature arrow {"parameters":[{"name":"x","kind":"positional"}]}"#,
            r#"signature single {"parameters":[{"name":"x","kind":"positional"}]} internal"#,
            r#"signature main {"parameters":[{"name":"retries","kind":"keyword","type":"number","optional":true,"default":3},{"name":"timeout","kind":"keyword","type":"number"},{"name":"other","kind":"keyword","optional":true,"defaultExpr":"compute(1)"},{"name":"more","kind":"keywords"}]}"#,
            r#"signature overloaded {"parameters":[{"name":"a","kind":"positional","type":"string"}],"returns":"void"}"#,
        ],
    );
    check_js(
        "function f(a, b = 2, ...c) {}\nfunction* g() {}\n",
        &[
            r#"signature f {"parameters":[{"name":"a","kind":"positional"},{"name":"b","kind":"positional","optional":true,"default":2},{"name":"c","kind":"variadic"}]} internal"#,
            r#"signature g {"parameters":[]} internal"#,
        ],
    );
}

#[test]
fn reads_classes() {
    check(
        r"
export class Client<T> {
  static readonly MAX = 5;
  /** @default 30 */
  timeout?: number;
  mode: 'a' | 'b' = 'a';
  private secret = 1;
  #hidden = 2;
  handler = async (x: number) => x;
  constructor(readonly url: string, private key = 'k', size?: number) {}
  get name(): string { return ''; }
  set name(v) {}
  async send(body: string): Promise<void> {}
  protected inner() {}
  [Symbol.iterator]() {}
}
",
        &[
            r#"symbol Client {"declared":"class"}"#,
            r#"signature Client {"typeParameters":["T"],"parameters":[{"name":"url","kind":"positional","type":"string"},{"name":"key","kind":"positional","optional":true,"default":"k"},{"name":"size","kind":"positional","type":"number","optional":true}],"members":[{"name":"MAX"},{"name":"timeout","type":"number","optional":true},{"name":"mode","type":"'a' | 'b'"},{"name":"url","type":"string"}]}"#,
            r#"symbol Client.MAX {"declared":"constant"}"#,
            r#"constant Client.MAX {"value":5}"#,
            r#"config-key Client.timeout {"type":"number","default":30}"#,
            r#"config-key Client.mode {"type":"'a' | 'b'","default":"a","choices":["a","b"]}"#,
            r#"config-key Client.secret {"default":1} internal"#,
            r#"symbol Client.handler {"declared":"method"}"#,
            r#"signature Client.handler {"parameters":[{"name":"x","kind":"positional","type":"number"}],"async":true}"#,
            r#"symbol Client.name {"declared":"method"}"#,
            r#"signature Client.name {"type":"string"}"#,
            r#"config-key Client.name {"type":"string"}"#,
            r#"symbol Client.send {"declared":"method"}"#,
            r#"signature Client.send {"parameters":[{"name":"body","kind":"positional","type":"string"}],"returns":"Promise<void>","async":true}"#,
            r#"symbol Client.inner {"declared":"method"} internal"#,
            r#"signature Client.inner {"parameters":[]} internal"#,
        ],
    );
    check_js(
        "class A {\n  static defaults = { retries: 2 };\n  size = 3;\n}\nmodule.exports = A\n",
        &[
            r#"signature A {"members":[{"name":"defaults"},{"name":"size"}]}"#,
            r#"config-key A.defaults {"defaultExpr":"{ retries: 2 }"}"#,
            r#"config-key A.defaults.retries {"default":2}"#,
            r#"config-key A.size {"default":3}"#,
        ],
    );
}

#[test]
fn reads_interfaces() {
    check(
        r#"
export interface Options extends Base {
  /**
   * The port.
   * @default 5173
   */
  port?: number
  /** @defaultValue `'localhost'` */
  host: string
  /** @default depends on the mode */
  base?: 'a' | "b" | boolean
  server: {
    /** @default true */
    open?: boolean
  }
  'quoted-key'?: string
  run(x: number): void
}
"#,
        &[
            r#"symbol Options {"declared":"interface"}"#,
            r#"signature Options {"members":[{"name":"port","type":"number","optional":true},{"name":"host","type":"string"},{"name":"base","type":"'a' | \"b\" | boolean","optional":true},{"name":"server","type":"{ open?: boolean }"},{"name":"quoted-key","type":"string","optional":true},{"name":"run","type":"(x: number) => void"}]}"#,
            r#"config-key Options.port {"type":"number","default":5173}"#,
            r#"config-key Options.host {"type":"string","default":"localhost","required":true}"#,
            r#"config-key Options.base {"type":"'a' | \"b\" | boolean","choices":["a","b",true,false]}"#,
            r#"config-key Options.server {"type":"{ open?: boolean }","required":true}"#,
            r#"config-key Options.server.open {"type":"boolean","default":true}"#,
            r#"config-key Options.quoted-key {"type":"string"}"#,
            r#"symbol Options.run {"declared":"method"}"#,
            r#"signature Options.run {"parameters":[{"name":"x","kind":"positional","type":"number"}],"returns":"void"}"#,
        ],
    );
}

#[test]
fn reads_type_aliases_and_enums() {
    check(
        r"
const modes = ['x', 'y'] as const;
export type Level =
  | 'info'
  | 'warn';
export type Mode = (typeof modes)[number];
type Open = 'a' | number;
export type Box = Base & { size?: number };
export enum Color { Red = 'red', Green = 2, Blue }
declare namespace deep { export type Inner = string }
",
        &[
            r#"symbol modes {"declared":"constant"} internal"#,
            r#"symbol Level {"declared":"type"}"#,
            r#"signature Level {"variants":["info","warn"]}"#,
            r#"symbol Mode {"declared":"type"}"#,
            r#"signature Mode {"variants":["x","y"]}"#,
            r#"symbol Open {"declared":"type"} internal"#,
            r#"signature Open {"type":"'a' | number"} internal"#,
            r#"symbol Box {"declared":"type"}"#,
            r#"signature Box {"members":[{"name":"size","type":"number","optional":true}],"type":"Base & { size?: number }"}"#,
            r#"symbol Color {"declared":"enum"}"#,
            r#"signature Color {"variants":["Red","Green","Blue"]}"#,
            r#"symbol Color.Red {"declared":"variant"}"#,
            r#"symbol Color.Green {"declared":"variant"}"#,
            r#"symbol Color.Blue {"declared":"variant"}"#,
            r#"symbol deep {"declared":"module"} internal"#,
            r#"symbol deep.Inner {"declared":"type"} internal"#,
            r#"signature deep.Inner {"type":"string"} internal"#,
        ],
    );
    checking::check(
        &Ecmascript,
        "a.d.ts",
        "declare const VERSION: string;\ninterface A {}\n",
        &[
            r#"symbol VERSION {"declared":"constant"}"#,
            r#"constant VERSION {"type":"string"}"#,
            r#"symbol A {"declared":"interface"}"#,
        ],
    );
}

#[test]
fn reads_constants() {
    check(
        r"
export const A = 60 * 60 * 1000;
const B: string = `plain`;
const C = ['a', 'b'] as const;
const D = process.env.D ?? 'dev';
const E = new URL('http://x');
const F = `a${B}`;
const G = -1;
const H = A;
const I = Color.Red;
enum Color { Red = 'red' }
let j = 10n;
const k = require('k');
const { l } = m;
",
        &[
            r#"constant A {"value":3600000}"#,
            r#"constant B {"value":"plain","type":"string"} internal"#,
            r#"constant C {"value":["a","b"]} internal"#,
            r#"constant D {"value":"dev"} internal"#,
            r#"constant E {"value":"http://x"} internal"#,
            r#"constant F {"valueExpr":"`a${B}`"} internal"#,
            r#"constant G {"value":-1} internal"#,
            r#"constant H {"value":3600000} internal"#,
            r#"constant I {"value":"red"} internal"#,
            r#"constant Color.Red {"value":"red"} internal"#,
            r#"constant j {"value":10} internal"#,
        ],
    );
}

#[test]
fn reads_tables() {
    check(
        r"
const PORT = 5173;
export const defaults = Object.freeze({ minify: 'esbuild', server: { port: PORT, hosts: [] }, plugins: make(), nothing: undefined, ...other });
const dispatch = { a: handler };
const described = { width: { description: 'x', type: 'int', default: 80 }, tabs: { description: 'y', choices: ['a', 'b'] } };
export default { level: 'info', nested: { on: true } } satisfies X;
",
        &[
            r#"config-key defaults.minify {"default":"esbuild"}"#,
            r#"config-key defaults.server.port {"default":5173}"#,
            r#"config-key defaults.server.hosts {"default":[]}"#,
            r#"config-key defaults.plugins {"defaultExpr":"make()"}"#,
            r#"config-key defaults.nothing {"default":null}"#,
            r#"config-key described.width {"type":"int","default":80} internal"#,
            r#"config-key described.tabs {"choices":["a","b"]} internal"#,
            r#"config-key level {"default":"info"}"#,
            r#"config-key nested.on {"default":true}"#,
        ],
    );
}

#[test]
fn reads_error_codes_and_objects_of_functions() {
    check_js(
        r"
const codes = {
  FST_ERR_NOT_FOUND: createError('FST_ERR_NOT_FOUND', 'Not Found', 404),
  OTHER: createError('ELSE'),
  get (a) {},
  set: (b = 1) => b
}
module.exports = codes
",
        &[
            r#"symbol codes {"declared":"constant"}"#,
            r#"symbol FST_ERR_NOT_FOUND {"declared":"constant"}"#,
            r#"symbol codes.get {"declared":"method"}"#,
            r#"signature codes.get {"parameters":[{"name":"a","kind":"positional"}]}"#,
            r#"symbol codes.set {"declared":"method"}"#,
            r#"signature codes.set {"parameters":[{"name":"b","kind":"positional","optional":true,"default":1}]}"#,
        ],
    );
}

#[test]
fn reads_schemas() {
    check(
        r#"
export const Config = z.object({
  port: z.number().int().default(3000),
  mode: z.enum(["a", "b"]).optional(),
  log: z.object({ level: z.string().default('info') }).strict(),
  other: Other,
}).strict();
const joi = Joi.object({ size: Joi.number().valid(1, 2).default(1) });
"#,
        &[
            r#"config-key Config.port {"type":"number","default":3000}"#,
            r#"config-key Config.mode {"type":"enum","choices":["a","b"]}"#,
            r#"config-key Config.log {"type":"object","required":true}"#,
            r#"config-key Config.log.level {"type":"string","default":"info"}"#,
            r#"config-key Config.other {"type":"Other"}"#,
            r#"config-key joi.size {"type":"number","default":1,"choices":[1,2]} internal"#,
        ],
    );
}

#[test]
fn reads_commonjs() {
    check_js(
        r"
const { imported } = require('x')
function local () {}
function Thing () {}
Thing.prototype.go = function go (x) {}
Thing.create = (y) => y
exports.named = function (a) {}
module.exports.flag = 5
exports.handed = imported
module.exports = { local, imported, alias: imported, Thing, inline: require('z') }
",
        &[
            r#"symbol local {"declared":"function"}"#,
            r#"symbol Thing {"declared":"function"}"#,
            r#"symbol Thing.go {"declared":"method"}"#,
            r#"symbol Thing.create {"declared":"method"}"#,
            r#"symbol named {"declared":"function"}"#,
            r#"symbol flag {"declared":"constant"}"#,
            r#"symbol handed {"declared":"reexport"}"#,
            r#"symbol imported {"declared":"reexport"}"#,
            r#"symbol alias {"declared":"reexport"}"#,
            r#"symbol inline {"declared":"reexport"}"#,
        ],
    );
    check_js(
        "var app = exports = module.exports = {}\napp.use = function use(fn) {}\n",
        &[r#"symbol app {"declared":"constant"}"#, r#"symbol app.use {"declared":"method"}"#],
    );
}

#[test]
fn reads_reexports() {
    check(
        "import { a } from './a'\nfunction b() {}\nexport { a, b, a as c, x as default }\nexport { d, type E } from './d'\nexport * as ns from './n'\nexport * from './all'\n",
        &[
            r#"symbol b {"declared":"function"}"#,
            r#"symbol a {"declared":"reexport"}"#,
            r#"symbol c {"declared":"reexport"}"#,
            r#"symbol d {"declared":"reexport"}"#,
            r#"symbol E {"declared":"reexport"}"#,
            r#"symbol ns {"declared":"reexport"}"#,
        ],
    );
}

#[test]
fn reads_environment_variables() {
    check(
        r#"
import { env } from 'node:process'
function f() {
  process.env.PLAIN;
  process.env.WRITTEN = '1';
  process.env['QUOTED'] ?? 'd';
  process.env.OR || 30;
  process.env.FALLBACK ??= 'f';
  import.meta.env.VITE_X;
  import.meta.env.DEV;
  Deno.env.get("DENO_X") ?? 'deno';
  Bun.env.BUN_X;
  env.FROM_ALIAS;
  env.lower;
}
const { PORT = 3000, HOST } = process.env;
"#,
        &[
            r"env-var PLAIN {}",
            r#"env-var QUOTED {"default":"d"}"#,
            r#"env-var OR {"default":30}"#,
            r#"env-var FALLBACK {"default":"f"}"#,
            r"env-var VITE_X {}",
            r#"env-var DENO_X {"default":"deno"}"#,
            r"env-var BUN_X {}",
            r"env-var FROM_ALIAS {}",
            r#"env-var PORT {"default":3000}"#,
            r"env-var HOST {}",
        ],
    );
}

#[test]
fn ignores_bundles() {
    checking::check(&Ecmascript, "dist/a.min.js", "export function f() {}", &[]);
}

#[test]
fn survives_broken_text() {
    let text = "export const é = z.object({ a: z.number().default(1) });\nclass A { #b = 1; constructor(private x?: { y: 'z' }) {} }\nexport type T = 'é' | { a: [b] };\nmodule.exports = { a, b: c };\nprocess.env['É'] ?? 1;\nx.prototype.y = ({ a = 1, ...b }) => a;\n";
    checking::survives(&Ecmascript, "a.ts", text);
    checking::survives(&Ecmascript, "a.js", text);
    checking::survives(&Ecmascript, "a.tsx", text);
}

#[test]
fn a_definition_without_words_has_no_body() {
    let facts = crate::facts::extract(&"a.ts".into(), "export enum E { A, B }\n").facts;
    assert!(facts.iter().filter(|f| f.name.starts_with("E.")).all(|f| f.body_hash.is_none()));
}
