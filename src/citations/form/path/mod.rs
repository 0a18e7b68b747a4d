//! Paths: link targets resolved as a reader's browser would, path tokens in code and text, and drawn directory trees.
//! A bare common basename is the user's own file and cites nothing (`corpus/README.md`, family 7).

mod whose;
mod written;

use std::sync::LazyLock;

use regex::Regex;

use super::{Place, Project, Resolved, tree};
use crate::model::{ByteSpan, CitationForm, Fact, RegionKind, RepoPath};

static OWN_BLOB: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(
        r"^https?://github\.com/([^/\s]+)/([^/\s]+)/(?:blob|tree|raw|edit)/(main|master|HEAD|develop|dev|trunk|next)/([^?#\s]+)",
    )
    .expect("valid pattern")
});
static OWN_RAW: LazyLock<Regex> = LazyLock::new(|| {
    Regex::new(r"^https?://raw\.githubusercontent\.com/([^/\s]+)/([^/\s]+)/(main|master|HEAD|develop|dev|trunk|next)/([^?#\s]+)")
        .expect("valid pattern")
});

pub(super) fn resolve(place: &Place<'_>, fact: &Fact, project: &Project<'_>) -> Resolved {
    let gone = &fact.path;
    if let Some((span, target, in_text)) = place.link() {
        let here = target_of(place, target, gone, project);
        // The text of a link to another site names what is there.
        if here || !in_text || target.contains("://") {
            return here.then_some((target_span(place, span, target), CitationForm::LinkTarget, true));
        }
    }
    if let RegionKind::Directive { name, argument, .. } = &place.region.kind
        && matches!(name.as_str(), "literalinclude" | "include" | "image" | "figure" | "toctree" | "download" | "csv-table")
        && argument.contains(place.span)
    {
        let target = place.of(*argument).trim();
        if project.ignored.contains(gone) {
            return None;
        }
        return target_of(place, target, gone, project).then_some((*argument, CitationForm::Directive, true));
    }
    if let Some((lang, content)) = place.fence()
        && let Some(found) = tree::path_at(place.text(), content, place.span)
    {
        let hit = !lang.starts_with("diff") && tree_names(&found, gone, place, project);
        return hit.then_some((place.span, CitationForm::DirectoryTree, true));
    }
    written::token(place, gone, project)
}

/// Where the target stands in the source of the link; the whole link where it is a reference or encoded.
fn target_span(place: &Place<'_>, link: ByteSpan, target: &str) -> ByteSpan {
    match place.of(link).rfind(target) {
        Some(at) if !target.is_empty() => ByteSpan::new(link.start + at, link.start + at + target.len()),
        _ => link,
    }
}

/// Whether a link target led to the path at base and leads nowhere at head.
fn target_of(place: &Place<'_>, target: &str, gone: &RepoPath, project: &Project<'_>) -> bool {
    let own = OWN_BLOB.captures(target).or_else(|| OWN_RAW.captures(target));
    let target = match &own {
        Some(parts) if project.is_own_slug(&parts[1], &parts[2]) || is_only_ours(&parts[4], project) => format!("/{}", &parts[4]),
        Some(_) => return false,
        None if target.contains("://")
            || target.starts_with("//")
            || target.starts_with('#')
            || target.starts_with("mailto:") =>
        {
            return false;
        }
        None => target.split(['#', '?']).next().unwrap_or("").to_owned(),
    };
    let target = percent_decode(target.split(['#', '?']).next().unwrap_or(""));
    let target = target.trim();
    if target.is_empty() {
        return false;
    }
    // A site may make a page that git ignores; what lies at the root, and a README, is read on the forge.
    let page = &place.document.path;
    let on_forge = page.directory().is_empty() || page.stem().eq_ignore_ascii_case("readme") || own.is_some();
    if !on_forge && project.ignored.contains(gone) {
        return false;
    }
    let candidates = candidates(&place.document.path, target);
    candidates.iter().any(|c| c == gone && project.existed(c)) && !candidates.iter().any(|c| project.exists(c))
}

/// Whether a path on the forge is this repository's although nothing says what the forge calls it: it is long, and was here.
fn is_only_ours(path: &str, project: &Project<'_>) -> bool {
    project.slug.is_none() && path.trim_end_matches('/').matches('/').count() >= 2 && project.existed(&RepoPath::new(path))
}

/// Folders whose files generators of sites serve as they are, from the site's root (`VuePress`, `VitePress`, Docusaurus, Hugo,
/// Sphinx, Astro).
const SERVED: [&str; 5] = ["public", "static", ".vuepress/public", ".vitepress/public", "_static"];

/// The paths a link may mean: from the document's directory, from the root, from the root of the site the document belongs to;
/// as written, with a document's extension, or a directory's index page.
fn candidates(document: &RepoPath, target: &str) -> Vec<RepoPath> {
    let mut bases: Vec<&str> = vec![document.directory()];
    if target.starts_with('/') {
        bases = document.as_str().match_indices('/').map(|(at, _)| &document.as_str()[..at]).collect();
        bases.insert(0, "");
    }
    let relative = target.trim_start_matches('/');
    let mut out = Vec::new();
    for base in bases {
        let Some(path) = RepoPath::resolve(base, if target.starts_with('/') { relative } else { target }) else { continue };
        let text = path.as_str().to_owned();
        let mut push = |t: String| out.push(RepoPath::new(t));
        if path.extension().is_empty() || !matches!(path.extension(), "md" | "mdx" | "rst" | "adoc") {
            for extension in ["md", "mdx", "rst", "adoc"] {
                push(format!("{text}.{extension}"));
            }
            for index in ["index.md", "README.md", "index.mdx", "_index.md", "index.rst"] {
                push(format!("{text}/{index}"));
            }
        }
        if let Some(stem) = text.strip_suffix(".html") {
            for extension in ["md", "mdx", "rst", "adoc"] {
                push(format!("{stem}.{extension}"));
            }
        }
        // What generators of sites serve from the root of the site.
        if target.starts_with('/') {
            for folder in SERVED {
                push(if base.is_empty() { format!("{folder}/{relative}") } else { format!("{base}/{folder}/{relative}") });
            }
        }
        push(text);
    }
    out
}

fn percent_decode(text: &str) -> String {
    let bytes = text.as_bytes();
    let mut out = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let decoded =
            (bytes[at] == b'%').then(|| text.get(at + 1..at + 3)).flatten().and_then(|hex| u8::from_str_radix(hex, 16).ok());
        if let Some(byte) = decoded {
            out.push(byte);
            at += 3;
        } else {
            out.push(bytes[at]);
            at += 1;
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}

/// Whether a path read off a drawn tree is the one that is gone. The drawing's root may be the repository's root, the
/// document's directory or any directory above the path.
fn tree_names(drawn: &tree::Drawn, gone: &RepoPath, place: &Place<'_>, project: &Project<'_>) -> bool {
    let found = drawn.path.trim_matches('/');
    // How this site is set up is drawn for those who set up theirs.
    if gone.segments().any(|s| matches!(s, ".vitepress" | ".vuepress" | ".docusaurus" | ".storybook")) {
        return false;
    }
    // A file of the root that any project has is as easily the reader's, in a drawing that stands elsewhere.
    let own = place.document.path.directory();
    let anyones = whose::is_common(gone.file_name()) && gone.directory() != own;
    let direct = !anyones && [own, ""].iter().filter_map(|base| RepoPath::resolve(base, found)).any(|p| p == *gone);
    let tail = (drawn.rooted || found.matches('/').count() >= 2)
        && found.contains('/')
        && gone.as_str().ends_with(&format!("/{found}"))
        && !whose::is_layout_of_frameworks(found);
    // What is drawn for readers is their own tree, however like our templates and tests.
    let theirs = whose::is_for_users(gone) || whose::is_of_tests(gone);
    // Without a root line the drawing starts somewhere above; then the name must be gone from the whole tree.
    let bare = !whose::is_layout_of_frameworks(found)
        && !whose::is_layout_of_frameworks(gone.file_name())
        && !project.head_names.contains(gone.file_name())
        && gone.file_name() == found.rsplit('/').next().unwrap_or(found)
        && crate::value::name::is_distinctive(gone.stem());
    // What stands beside the document is drawn, whatever else has such a place.
    let beside = [place.document.path.directory(), ""];
    let elsewhere = beside.iter().filter_map(|base| RepoPath::resolve(base, found)).any(|p| project.exists(&p));
    (direct || !theirs && (tail || bare)) && !elsewhere
}
