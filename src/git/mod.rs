//! Reading a repository: revisions, the range, trees, the tree diff and blobs, all from the object database.
//! The only user of gix. No checkout, no filters, no hooks, no network; nothing is written.

mod attributes;
mod error;
mod hunks;
mod ignored;
mod range;
mod sample;
mod tree;

use std::path::Path;

pub use attributes::GeneratedAttributes;
pub use error::Error;
pub use ignored::Ignored;
pub use range::{FirstParents, Range, RangeOptions};
pub use sample::{SampleCommit, write_sample};
pub use tree::{FileChange, FileChanges, FileEntry, MAX_TREE_ENTRIES, TreeFiles};

/// An object id in hex.
pub type ObjectId = gix::ObjectId;

/// An open repository, bare or not. Cheap to share between threads.
#[derive(Clone)]
pub struct Repository {
    inner: gix::ThreadSafeRepository,
}

impl Repository {
    /// Opens the repository at a directory or above it.
    ///
    /// System and user configuration is not read, and a folder owned by another user is accepted: nothing of the
    /// repository is executed, and checkouts in containers often belong to another uid (`github.md`, thread 44).
    ///
    /// # Errors
    /// The directory is not in a repository, or its format cannot be read.
    pub fn open(directory: &Path) -> Result<Self, Error> {
        let options = || gix::open::Options::isolated().with(gix::sec::Trust::Full);
        let start = directory.canonicalize().unwrap_or_else(|_| directory.to_owned());
        let candidate = std::iter::successors(Some(start.as_path()), |d| d.parent())
            .find(|d| gix::discover::is_git(&d.join(".git")).is_ok() || gix::discover::is_git(d).is_ok())
            .ok_or_else(|| Error::NotARepository { path: directory.to_owned() })?;
        let inner = gix::ThreadSafeRepository::open_opts(candidate, options())
            .map_err(|source| Error::Open { path: candidate.to_owned(), source: Box::new(source) })?;
        Ok(Self { inner })
    }

    /// A handle for this thread.
    pub fn local(&self) -> LocalRepository {
        let mut inner = self.inner.to_thread_local();
        inner.object_cache_size_if_unset(16 * 1024 * 1024);
        LocalRepository { inner }
    }

    /// The root of the work tree; `None` for a bare repository.
    pub fn work_tree(&self) -> Option<std::path::PathBuf> {
        self.inner.to_thread_local().workdir().map(Path::to_owned)
    }

    /// The last segment of the `origin` remote's path, else of the work tree's or the git directory's path.
    pub fn name(&self) -> String {
        let local = self.inner.to_thread_local();
        let from_remote = local.config_snapshot().string("remote.origin.url").map(|url| url.to_string());
        let directory = local.workdir().unwrap_or_else(|| local.git_dir()).to_owned();
        let from_path = directory.canonicalize().unwrap_or(directory).to_string_lossy().into_owned();
        let pick = |text: &str| {
            let text = text.trim_end_matches('/').trim_end_matches("/.git").trim_end_matches(".git");
            text.rsplit(['/', '\\', ':']).next().unwrap_or("").to_owned()
        };
        let name = from_remote.map(|url| pick(&url)).filter(|n| !n.is_empty()).unwrap_or_else(|| pick(&from_path));
        if name.is_empty() { "repository".to_owned() } else { name.chars().take(128).collect() }
    }
}

/// A repository handle of one thread.
pub struct LocalRepository {
    inner: gix::Repository,
}

impl LocalRepository {
    /// Reads a blob. `Ok(None)` where the object is absent (partial clone) or no blob.
    pub fn blob(&self, id: ObjectId) -> Option<Vec<u8>> {
        let object = self.inner.try_find_object(id).ok().flatten()?;
        (object.kind == gix::object::Kind::Blob).then(|| object.detach().data)
    }

    /// Size of a blob in bytes without reading it whole.
    pub fn blob_size(&self, id: ObjectId) -> Option<u64> {
        self.inner.try_find_header(id).ok().flatten().map(|header| header.size())
    }
}
