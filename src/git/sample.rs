//! Writes small repositories: for the demo and for tests. The analysis itself never writes.

use std::collections::BTreeMap;
use std::path::Path;

use gix::bstr::BString;
use gix::objs::Tree;
use gix::objs::tree::{Entry, EntryKind};

use super::ObjectId;

/// A commit to write: its message and its files.
pub type SampleCommit<'a> = (&'a str, Vec<(&'a str, &'a str)>);

type Failure = Box<dyn std::error::Error + Send + Sync>;

#[derive(Default)]
struct Folder<'a> {
    files: BTreeMap<&'a str, &'a str>,
    folders: BTreeMap<&'a str, Folder<'a>>,
}

/// Writes a repository with one commit after another on `main`. Author and date are fixed, so that equal files give equal
/// commit ids; nothing of the user's git configuration is read.
///
/// # Errors
/// The folder cannot be written.
pub fn write_sample(directory: &Path, commits: &[SampleCommit<'_>]) -> Result<(), Failure> {
    let repository = gix::ThreadSafeRepository::init_opts(
        directory,
        gix::create::Kind::WithWorktree,
        gix::create::Options::default(),
        gix::open::Options::isolated().with(gix::sec::Trust::Full),
    )?
    .to_thread_local();
    let mut parents: Vec<ObjectId> = Vec::new();
    for (message, files) in commits {
        let mut root = Folder::default();
        for (path, text) in files {
            let mut folder = &mut root;
            let mut segments: Vec<&str> = path.split('/').collect();
            let name = segments.pop().unwrap_or(path);
            for segment in segments {
                folder = folder.folders.entry(segment).or_default();
            }
            folder.files.insert(name, text);
        }
        let tree = write_folder(&repository, &root)?;
        let who =
            gix::actor::SignatureRef { name: "sample".into(), email: "sample@example.invalid".into(), time: "1767225600 +0000" };
        let id = repository.commit_as(who, who, "HEAD", message, tree, parents.iter().copied())?;
        parents = vec![id.detach()];
    }
    Ok(())
}

fn write_folder(repository: &gix::Repository, folder: &Folder<'_>) -> Result<ObjectId, Failure> {
    let mut entries = Vec::new();
    for (name, text) in &folder.files {
        let oid = repository.write_blob(text.as_bytes())?.detach();
        entries.push(Entry { mode: EntryKind::Blob.into(), filename: BString::from(*name), oid });
    }
    for (name, inner) in &folder.folders {
        let oid = write_folder(repository, inner)?;
        entries.push(Entry { mode: EntryKind::Tree.into(), filename: BString::from(*name), oid });
    }
    entries.sort();
    Ok(repository.write_object(&Tree { entries })?.detach())
}
