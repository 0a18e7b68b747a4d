//! Differences in how a type is written that no caller and no reader of a document can tell: quotes around an annotation, names
//! of parameters inside a type of Go, `readonly` of TypeScript.

use serde_json::Value;

use crate::model::{Aspect, Fact};
use crate::syntax::Grammar;
use crate::value::go_type;

/// Drops the aspects that say the same in other words.
pub(super) fn retain(new: &Fact, aspects: &mut Vec<Aspect>) {
    let grammar = Grammar::for_path(&new.path);
    aspects.retain(|aspect| {
        let segments = aspect.segments();
        let is_type = segments.last().is_some_and(|s| matches!(s.as_str(), "type" | "returns"));
        let (Some(before), Some(after)) = (text(aspect.before.as_ref()), text(aspect.after.as_ref())) else { return true };
        // A parameter of the type that says what it is, where it was `any`: callers and readers go on as before.
        let scripted = matches!(grammar, Some(Grammar::TypeScript | Grammar::Tsx));
        let named = after.starts_with(char::is_uppercase) && after.chars().all(char::is_alphanumeric);
        !is_type || plain(before, grammar) != plain(after, grammar) && !(scripted && before == "any" && named)
    });
}

fn text(value: Option<&Value>) -> Option<&str> {
    value?.as_str()
}

fn plain(kind: &str, grammar: Option<Grammar>) -> String {
    match grammar {
        // An annotation may stand in quotes until its class is defined.
        Some(Grammar::Python) => kind.replace(['"', '\''], ""),
        Some(Grammar::Go) => go_type::unnamed(kind),
        // What may not be written to is a matter of the code that has it.
        Some(Grammar::TypeScript | Grammar::Tsx) => {
            kind.replace("readonly ", "").replace("ReadonlyArray<", "Array<").replace('\'', "\"")
        }
        _ => kind.replace('\'', "\""),
    }
}
