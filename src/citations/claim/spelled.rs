//! A signature written out: parameter names, types and the return type as the document gives them.

use serde_json::Value;

use super::arguments::{self, Arguments};
use super::{Subject, Verdict};
use crate::model::{Aspect, ByteSpan, Claim, ClaimRule, Document, RegionKind, Strength};
use crate::syntax::Grammar;
use crate::value::widened::is_widened;

/// A parameter of a projection.
pub(super) struct Parameter<'a> {
    pub(super) name: &'a str,
    pub(super) required: bool,
    pub(super) kind: &'a str,
}

/// The signatures of a definition: its overloads, or its only one.
pub(super) fn signatures(value: &Value) -> Vec<Vec<Parameter<'_>>> {
    match value.get("overloads").and_then(Value::as_array) {
        Some(overloads) => overloads.iter().filter_map(parameters).collect(),
        None => parameters(value).into_iter().collect(),
    }
}

/// The parameters of a signature fact's projection.
pub(super) fn parameters(value: &Value) -> Option<Vec<Parameter<'_>>> {
    let list = value.get("parameters")?.as_array()?;
    Some(
        list.iter()
            .filter_map(|p| {
                let kind = p.get("kind").and_then(Value::as_str).unwrap_or("positional");
                let optional = p.get("optional").and_then(Value::as_bool).unwrap_or(false)
                    || p.get("default").is_some()
                    || p.get("defaultExpr").is_some();
                Some(Parameter {
                    name: p.get("name")?.as_str()?,
                    required: !optional && !matches!(kind, "variadic" | "keywords"),
                    kind,
                })
            })
            .collect(),
    )
}

pub(super) fn judge(subject: &Subject<'_>) -> Verdict {
    let (Some(before), Some(after)) = (&subject.change.before, &subject.change.after) else { return Verdict::Mention };
    let text = &subject.document.text;
    let Some(list) = arguments::after(text, subject.citation.span.end) else { return Verdict::Mention };
    let behind = text.get(list.span.end..).and_then(|t| t.lines().next()).unwrap_or("");
    let scripted = matches!(Grammar::for_path(&before.path), Some(Grammar::JavaScript | Grammar::TypeScript | Grammar::Tsx));
    // A promise is no type of other languages.
    if list.elided || !is_signature(subject, &list) || behind.contains("Promise<") && !scripted {
        return Verdict::Mention;
    }
    let (Some(old), Some(new)) = (parameters(&before.value), parameters(&after.value)) else { return Verdict::Mention };
    // `_type` is `type` to a reader: what the underscore says is said to a linter.
    let plain = |name: &'_ str| name.trim_start_matches('_').to_owned();
    let cited: Vec<String> = list.items.iter().filter_map(|a| a.name.as_deref()).map(plain).collect();
    let cited: Vec<&str> = cited.iter().map(String::as_str).collect();
    let names = |list: &[Parameter<'_>]| list.iter().map(|p| plain(p.name)).collect::<Vec<_>>();
    let (old_names, new_names) = (names(&old), names(&new));
    let aspect = |predicate: &dyn Fn(&Aspect) -> bool| subject.change.aspects.iter().find(|a| predicate(a)).cloned();
    // `pots(lid="on")` is written in a language that has such arguments.
    let grammar = Grammar::for_path(&before.path);
    let by_place_only = matches!(grammar, Some(Grammar::Rust | Grammar::Go | Grammar::C | Grammar::Java));
    if by_place_only && list.items.iter().any(|a| a.value.is_some()) {
        return Verdict::Mention;
    }
    // Without a parameter a function of JavaScript may read all it is given.
    if new.is_empty() && Grammar::for_path(&after.path) == Some(Grammar::JavaScript) || passes_on(&new) {
        return Verdict::Mention;
    }
    let (all_old, all_new) = (signatures(&before.value), signatures(&after.value));
    if all_old.len().max(all_new.len()) > 1 {
        // Of several signatures one is written out: it is right while the code has it.
        let has = |all: &[Vec<Parameter<'_>>]| all.iter().any(|one| one.iter().map(|p| p.name).eq(cited.iter().copied()));
        let changed = aspect(&|a| a.pointer.starts_with("/parameters/") && a.segments().len() == 2);
        return match changed.filter(|_| !cited.is_empty() && has(&all_old) && !subject.change.compatible) {
            _ if has(&all_new) => Verdict::Current,
            Some(changed) => claim(subject, ByteSpan::new(subject.citation.span.start, list.span.end), Some(changed)),
            None => Verdict::Mention,
        };
    }

    if !cited.is_empty() && old_names != new_names {
        let is = |own: &[String]| own.iter().map(String::as_str).eq(cited.iter().copied());
        if is(&new_names) {
            return Verdict::Current;
        }
        let known_at_base = cited.iter().all(|c| old_names.iter().any(|o| o == c));
        // What takes any number of arguments in a script takes the one that it no longer names.
        let scripted = matches!(Grammar::for_path(&before.path), Some(Grammar::JavaScript | Grammar::TypeScript | Grammar::Tsx));
        let takes_any = new.iter().any(|p| p.kind == "keywords" || scripted && p.kind == "variadic");
        let gone =
            cited.iter().filter(|_| !takes_any).find(|c| old_names.iter().any(|o| o == *c) && !new_names.iter().any(|n| n == *c));
        let missing = new.iter().find(|p| {
            let name = plain(p.name);
            p.required && !cited.contains(&name.as_str()) && !old_names.contains(&name) && !is_called_optional(text, p.name)
        });
        // A list that lacked something at base is the signature of something else.
        let whole = old.iter().filter(|p| p.required).all(|p| cited.contains(&plain(p.name).as_str()));
        // What is passed by place has a name in the declaration only: `From(c)` is a call as well.
        let typed = list.items.iter().all(|a| subject.of(a.span).trim().contains([' ', ':']));
        let heading = matches!(subject.region().kind, RegionKind::Heading { .. });
        let by_place = match Grammar::for_path(&before.path) {
            Some(Grammar::Go) => true,
            Some(Grammar::Java | Grammar::C | Grammar::Rust | Grammar::TypeScript | Grammar::Tsx) => !heading,
            _ => false,
        };
        // The parameters of a prototype of C need no names at all.
        let unnamed = Grammar::for_path(&before.path) == Some(Grammar::C);
        if is_renamed_only(&before.value, &after.value) && (by_place && !typed || unnamed) {
            return Verdict::Mention;
        }
        if known_at_base && (gone.is_some() || missing.is_some() && whole) {
            let name = gone.copied().or(missing.map(|p| p.name)).unwrap_or_default().to_owned();
            let found = aspect(&|a| {
                a.segments().first().is_some_and(|s| s == "parameters") && a.segments().get(1).is_some_and(|s| *s == name)
            });
            return claim(
                subject,
                ByteSpan::new(subject.citation.span.start, list.span.end),
                found.or_else(|| aspect(&|a| a.pointer.starts_with("/parameters"))),
            );
        }
        if known_at_base && is(&old_names) && subject.change.compatible {
            // All parameters of base, none of the added optional ones: right as a usage, incomplete as a reference.
            return Verdict::Compatible;
        }
    }
    returns(subject, &list, aspect(&|a| a.pointer == "/returns")).or_else(|| types(subject, &list)).unwrap_or(Verdict::Mention)
}

/// Whether a document writes a parameter as one that may be left out: `run(script[, options])`.
fn is_called_optional(text: &str, name: &str) -> bool {
    [format!("[, {name}"), format!("[,{name}"), format!("[{name}")].iter().any(|form| {
        text.match_indices(form.as_str())
            .any(|(at, _)| text[at + form.len()..].chars().next().is_some_and(|c| !c.is_alphanumeric() && c != '_'))
    })
}

/// Whether a list is nothing but `...args`: what is taken is said where it is passed on to.
pub(super) fn passes_on(list: &[Parameter<'_>]) -> bool {
    !list.is_empty() && list.iter().all(|p| matches!(p.kind, "variadic" | "keywords"))
}

/// Whether the parameters differ in their names alone.
fn is_renamed_only(old: &Value, new: &Value) -> bool {
    let types = |value: &Value| -> Option<Vec<Value>> {
        value.get("parameters")?.as_array()?.iter().map(|p| p.get("type").cloned()).collect()
    };
    types(old).is_some_and(|old| Some(old) == types(new))
}

/// Whether the list names parameters, not the values of a call.
fn is_signature(subject: &Subject<'_>, list: &Arguments) -> bool {
    let region = subject.region();
    if let RegionKind::CodeBlock { content, .. } = region.kind {
        let line = subject.document.lines.span_of(subject.document.lines.line(subject.citation.span.start));
        let before = ByteSpan::new(line.start.max(content.start), subject.citation.span.start);
        return arguments::declares(subject.of(before)) && !has_body(&subject.document.text, list, content);
    }
    list.items.iter().all(|a| a.plain || a.spread)
}

/// Whether a code block of the document declares a name with its body. An indented block of a format that reads it as a
/// quotation is one to its reader.
pub(super) fn is_defined_in(document: &Document, name: &str) -> bool {
    let text = &document.text;
    document.regions.iter().any(|region| {
        let content = match region.kind {
            RegionKind::CodeBlock { content, .. } => content,
            RegionKind::Paragraph | RegionKind::ListItem => region.span,
            _ => return false,
        };
        content.of(text).match_indices(name).any(|(at, _)| {
            let content = if region.span == content { ByteSpan::new(content.start, text.len()) } else { content };
            let start = content.start + at;
            let line = document.lines.span_of(document.lines.line(start));
            let before = ByteSpan::new(line.start.max(content.start), start).of(text);
            arguments::declares(before)
                && arguments::after(text, start + name.len()).is_some_and(|list| has_body(text, &list, content))
        })
    })
}

/// Whether a declaration in a code block goes on with statements: then it is the reader's own, of a name that is called by
/// others (a hook, an override), and not a copy of ours.
fn has_body(text: &str, list: &Arguments, content: ByteSpan) -> bool {
    let rest = text.get(list.span.end..content.end).unwrap_or("");
    let (head, below) = rest.split_once('\n').unwrap_or((rest, ""));
    let head = head.trim_end().trim_end_matches(',');
    if head.ends_with("{}") {
        return true;
    }
    if !head.ends_with([':', '{']) {
        return false;
    }
    let statement = |l: &&str| !l.is_empty() && !l.starts_with(['#', '/', '*', '"', '\'']);
    let first = below.lines().map(str::trim).find(statement).unwrap_or("");
    !first.is_empty() && !first.starts_with(['.', '…', '}']) && first != "pass"
}

/// The old return type behind the list: `-> T`, `: T`, `(T, error)`, `→ T`.
fn returns(subject: &Subject<'_>, list: &Arguments, aspect: Option<Aspect>) -> Option<Verdict> {
    let aspect = aspect?;
    let old = aspect.before.as_ref()?.as_str()?;
    let new = aspect.after.as_ref().and_then(Value::as_str).unwrap_or("");
    let region = subject.region().span;
    let text = &subject.document.text;
    let end = region.end.min(list.span.end + 200);
    let tail = text.get(list.span.end..end).or_else(|| text.get(list.span.end..region.end))?;
    let stop = tail.find(['`', '\n', '|']).unwrap_or(tail.len());
    let tail = tail[..stop].trim_start_matches([' ', ':', '-', '>', '→', '=']);
    let fold = |t: &str| t.split_whitespace().collect::<String>();
    // `(err error)` of Go is `error`.
    let go = subject.change.before.as_ref().and_then(|f| Grammar::for_path(&f.path)) == Some(Grammar::Go);
    if go && unnamed(old) == unnamed(new) {
        return None;
    }
    let (cited, old, new) = (fold(tail), fold(old), fold(new));
    // `Any` and `typing.Any` are one type.
    let last = |t: &str| t.rsplit('.').next().unwrap_or(t).to_owned();
    let plain = |t: &str| t.chars().all(|c| c.is_alphanumeric() || matches!(c, '_' | '.'));
    if cited.is_empty() || old.is_empty() || plain(&old) && plain(&new) && last(&old) == last(&new) {
        return None;
    }
    if !new.is_empty() && cited.starts_with(&new) && !(old.starts_with(&new) && cited.starts_with(&old)) {
        return Some(Verdict::Current);
    }
    let next = cited[old.len().min(cited.len())..].chars().next();
    let whole = cited.starts_with(&old) && !next.is_some_and(|c| c.is_alphanumeric() || c == '_' || c == '<');
    whole.then(|| claim(subject, ByteSpan::new(subject.citation.span.start, list.span.end + stop), Some(aspect)))
}

/// The results of a function of Go without the names that they may have: `(n int, err error)` is `int,error`.
fn unnamed(results: &str) -> String {
    let inner = results.trim().strip_prefix('(').and_then(|r| r.strip_suffix(')')).unwrap_or(results.trim());
    let named = |part: &str| {
        let (name, kind) = part.trim().split_once(' ')?;
        name.chars().all(|c| c.is_alphanumeric() || c == '_').then(|| kind.trim().to_owned())
    };
    let kinds: Option<Vec<String>> = inner.split(',').map(named).collect();
    let bracketed = inner.len() < results.trim().len();
    let plain = || inner.split(',').map(|p| p.trim().to_owned()).collect();
    kinds.filter(|_| bracketed).unwrap_or_else(plain).join(",")
}

/// A parameter's old type next to its name.
fn types(subject: &Subject<'_>, list: &Arguments) -> Option<Verdict> {
    let fold = |t: &str| t.split_whitespace().collect::<String>();
    for aspect in &subject.change.aspects {
        let segments = aspect.segments();
        let [part, name, leaf] = segments.as_slice() else { continue };
        if part != "parameters" || leaf != "type" {
            continue;
        }
        let (Some(old), Some(new)) =
            (aspect.before.as_ref().and_then(Value::as_str), aspect.after.as_ref().and_then(Value::as_str))
        else {
            continue;
        };
        let Some(argument) = list.items.iter().find(|a| a.name.as_deref() == Some(name)) else { continue };
        let cited = subject.of(argument.span);
        let Some(typed) = cited.split_once(':').map(|(_, t)| t).or_else(|| cited.split_once(' ').map(|(_, t)| t)) else {
            continue;
        };
        let typed = fold(typed.split('=').next().unwrap_or(typed));
        if typed == fold(new) {
            return Some(Verdict::Current);
        }
        if typed == fold(old) && is_widened(old, new) {
            return Some(Verdict::Compatible);
        }
        if typed == fold(old) {
            return Some(claim(subject, argument.span, Some(aspect.clone())));
        }
    }
    None
}

fn claim(subject: &Subject<'_>, stale: ByteSpan, aspect: Option<Aspect>) -> Verdict {
    Verdict::Claims(vec![Claim {
        citation: subject.citation.clone(),
        rule: ClaimRule::SpelledOut,
        strength: Strength::Strong,
        stale,
        aspect,
    }])
}
