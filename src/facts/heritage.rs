//! What the classes of a file are built on: a member that is written nowhere any more may be inherited.

use std::collections::{BTreeMap, BTreeSet};

use super::Source;
use crate::syntax::{Grammar, Node, NodeExt};

/// Names of the bases of each class.
pub type Heritage = BTreeMap<String, BTreeSet<String>>;

/// Most classes of one file.
const MAX_CLASSES: usize = 2_000;

/// The classes of a program that are built on others.
pub(super) fn read(source: &Source<'_>) -> Heritage {
    let mut out = Heritage::new();
    if Grammar::for_path(source.path()).is_none_or(|g| g.is_data() || g == Grammar::Bash) {
        return out;
    }
    let Some(tree) = source.tree() else { return out };
    let text = source.text();
    for node in tree.root().preorder() {
        if out.len() >= MAX_CLASSES {
            break;
        }
        let is_class = matches!(
            node.kind(),
            "class_definition"
                | "class_declaration"
                | "abstract_class_declaration"
                | "interface_declaration"
                | "class"
                | "struct_item"
                | "object_declaration"
        );
        let Some(name) = node.field("name").filter(|_| is_class) else { continue };
        let bases = bases(node, text);
        if !bases.is_empty() {
            out.entry(name.text(text).to_owned()).or_default().extend(bases);
        }
    }
    out
}

fn bases(class: Node<'_>, text: &str) -> BTreeSet<String> {
    let clauses = class.named().into_iter().filter(|n| {
        matches!(
            n.kind(),
            "argument_list"
                | "class_heritage"
                | "extends_clause"
                | "extends_type_clause"
                | "superclass"
                | "super_interfaces"
                | "extends_interfaces"
                | "delegation_specifiers"
                | "delegation_specifier"
        )
    });
    let mut out = BTreeSet::new();
    for clause in clauses {
        // Names of types, not of their arguments: `Base[T]`, `Base<T>`, `mixin.Base`.
        for part in clause.text(text).replace("extends ", ",").replace("implements ", ",").split([',', ':']) {
            let part = part.trim().trim_start_matches(['(', '<', ' ']);
            let name: String = part.chars().take_while(|c| c.is_alphanumeric() || matches!(c, '_' | '.')).collect();
            let keyword = part[name.len()..].trim_start().starts_with('=');
            if !name.is_empty() && !keyword {
                out.insert(name);
            }
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_bases() {
        for (path, text, expected) in [
            ("a.py", "class A(base.B, C[int], metaclass=M): pass\nclass D: pass\n", "A: C base.B"),
            ("a.ts", "class A extends B<T> implements C {}\ninterface I extends J, K {}", "A: B C|I: J K"),
            ("A.java", "class A extends B implements C, D {}", "A: B C D"),
            ("a.kt", "class A(x: Int) : B(x), C\n", "A: B C"),
            ("a.rb", "class A < B\nend\n", "A: B"),
            ("a.json", "{}", ""),
        ] {
            let path = crate::model::RepoPath::from(path);
            let found: Vec<String> = read(&Source::new(&path, text))
                .into_iter()
                .map(|(class, bases)| format!("{class}: {}", bases.into_iter().collect::<Vec<_>>().join(" ")))
                .collect();
            assert_eq!(found.join("|"), expected, "{text}");
        }
    }
}
