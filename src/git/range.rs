//! The range: merge base of base and head, to head (`design.md` section 4). Never the tip of base: what landed there
//! since would look removed (`github.md`, thread 37).

use super::{Error, ObjectId, Repository};

/// What to compare, as the user or the event names it.
#[derive(Clone, Debug, Default)]
pub struct RangeOptions {
    /// A revision; without it the default branch.
    pub base: Option<String>,
    /// A revision; without it `HEAD`.
    pub head: Option<String>,
}

/// Two commits, the first an ancestor of the second.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Range {
    /// The merge base.
    pub base: ObjectId,
    /// The head commit.
    pub head: ObjectId,
}

/// One step of first-parent history.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FirstParents {
    /// The commit.
    pub commit: ObjectId,
    /// Its first parent.
    pub parent: ObjectId,
    /// Its first line.
    pub subject: String,
}

/// Where a default branch is looked for, in this order; `origin/HEAD` comes first.
const DEFAULT_BRANCHES: [&str; 4] = ["origin/main", "origin/master", "main", "master"];

impl Repository {
    /// The commit a revision names.
    ///
    /// # Errors
    /// It names none.
    pub fn commit(&self, revision: &str) -> Result<ObjectId, Error> {
        let local = self.inner.to_thread_local();
        let unknown = |source: Box<dyn std::error::Error + Send + Sync>| Error::UnknownRevision {
            revision: revision.to_owned(),
            shallow: local.is_shallow().unwrap_or(false),
            source,
        };
        let id = match local.rev_parse_single(revision) {
            Ok(id) => id,
            Err(_) if revision == "HEAD" && local.head().is_ok_and(|head| head.is_unborn()) => return Err(Error::NoCommit),
            Err(source) => return Err(unknown(Box::new(source))),
        };
        let object = id.object().map_err(|source| unknown(Box::new(source)))?;
        let commit = object.peel_to_commit().map_err(|source| unknown(Box::new(source)))?;
        Ok(commit.id)
    }

    /// The three-dot range.
    ///
    /// # Errors
    /// A revision is unknown, history is cut off or unrelated, or there is no default branch.
    pub fn range(&self, options: &RangeOptions) -> Result<Range, Error> {
        let head_name = options.head.clone().unwrap_or_else(|| "HEAD".to_owned());
        let head = self.commit(&head_name)?;
        let (base_name, base) = match &options.base {
            Some(name) => (name.clone(), self.commit(name)?),
            None => self.default_branch()?,
        };
        let base = self.merge_base(base, head, &base_name, &head_name)?;
        Ok(Range { base, head })
    }

    /// The parents of a commit, first parent first.
    ///
    /// # Errors
    /// The commit cannot be read.
    pub fn parents(&self, commit: ObjectId) -> Result<Vec<ObjectId>, Error> {
        let local = self.inner.to_thread_local();
        let commit = local.find_commit(commit).map_err(|e| Error::object(format!("commit {commit}"), e))?;
        Ok(commit.parent_ids().map(gix::Id::detach).collect())
    }

    /// Whether history is cut off.
    pub fn is_shallow(&self) -> bool {
        self.inner.to_thread_local().is_shallow().unwrap_or(false)
    }

    /// The last steps of first-parent history, newest first; `since` leaves out what was committed before that second of
    /// the epoch. A shallow clone ends where its history does.
    ///
    /// # Errors
    /// The head cannot be read.
    pub fn first_parents(&self, head: ObjectId, last: usize, since: Option<i64>) -> Result<Vec<FirstParents>, Error> {
        let local = self.inner.to_thread_local();
        let mut out = Vec::new();
        let mut at = head;
        while out.len() < last {
            let commit = match local.find_commit(at) {
                Ok(commit) => commit,
                Err(_) if at != head => break,
                Err(source) => return Err(Error::object(format!("commit {at}"), source)),
            };
            let time = commit.time().map_or(0, |time| time.seconds);
            if since.is_some_and(|s| time < s) {
                break;
            }
            let Some(parent) = commit.parent_ids().next().map(gix::Id::detach) else { break };
            if local.try_find_object(parent).ok().flatten().is_none() {
                break;
            }
            let subject = commit.message_raw_sloppy().to_string().lines().next().unwrap_or("").to_owned();
            out.push(FirstParents { commit: at, parent, subject });
            at = parent;
        }
        Ok(out)
    }

    fn merge_base(&self, base: ObjectId, head: ObjectId, base_name: &str, head_name: &str) -> Result<ObjectId, Error> {
        if base == head {
            return Ok(head);
        }
        let mut local = self.inner.to_thread_local();
        local.object_cache_size_if_unset(16 * 1024 * 1024);
        let shallow = local.is_shallow().unwrap_or(false);
        let names = || (base_name.to_owned(), head_name.to_owned());
        match local.merge_base(base, head) {
            Ok(id) => {
                let id: Option<ObjectId> = Into::<Option<gix::Id<'_>>>::into(id).map(gix::Id::detach);
                id.ok_or_else(|| {
                    let (base, head) = names();
                    if shallow { Error::ShallowHistory { base, head } } else { Error::UnrelatedHistories { base, head } }
                })
            }
            Err(_) if shallow => {
                let (base, head) = names();
                Err(Error::ShallowHistory { base, head })
            }
            Err(source) => Err(Error::object(format!("the merge base of {base} and {head}"), source)),
        }
    }

    fn default_branch(&self) -> Result<(String, ObjectId), Error> {
        let local = self.inner.to_thread_local();
        let from_remote = local
            .try_find_reference("refs/remotes/origin/HEAD")
            .ok()
            .flatten()
            .and_then(|reference| reference.target().try_name().map(|name| name.shorten().to_string()));
        let names = from_remote.into_iter().chain(DEFAULT_BRANCHES.iter().map(|name| (*name).to_owned()));
        for name in names {
            if let Ok(id) = self.commit(&name) {
                return Ok((name, id));
            }
        }
        Err(Error::NoDefaultBranch { looked_for: format!("origin/HEAD, {}", DEFAULT_BRANCHES.join(", ")) })
    }
}
