//! What a change of a definition makes of the places that name it: one row for each behaviour, with the verdict and, where it
//! is a choice, the reason (`docs/findings.md`, "Compatible changes").
#![allow(clippy::panic, reason = "tests")]

mod support;

use refdrift::app::Analysis;
use refdrift::citations::Verdict;

/// One behaviour: a source file before and after, and a document that names what it defines.
struct Row {
    behaviour: &'static str,
    path: &'static str,
    before: &'static str,
    after: &'static str,
    document: &'static str,
    /// Findings as `line rule confidence`, or the verdict where there is none, or `no citation`.
    verdict: &'static str,
}

fn outcome(analysis: &Analysis) -> String {
    let sidecar = &analysis.sidecar;
    let mut found: Vec<String> = sidecar
        .changed_facts
        .iter()
        .flat_map(|fact| &fact.places)
        .map(|p| format!("{} {} {}", p.line, p.rule.as_str(), p.confidence))
        .collect();
    found.sort();
    found.dedup();
    if !found.is_empty() {
        return found.join(", ");
    }
    let judgements = analysis.documents.iter().flat_map(|d| &d.judgements);
    let mut verdicts: Vec<&str> = judgements
        .map(|j| match j.verdict {
            Verdict::Mention => "mention",
            Verdict::Compatible => "compatible",
            Verdict::Current => "current",
            Verdict::ExplicitArgument => "explicit argument",
            Verdict::Past => "past",
            _ => "other",
        })
        .collect();
    verdicts.sort_unstable();
    verdicts.dedup();
    if verdicts.is_empty() { "no citation".to_owned() } else { verdicts.join(", ") }
}

fn check(rows: &[Row]) {
    let mut wrong = Vec::new();
    for row in rows {
        let document = ("README.md", row.document);
        let folder = support::pair(&[(row.path, row.before), document], &[(row.path, row.after), document]);
        let found = outcome(&support::analyze(folder.path()));
        if found != row.verdict {
            wrong.push(format!("{} ({}): expected `{}`, found `{found}`", row.behaviour, row.path, row.verdict));
        }
    }
    assert!(wrong.is_empty(), "{} of {} rows:\n{}", wrong.len(), rows.len(), wrong.join("\n"));
}

/// Rows as `behaviour; path; before; after; document; verdict`.
macro_rules! rows {
    ($($behaviour:literal, $path:literal, $before:literal => $after:literal, $document:literal, $verdict:literal;)*) => {
        &[$(Row { behaviour: $behaviour, path: $path, before: $before, after: $after, document: $document, verdict: $verdict }),*]
    };
}

#[test]
fn typescript() {
    check(rows![
        "an export table only mentions", "src/make.ts",
            "export function makeKiln(a: string): void {}\n" => "export function makeKiln(a: string, b: number): void {}\n",
            "| export | purpose |\n|---|---|\n| `makeKiln` | makes |\n", "mention";
        "a removal is told of a mere mention", "src/make.ts",
            "export function makeKiln(a: string): void {}\n" => "export const x = 1;\n",
            "| export | purpose |\n|---|---|\n| `makeKiln` | makes |\n", "3 existence 0.85";
        "a signature written out in a fence", "src/make.ts",
            "export function makeKiln(a: string): void {}\n" => "export function makeKiln(a: string, b: number): void {}\n",
            "```ts\ndeclare function makeKiln(a: string): void\n```\n", "2 spelled-out 0.85";
        "a call without a newly required argument", "src/make.ts",
            "export function makeKiln(a: string): void {}\n" => "export function makeKiln(a: string, b: number): void {}\n",
            "```ts\nmakeKiln('x')\n```\n", "2 example 0.8";
        "with no arguments, and one is required", "src/make.ts",
            "export function makeKiln(): void {}\n" => "export function makeKiln(a: string): void {}\n",
            "Call `makeKiln` with no arguments.\n", "1 spelled-out 0.85";
        "with no arguments, and an optional one is added", "src/make.ts",
            "export function makeKiln(): void {}\n" => "export function makeKiln(a?: string): void {}\n",
            "Call `makeKiln` with no arguments.\n", "compatible";
        "takes no arguments, and an optional one is added", "src/make.ts",
            "export function makeKiln(): void {}\n" => "export function makeKiln(a?: string): void {}\n",
            "`makeKiln` takes no arguments.\n", "1 spelled-out 0.85";
        "markup without a newly required attribute", "src/Kiln.tsx",
            "export function KilnView({ size }: { size: string }) { return null }\n"
                => "export function KilnView({ size, heat }: { size: string, heat: number }) { return null }\n",
            "```tsx\n<KilnView size=\"x\" />\n```\n", "2 example 0.8";
        "markup without a new optional attribute", "src/Kiln.tsx",
            "export function KilnView({ size }: { size: string }) { return null }\n"
                => "export function KilnView({ size, heat }: { size: string, heat?: number }) { return null }\n",
            "```tsx\n<KilnView size=\"x\" />\n```\n", "compatible";
        "markup with a spread", "src/Kiln.tsx",
            "export function KilnView({ size }: { size: string }) { return null }\n"
                => "export function KilnView({ size, heat }: { size: string, heat: number }) { return null }\n",
            "```tsx\n<KilnView {...rest} />\n```\n", "mention";
        "an optional parameter, the return type opaque", "src/make.ts",
            "export function makeKiln(a: string): Kiln { return x }\n" => "export function makeKiln(a: string, b?: number): Kiln { return x }\n",
            "Use `makeKiln('x')`.\n\n```ts\nmakeKiln('x')\n```\n", "compatible";
        "a changed default and a call that leaves it out", "src/make.ts",
            "export function makeKiln(a = 5) {}\n" => "export function makeKiln(a = 7) {}\n",
            "```ts\nmakeKiln()\n```\n", "mention";
        "a changed default and a call that gives it", "src/make.ts",
            "export function makeKiln(a = 5) {}\n" => "export function makeKiln(a = 7) {}\n",
            "```ts\nmakeKiln(5)\n```\n", "mention";
        "a changed default and a spread", "src/make.ts",
            "export function makeKiln(a = 5) {}\n" => "export function makeKiln(a = 7) {}\n",
            "```ts\nmakeKiln(...all)\n```\n", "mention";
        "the old value in prose", "src/settings.ts",
            "export const settings = { kilnCount: 1, other: 2 };\n" => "export const settings = { kilnCount: 2, other: 2 };\n",
            "`settings.kilnCount` is 1.\n", "1 old-value 0.9";
        "a union of choices, one more and written", "src/types.ts",
            "export type GlazeMode = 'raw' | 'matt' | 'clear';\n" => "export type GlazeMode = 'raw' | 'matt' | 'clear' | 'ash';\n",
            "```ts\ntype GlazeMode = 'raw' | 'matt' | 'clear' | 'ash'\n```\n", "current";
        "a union of choices, one more and not written", "src/types.ts",
            "export type GlazeMode = 'raw' | 'matt' | 'clear';\n" => "export type GlazeMode = 'raw' | 'matt' | 'clear' | 'ash';\n",
            "```ts\ntype GlazeMode = 'raw' | 'matt' | 'clear'\n```\n", "2 incomplete 0.6";
        "a union of choices, one less", "src/types.ts",
            "export type GlazeMode = 'raw' | 'matt' | 'clear';\n" => "export type GlazeMode = 'raw' | 'matt';\n",
            "```ts\ntype GlazeMode = 'raw' | 'matt' | 'clear'\n```\n", "2 spelled-out 0.85";
        "a type annotation", "src/types.ts",
            "export interface GlazeOptions { heat: number }\n" => "export interface GlazeOptions { heat: string }\n",
            "```ts\nconst o: GlazeOptions = read()\n```\n", "mention";
        "the sentence of another subject", "src/settings.ts",
            "export const kilnCount = 1;\n" => "export const kilnCount = 2;\n",
            "Use `kilnCount`. The default of `ovenCount` is 1.\n", "mention";
        "a sentence that goes on with a pronoun", "src/settings.ts",
            "export const kilnCount = 1;\n" => "export const kilnCount = 2;\n",
            "Use `kilnCount`. Its default is 1.\n", "1 old-value 0.9";
        "an unrelated fence behind", "src/settings.ts",
            "export const kilnCount = 1;\n" => "export const kilnCount = 2;\n",
            "Use `kilnCount`:\n\n```ts\nconst other = 1\n```\n", "mention";
        "a literal without a newly required member", "src/types.ts",
            "export interface GlazeOptions { heat: number; }\n" => "export interface GlazeOptions { heat: number; cone: number }\n",
            "```ts\nconst o: GlazeOptions = { heat: 1 }\n```\n", "2 example 0.8";
        "a literal without a new optional member", "src/types.ts",
            "export interface GlazeOptions { heat: number; }\n" => "export interface GlazeOptions { heat: number; cone?: number }\n",
            "```ts\nconst o: GlazeOptions = { heat: 1 }\n```\n", "compatible";
        "a literal with a spread", "src/types.ts",
            "export interface GlazeOptions { heat: number; }\n" => "export interface GlazeOptions { heat: number; cone: number }\n",
            "```ts\nconst o: GlazeOptions = { ...base, heat: 1 }\n```\n", "mention";
        "a use of a member that is gone", "src/types.ts",
            "export interface GlazeOptions { heat: number; coneName: string }\n" => "export interface GlazeOptions { heat: number }\n",
            "```ts\nconst o: GlazeOptions = { heat: 1, coneName: 'x' }\n```\n", "2 existence 0.85";
        "an interface written out, one optional member more", "src/types.ts",
            "export interface GlazeOptions { heat: number; cone: number }\n" => "export interface GlazeOptions { heat: number; cone: number; ash?: boolean }\n",
            "```ts\ninterface GlazeOptions {\n  heat: number\n  cone: number\n}\n```\n", "2 incomplete 0.6";
        "a parameter that takes more types", "src/make.ts",
            "export function makeKiln(a: string): void {}\n" => "export function makeKiln(a: string | number): void {}\n",
            "`makeKiln(a: string): void` makes.\n", "compatible";
        "a parameter that takes another type", "src/make.ts",
            "export function makeKiln(a: string): void {}\n" => "export function makeKiln(a: number): void {}\n",
            "`makeKiln(a: string): void` makes.\n", "1 spelled-out 0.85";
        "another return type", "src/make.ts",
            "export function makeKiln(a: string): Kiln {}\n" => "export function makeKiln(a: string): Promise<Kiln> {}\n",
            "`makeKiln(a: string): Kiln` makes.\n", "1 spelled-out 0.85";
        "an added overload", "src/make.ts",
            "export function makeKiln(a: string): void;\nexport function makeKiln(a: any): void {}\n"
                => "export function makeKiln(a: string): void;\nexport function makeKiln(a: string, b: number): void;\nexport function makeKiln(a: any, b?: any): void {}\n",
            "`makeKiln(a: string): void` makes.\n\n```ts\nmakeKiln('x')\n```\n", "no citation";
        "a removed overload, and a call of one that stays", "src/make.ts",
            "export function makeKiln(a: string): void;\nexport function makeKiln(a: string, b: number): void;\nexport function makeKiln(a: any, b?: any): void {}\n"
                => "export function makeKiln(a: string, b: number): void;\nexport function makeKiln(a: any, b: any): void {}\n",
            "```ts\nmakeKiln('x', 1)\n```\n", "no citation";
    ]);
}

#[test]
fn python() {
    check(rows![
        "a parameter with a default", "kiln.py",
            "def fire_batch(path): ...\n" => "def fire_batch(path, cone=6): ...\n",
            "Call `fire_batch(path)`.\n\n```python\nfire_batch('x')\n```\n", "compatible";
        "a required parameter", "kiln.py",
            "def fire_batch(path): ...\n" => "def fire_batch(path, cone): ...\n",
            "```python\nfire_batch('x')\n```\n", "2 example 0.8";
        "a keyword with a default", "kiln.py",
            "def fire_batch(path): ...\n" => "def fire_batch(path, *, cone=6): ...\n",
            "Call `fire_batch(path)`.\n\n```python\nfire_batch('x')\n```\n", "compatible";
        "a required keyword", "kiln.py",
            "def fire_batch(path): ...\n" => "def fire_batch(path, *, cone): ...\n",
            "```python\nfire_batch('x')\nfire_batch('x', cone=6)\n```\n", "2 example 0.8";
        "a parameter becomes keyword-only", "kiln.py",
            "def fire_batch(path, cone): ...\n" => "def fire_batch(path, *, cone): ...\n",
            "```python\nfire_batch('x', cone=6)\nfire_batch('x', 6)\n```\n", "3 example 0.8";
        "an optional parameter in front of others", "kiln.py",
            "def fire_batch(path, cone=6): ...\n" => "def fire_batch(path, hold=1, cone=6): ...\n",
            "Call `fire_batch` for each.\n", "mention";
        "further positional ones", "kiln.py",
            "def fire_batch(path): ...\n" => "def fire_batch(path, *more): ...\n",
            "Call `fire_batch(path)`.\n", "compatible";
        "keywords of any name", "kiln.py",
            "def fire_batch(path): ...\n" => "def fire_batch(path, **options): ...\n",
            "Call `fire_batch(path)`.\n", "compatible";
        "keywords of any name no more", "kiln.py",
            "def fire_batch(path, **options): ...\n" => "def fire_batch(path): ...\n",
            "```python\nfire_batch('x', cone=6)\n```\n", "2 example 0.8";
        "a parameter gets its first default", "kiln.py",
            "def fire_batch(path, cone): ...\n" => "def fire_batch(path, cone=6): ...\n",
            "Call `fire_batch(path, cone)`.\n", "compatible";
        "a parameter loses its default", "kiln.py",
            "def fire_batch(path, cone=6): ...\n" => "def fire_batch(path, cone): ...\n",
            "```python\nfire_batch('x')\n```\n", "2 example 0.8";
        "a changed default and a call that leaves it out", "kiln.py",
            "def fire_batch(path, cone=6): ...\n" => "def fire_batch(path, cone=7): ...\n",
            "```python\nfire_batch('x')\nfire_batch('x', cone=6)\nfire_batch(*all)\n```\n", "mention";
        "a changed default that a signature spells out", "kiln.py",
            "def fire_batch(path, cone=6): ...\n" => "def fire_batch(path, cone=7): ...\n",
            "`fire_batch(path, cone=6)` fires.\n", "1 spelled-out 0.85";
        "a type becomes Optional", "kiln.py",
            "def fire_batch(path: str): ...\n" => "def fire_batch(path: Optional[str]): ...\n",
            "`fire_batch(path: str)` fires.\n", "compatible";
        "a union becomes wider", "kiln.py",
            "def fire_batch(path: str): ...\n" => "def fire_batch(path: str | Path): ...\n",
            "`fire_batch(path: str)` fires.\n", "compatible";
        "a union becomes narrower", "kiln.py",
            "def fire_batch(path: str | Path): ...\n" => "def fire_batch(path: Path): ...\n",
            "`fire_batch(path: str | Path)` fires.\n", "1 spelled-out 0.85";
        "takes no arguments", "kiln.py",
            "def fire_batch(): ...\n" => "def fire_batch(path): ...\n",
            "`fire_batch()` takes no arguments.\n", "1 spelled-out 0.85";
        "an added overload", "kiln.py",
            "@overload\ndef fire_batch(path: str) -> int: ...\n@overload\ndef fire_batch(path: int) -> str: ...\ndef fire_batch(path): ...\n"
                => "@overload\ndef fire_batch(path: str) -> int: ...\n@overload\ndef fire_batch(path: int) -> str: ...\n@overload\ndef fire_batch(path: int, cone: int) -> str: ...\ndef fire_batch(path, cone=None): ...\n",
            "`fire_batch(path: str) -> int` fires.\n\n```python\nfire_batch('x')\n```\n", "no citation";
        "an implementation changes beneath its overloads", "kiln.py",
            "@overload\ndef fire_batch(path: str) -> int: ...\n@overload\ndef fire_batch(path: int) -> str: ...\ndef fire_batch(path): ...\n"
                => "@overload\ndef fire_batch(path: str) -> int: ...\n@overload\ndef fire_batch(path: int) -> str: ...\ndef fire_batch(path, more): ...\n",
            "```python\nfire_batch('x')\n```\n", "no citation";
        "every overload loses a keyword", "kiln.py",
            "@overload\ndef fire_batch(path: str, cone: int) -> int: ...\n@overload\ndef fire_batch(path: int, cone: int) -> str: ...\ndef fire_batch(path, cone): ...\n"
                => "@overload\ndef fire_batch(path: str) -> int: ...\n@overload\ndef fire_batch(path: int) -> str: ...\ndef fire_batch(path): ...\n",
            "```python\nfire_batch('x', cone=6)\n```\n", "2 example 0.8";
        "the default of an overload is that of the implementation", "kiln.py",
            "@overload\ndef fire_batch(path: str, cone: int = ...) -> int: ...\n@overload\ndef fire_batch(path: int, cone: int = ...) -> str: ...\ndef fire_batch(path, cone=6): ...\n"
                => "@overload\ndef fire_batch(path: str, cone: int = ...) -> int: ...\n@overload\ndef fire_batch(path: int, cone: int = ...) -> str: ...\ndef fire_batch(path, cone=7): ...\n",
            "`fire_batch(path, cone=6)` fires.\n", "1 spelled-out 0.85";
        "an enum is listed in full", "kiln.py",
            "class GlazeMode(Enum):\n    RAW = 'raw'\n    MATT = 'matt'\n    CLEAR = 'clear'\n"
                => "class GlazeMode(Enum):\n    RAW = 'raw'\n    MATT = 'matt'\n    CLEAR = 'clear'\n    ASH = 'ash'\n",
            "`GlazeMode` is one of `RAW`, `MATT` and `CLEAR`.\n", "1 incomplete 0.6";
    ]);
}

#[test]
fn rust() {
    check(rows![
        "an added parameter", "src/lib.rs",
            "pub fn fire_batch(path: &str) {}\n" => "pub fn fire_batch(path: &str, cone: u8) {}\n",
            "```rust\nfire_batch(\"x\");\n```\n", "2 example 0.8";
        "an added parameter and a mention", "src/lib.rs",
            "pub fn fire_batch(path: &str) {}\n" => "pub fn fire_batch(path: &str, cone: u8) {}\n",
            "See `fire_batch`.\n", "mention";
        "a parameter takes what turns into it", "src/lib.rs",
            "pub fn fire_batch(path: &str) {}\n" => "pub fn fire_batch(path: impl AsRef<str>) {}\n",
            "`fire_batch(path: &str)` fires.\n", "compatible";
        "a parameter becomes an Option", "src/lib.rs",
            "pub fn fire_batch(path: String) {}\n" => "pub fn fire_batch(path: Option<String>) {}\n",
            "`fire_batch(path: String)` fires.\n", "1 spelled-out 0.85";
        "a field is added and the literal has no rest", "src/lib.rs",
            "pub struct GlazeRecipe { pub cone: u8, pub ash: bool }\n" => "pub struct GlazeRecipe { pub cone: u8, pub ash: bool, pub lime: u8 }\n",
            "```rust\nlet r = GlazeRecipe { cone: 6, ash: true };\n```\n", "2 example 0.8";
        "a field is added and the literal has a rest", "src/lib.rs",
            "pub struct GlazeRecipe { pub cone: u8, pub ash: bool }\n" => "pub struct GlazeRecipe { pub cone: u8, pub ash: bool, pub lime: u8 }\n",
            "```rust\nlet r = GlazeRecipe { cone: 6, ..Default::default() };\n```\n", "mention";
        "a field is added and the type is named", "src/lib.rs",
            "pub struct GlazeRecipe { pub cone: u8 }\n" => "pub struct GlazeRecipe { pub cone: u8, pub lime: Option<u8> }\n",
            "A `GlazeRecipe` holds the cone.\n\n```rust\nlet r: GlazeRecipe = read();\n```\n", "compatible";
        "a struct written out, one field more", "src/lib.rs",
            "pub struct GlazeRecipe { pub cone: u8, pub ash: bool }\n" => "pub struct GlazeRecipe { pub cone: u8, pub ash: bool, pub lime: u8 }\n",
            "```rust\npub struct GlazeRecipe {\n    pub cone: u8,\n    pub ash: bool,\n}\n```\n", "2 incomplete 0.6";
        "a variant is added, one is named", "src/lib.rs",
            "pub enum GlazeMode { Raw, Matt, Clear }\n" => "pub enum GlazeMode { Raw, Matt, Clear, Ash }\n",
            "Pass `GlazeMode::Raw` to `GlazeMode` users.\n", "compatible";
        "a variant is added to a non-exhaustive enum", "src/lib.rs",
            "#[non_exhaustive]\npub enum GlazeMode { Raw, Matt, Clear }\n" => "#[non_exhaustive]\npub enum GlazeMode { Raw, Matt, Clear, Ash }\n",
            "`GlazeMode` has Raw, Matt and Clear.\n", "1 incomplete 0.45";
        "a hidden variant is added", "src/lib.rs",
            "pub enum GlazeMode { Raw, Matt, Clear }\n" => "pub enum GlazeMode { Raw, Matt, Clear, #[doc(hidden)] Ash }\n",
            "`GlazeMode` has Raw, Matt and Clear.\n", "no citation";
        "an enum written out, one variant more", "src/lib.rs",
            "pub enum GlazeMode { Raw, Matt, Clear }\n" => "pub enum GlazeMode { Raw, Matt, Clear, Ash }\n",
            "```rust\npub enum GlazeMode {\n    Raw,\n    /// Not shiny.\n    Matt,\n    Clear,\n}\n```\n", "2 incomplete 0.6";
        "an enum written out in part", "src/lib.rs",
            "pub enum GlazeMode { Raw, Matt, Clear }\n" => "pub enum GlazeMode { Raw, Matt, Clear, Ash }\n",
            "```rust\npub enum GlazeMode {\n    Raw,\n    // ...\n}\n```\n", "compatible";
        "another return type", "src/lib.rs",
            "pub fn fire_batch(path: &str) -> u8 { 1 }\n" => "pub fn fire_batch(path: &str) -> Option<u8> { None }\n",
            "`fire_batch(path: &str) -> u8` fires.\n", "1 spelled-out 0.85";
    ]);
}

#[test]
fn go() {
    check(rows![
        "a variadic parameter is added", "kiln.go",
            "package kiln\nfunc FireBatch(path string) {}\n" => "package kiln\nfunc FireBatch(path string, more ...Option) {}\n",
            "Call `FireBatch(path string)`.\n\n```go\nFireBatch(\"x\")\n```\n", "compatible";
        "a parameter is added", "kiln.go",
            "package kiln\nfunc FireBatch(path string) {}\n" => "package kiln\nfunc FireBatch(path string, cone int) {}\n",
            "```go\nFireBatch(\"x\")\n```\n", "2 example 0.8";
        "a parameter becomes variadic", "kiln.go",
            "package kiln\nfunc FireBatch(path string) {}\n" => "package kiln\nfunc FireBatch(path ...string) {}\n",
            "```go\nFireBatch(\"x\")\n```\n", "compatible";
        "a field is added and the literal names its own", "kiln.go",
            "package kiln\ntype GlazeRecipe struct { Cone int }\n" => "package kiln\ntype GlazeRecipe struct { Cone int; Ash bool }\n",
            "```go\nr := GlazeRecipe{Cone: 6}\n```\n", "compatible";
        "a method is added to an interface that is named", "kiln.go",
            "package kiln\ntype GlazeStore interface { Get(k string) error }\n"
                => "package kiln\ntype GlazeStore interface { Get(k string) error; Put(k string) error }\n",
            "A `GlazeStore` keeps recipes.\n", "mention";
        "a method is added to an interface that is written out", "kiln.go",
            "package kiln\ntype GlazeStore interface { Get(k string) error; List() []string }\n"
                => "package kiln\ntype GlazeStore interface { Get(k string) error; List() []string; Put(k string) error }\n",
            "```go\ntype GlazeStore interface {\n\tGet(k string) error\n\tList() []string\n}\n```\n", "2 incomplete 0.6";
        "a constant is added to a type", "kiln.go",
            "package kiln\ntype GlazeMode string\nconst (\n\tRaw GlazeMode = \"raw\"\n\tMatt GlazeMode = \"matt\"\n\tClear GlazeMode = \"clear\"\n)\n"
                => "package kiln\ntype GlazeMode string\nconst (\n\tRaw GlazeMode = \"raw\"\n\tMatt GlazeMode = \"matt\"\n\tClear GlazeMode = \"clear\"\n\tAsh GlazeMode = \"ash\"\n)\n",
            "The possible values of `GlazeMode` are `raw`, `matt` and `clear`.\n", "1 incomplete 0.6";
        "another result", "kiln.go",
            "package kiln\nfunc FireBatch(path string) error { return nil }\n" => "package kiln\nfunc FireBatch(path string) (int, error) { return 0, nil }\n",
            "`FireBatch(path string) error` fires.\n", "1 spelled-out 0.85";
    ]);
}

/// `--glaze-mode` takes raw, matt and clear, and takes ash as well at head.
const BEFORE: &str =
    "import argparse\np = argparse.ArgumentParser()\np.add_argument('--glaze-mode', choices=['raw', 'matt', 'clear'])\n";
const AFTER: &str =
    "import argparse\np = argparse.ArgumentParser()\np.add_argument('--glaze-mode', choices=['raw', 'matt', 'clear', 'ash'])\n";

#[test]
fn completeness() {
    let cases = [
        ("`--glaze-mode` must be one of `raw`, `matt` or `clear`.\n", "1 incomplete 0.6"),
        ("The possible values of `--glaze-mode` are raw, matt and clear.\n", "1 incomplete 0.6"),
        ("`--glaze-mode`: `raw`, `matt` (default), `clear`\n", "1 incomplete 0.45"),
        ("| flag | values |\n|---|---|\n| `--glaze-mode` | `raw`, `matt`, `clear` |\n", "3 incomplete 0.45"),
        ("| flag | possible values |\n|---|---|\n| `--glaze-mode` | `raw`, `matt`, `clear` |\n", "3 incomplete 0.6"),
        ("| flag | values |\n|---|---|\n| `--glaze-mode` | `raw`\\|`matt`\\|`clear` |\n", "3 incomplete 0.6"),
        (
            "## `--glaze-mode`\n\n| value | what |\n|---|---|\n| `raw` | a |\n| `matt` | b |\n| `clear` | c |\n",
            "7 incomplete 0.45",
        ),
        ("## `--glaze-mode`\n\nThe options are:\n\n- `raw`: a\n- `matt`: b\n- `clear`: c\n", "7 incomplete 0.6"),
        ("`--glaze-mode` supports the following:\n\n- `raw`: a\n- `matt`: b\n- `clear`: c\n", "5 incomplete 0.6"),
        ("- `--glaze-mode`: how it looks\n  - `raw`\n  - `matt`\n  - `clear`\n", "4 incomplete 0.45"),
        (
            "```text\n  --glaze-mode <MODE>  How it looks\n          [possible values: raw, matt, clear]\n```\n",
            "3 incomplete 0.6",
        ),
        ("```text\nusage: kiln [--glaze-mode {raw,matt,clear}]\n```\n", "2 incomplete 0.6"),
        // Examples, parts of the set, other sets and what is already right.
        ("`--glaze-mode` takes a mode, for example `raw`, `matt` or `clear`.\n", "compatible"),
        ("`--glaze-mode` takes modes such as raw, matt and clear.\n", "compatible"),
        ("Common values of `--glaze-mode`: `raw`, `matt`, `clear`.\n", "compatible"),
        ("`--glaze-mode`: `raw`, `matt`, `clear`, …\n", "compatible"),
        ("`--glaze-mode` must be one of `raw` or `matt`.\n", "compatible"),
        ("`--glaze-mode` must be one of `raw`, `matt`, `clear` or `ash`.\n", "current"),
        ("`--glaze-mode`: `raw`, `matt`, `clear`, `shino`\n", "compatible"),
        ("`--glaze-mode raw` works like `--body-mode`, which is one of `raw`, `matt` or `clear`.\n", "compatible"),
        ("`--glaze-mode` supports the following:\n\n- `raw`: a\n- `matt`: b\n- `clear`: c\n- `ash`: d\n", "current"),
        ("`--glaze-mode` includes:\n\n- `raw`: a\n- `matt`: b\n- `clear`: c\n", "compatible"),
        ("`--glaze-mode` steps:\n\n- `raw`: a\n- `matt`: b\n- `clear`: c\n- `bisque`: d\n", "compatible"),
        ("```text\n  --glaze-mode <MODE>  How it looks\n  --body-mode <MODE>   raw, matt or clear\n```\n", "compatible"),
    ];
    let rows = cases.map(|(document, verdict)| Row {
        behaviour: document,
        path: "kiln.py",
        before: BEFORE,
        after: AFTER,
        document,
        verdict,
    });
    check(&rows);
}
