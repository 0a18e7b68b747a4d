//! What to do on a pull request, decided without doing it: wanted comments and what is already there go in, actions come out.
//! Planning again after the actions were carried out gives an empty plan.

use std::collections::BTreeMap;

use super::body::{self, Marker};
use super::comments::{Anchor, Asked, Wanted};

/// A review comment that is already there.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Existing {
    /// Its id.
    pub id: u64,
    /// Whether this tool's account wrote it. A marker in a stranger's comment means nothing.
    pub own: bool,
    /// Its text.
    pub body: String,
    /// The comment it answers.
    pub in_reply_to: Option<u64>,
}

/// A thread of review comments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Thread {
    /// Its node id.
    pub id: String,
    /// The id of its first comment.
    pub first: u64,
    /// Whether it is resolved.
    pub resolved: bool,
    /// Whether the token may resolve it.
    pub can_resolve: bool,
    /// Whether the token may open it again.
    pub can_unresolve: bool,
}

/// What a plan is made from.
#[derive(Clone, Debug)]
pub struct Situation<'a> {
    /// What the findings ask for.
    pub asked: &'a Asked,
    /// Every review comment of the pull request.
    pub existing: &'a [Existing],
    /// Its threads; empty where they are not known.
    pub threads: &'a [Thread],
    /// Most comments that are open at once.
    pub max_comments: usize,
    /// The commit at the pull request's head.
    pub head: &'a str,
}

/// A comment to make.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NewComment {
    /// Its identity.
    pub key: String,
    /// Where.
    pub anchor: Anchor,
    /// The text.
    pub body: String,
}

/// One thing to do.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Action {
    /// One review with comments on lines.
    Review {
        /// Its own text.
        intro: String,
        /// The comments.
        comments: Vec<NewComment>,
    },
    /// A comment on a file as a whole.
    FileComment(NewComment),
    /// Change a comment's text.
    Edit {
        /// Which.
        id: u64,
        /// The new text.
        body: String,
    },
    /// Resolve a thread.
    Resolve {
        /// Which.
        thread: String,
    },
    /// Open a thread again.
    Unresolve {
        /// Which.
        thread: String,
    },
}

/// What to do, in order.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Plan {
    /// The actions.
    pub actions: Vec<Action>,
    /// Comments that are not made because of the cap.
    pub left_out: usize,
}

/// Whether a plan needs to know the threads: something is struck through, or comes back.
pub fn needs_threads(situation: &Situation<'_>) -> bool {
    plan(situation).actions.iter().any(|a| matches!(a, Action::Edit { .. }))
}

/// Makes the plan.
pub fn plan(situation: &Situation<'_>) -> Plan {
    let mut mine: BTreeMap<String, Vec<(&Existing, Marker)>> = BTreeMap::new();
    for comment in situation.existing.iter().filter(|c| c.own) {
        if let Some(marker) = Marker::parse(&comment.body) {
            mine.entry(marker.key.clone()).or_default().push((comment, marker));
        }
    }
    let replied: Vec<u64> = situation.existing.iter().filter(|c| !c.own).filter_map(|c| c.in_reply_to).collect();
    let thread_of = |id: u64| situation.threads.iter().find(|t| t.first == id);
    let wanted: BTreeMap<&str, &Wanted> = situation.asked.comments.iter().map(|c| (c.key.as_str(), c)).collect();

    let mut out = Plan::default();
    let mut open = 0;
    for (key, comments) in &mine {
        match wanted.get(key.as_str()) {
            Some(wanted) => {
                open += 1;
                // Duplicates of an earlier lost answer stay as they are; one is kept right.
                let Some((comment, marker)) = comments.first() else { continue };
                if marker.state != wanted.state {
                    out.actions.push(Action::Edit { id: comment.id, body: wanted.body.clone() });
                    if let Some(thread) = thread_of(comment.id).filter(|t| marker.is_fixed() && t.resolved && t.can_unresolve) {
                        out.actions.push(Action::Unresolve { thread: thread.id.clone() });
                    }
                }
            }
            None => {
                for (comment, _) in comments.iter().filter(|(_, marker)| !marker.is_fixed()) {
                    let body = body::struck(key, &comment.body, situation.head);
                    out.actions.push(Action::Edit { id: comment.id, body });
                    // A conversation with people is theirs to close.
                    let thread = thread_of(comment.id).filter(|t| !t.resolved && t.can_resolve && !replied.contains(&comment.id));
                    if let Some(thread) = thread {
                        out.actions.push(Action::Resolve { thread: thread.id.clone() });
                    }
                }
            }
        }
    }

    let missing = situation.asked.comments.iter().filter(|c| !mine.contains_key(&c.key));
    let mut new: Vec<NewComment> = missing
        .filter_map(|c| Some(NewComment { key: c.key.clone(), anchor: c.anchor.clone()?, body: c.body.clone() }))
        .collect();
    let room = situation.max_comments.saturating_sub(open);
    out.left_out = new.len().saturating_sub(room);
    new.truncate(room);
    let commented = open + new.len();
    let (on_lines, on_files): (Vec<_>, Vec<_>) = new.into_iter().partition(|c| matches!(c.anchor, Anchor::Line { .. }));
    if !on_lines.is_empty() {
        let asked = situation.asked;
        let intro = body::intro(commented.min(asked.groups), asked.groups, asked.places);
        out.actions.push(Action::Review { intro, comments: on_lines });
    }
    out.actions.extend(on_files.into_iter().map(Action::FileComment));
    out
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::super::body::Links;
    use super::super::comments::wanted;
    use super::super::hunks::Hunks;
    use super::super::sample;
    use super::*;
    use crate::model::{FileDiff, LineEdit};

    const HEAD: &str = "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa";

    /// A pull request in memory.
    #[derive(Clone, Debug, Default)]
    struct Page {
        comments: Vec<Existing>,
        threads: Vec<Thread>,
        next: u64,
    }

    impl Page {
        fn add(&mut self, own: bool, body: &str, in_reply_to: Option<u64>) -> u64 {
            self.next += 1;
            let id = self.next;
            self.comments.push(Existing { id, own, body: body.to_owned(), in_reply_to });
            if in_reply_to.is_none() {
                let id_text = format!("T{id}");
                self.threads.push(Thread { id: id_text, first: id, resolved: false, can_resolve: true, can_unresolve: true });
            }
            id
        }

        fn apply(&mut self, plan: &Plan) {
            for action in &plan.actions {
                match action {
                    Action::Review { comments, .. } => {
                        for comment in comments {
                            self.add(true, &comment.body, None);
                        }
                    }
                    Action::FileComment(comment) => {
                        self.add(true, &comment.body, None);
                    }
                    Action::Edit { id, body } => {
                        self.comments.iter_mut().filter(|c| c.id == *id).for_each(|c| c.body.clone_from(body));
                    }
                    Action::Resolve { thread } => {
                        self.threads.iter_mut().filter(|t| t.id == *thread).for_each(|t| t.resolved = true);
                    }
                    Action::Unresolve { thread } => {
                        self.threads.iter_mut().filter(|t| t.id == *thread).for_each(|t| t.resolved = false);
                    }
                }
            }
        }

        fn open(&self) -> usize {
            self.comments.iter().filter(|c| c.own && Marker::parse(&c.body).is_some_and(|m| !m.is_fixed())).count()
        }

        fn plan(&self, asked: &Asked, max_comments: usize) -> Plan {
            plan(&Situation { asked, existing: &self.comments, threads: &self.threads, max_comments, head: HEAD })
        }
    }

    fn asked(facts: &[sample::Sample<'_>]) -> Asked {
        let edit = LineEdit { before_start: 10, before_lines: 1, after_start: 10, after_lines: 1 };
        let diffs: Vec<FileDiff> = ["a.js", "b.js"]
            .iter()
            .map(|p| FileDiff { path: (*p).into(), previous_path: None, before_lines: 30, after_lines: 30, edits: vec![edit] })
            .collect();
        let links = Links { server: "https://github.com".into(), repository: "o/r".into(), head: HEAD.into() };
        wanted(&sample::sidecar(facts), &Hunks::new(&diffs), &links)
    }

    const ONE: &[sample::Sample<'_>] = &[("a.js", "timeout", &[("README.md", 3)])];

    #[test]
    fn nothing_to_say_posts_nothing() {
        assert_eq!(Page::default().plan(&asked(&[]), 10), Plan::default());
    }

    #[test]
    fn a_second_run_posts_nothing_and_moved_lines_change_nothing() {
        let mut page = Page::default();
        let first = page.plan(&asked(ONE), 10);
        assert!(matches!(first.actions.as_slice(), [Action::Review { comments, .. }] if comments.len() == 1), "{first:?}");
        page.apply(&first);
        assert_eq!(page.plan(&asked(ONE), 10), Plan::default());
        assert_eq!(page.plan(&asked(&[("a.js", "timeout", &[("README.md", 44)])]), 10), Plan::default());
    }

    #[test]
    fn a_changed_finding_is_edited_and_a_fixed_one_struck_and_resolved() {
        let mut page = Page::default();
        page.apply(&page.plan(&asked(ONE), 10));
        let changed = page.plan(&asked(&[("a.js", "timeout", &[("README.md", 3), ("b.md", 1)])]), 10);
        assert!(matches!(changed.actions.as_slice(), [Action::Edit { id: 1, .. }]), "{changed:?}");
        let fixed = page.plan(&asked(&[]), 10);
        assert!(matches!(fixed.actions.as_slice(), [Action::Edit { id: 1, .. }, Action::Resolve { .. }]), "{fixed:?}");
        page.apply(&fixed);
        assert!(page.comments[0].body.contains("Resolved as of aaaaaaaaaaaa"), "{}", page.comments[0].body);
        assert_eq!(page.plan(&asked(&[]), 10), Plan::default());
        let back = page.plan(&asked(ONE), 10);
        assert!(matches!(back.actions.as_slice(), [Action::Edit { .. }, Action::Unresolve { .. }]), "{back:?}");
    }

    #[test]
    fn a_thread_with_replies_stays_open_and_a_strangers_marker_is_ignored() {
        let mut page = Page::default();
        page.apply(&page.plan(&asked(ONE), 10));
        let body = page.comments[0].body.clone();
        page.add(false, "we keep it on purpose", Some(1));
        let fixed = page.plan(&asked(&[]), 10);
        assert!(matches!(fixed.actions.as_slice(), [Action::Edit { id: 1, .. }]), "{fixed:?}");
        let mut other = Page::default();
        other.add(false, &body, None);
        let plan = other.plan(&asked(ONE), 10);
        assert!(matches!(plan.actions.as_slice(), [Action::Review { .. }]), "{plan:?}");
        assert_eq!(other.plan(&asked(&[]), 10), Plan::default());
    }

    #[test]
    fn the_cap_holds_and_says_so() {
        let names: Vec<String> = (0..37).map(|i| format!("key{i:02}")).collect();
        let facts: Vec<sample::Sample<'_>> = names.iter().map(|n| ("a.js", n.as_str(), &[("README.md", 3)][..])).collect();
        let mut page = Page::default();
        let plan = page.plan(&asked(&facts), 10);
        assert_eq!(plan.left_out, 27);
        let [Action::Review { intro, comments }] = plan.actions.as_slice() else { panic!("{plan:?}") };
        assert_eq!(comments.len(), 10);
        assert!(intro.contains("10 of 37 shown") || intro.contains("10 of 37 are shown"), "{intro}");
        page.apply(&plan);
        assert!(page.plan(&asked(&facts), 10).actions.is_empty());
    }

    fn facts() -> impl Strategy<Value = Vec<(usize, usize, Vec<usize>)>> {
        prop::collection::vec((0..3usize, 0..6usize, prop::collection::vec(0..4usize, 1..4)), 0..8)
    }

    fn asked_of(facts: &[(usize, usize, Vec<usize>)]) -> Asked {
        let (files, documents) = (["a.js", "b.js", "c.js"], ["README.md", "docs/a.md", "a.js", "b.js"]);
        let names: Vec<String> = facts.iter().enumerate().map(|(i, (_, n, _))| format!("name{n}x{}", i % 2)).collect();
        let cited: Vec<Vec<(&str, u32)>> = facts
            .iter()
            .map(|(_, _, d)| d.iter().map(|&d| (documents[d], u32::try_from(9 + d).expect("small"))).collect())
            .collect();
        let mut list: Vec<sample::Sample<'_>> =
            facts.iter().enumerate().map(|(i, (f, _, _))| (files[*f], names[i].as_str(), cited[i].as_slice())).collect();
        list.sort_unstable();
        list.dedup_by_key(|f| (f.0, f.1));
        asked(&list)
    }

    proptest! {
        #[test]
        fn planning_after_applying_gives_an_empty_plan(
            runs in prop::collection::vec((facts(), 0..12usize, any::<bool>(), any::<bool>()), 1..5)
        ) {
            let mut page = Page::default();
            for (facts, cap, reply, stranger) in runs {
                let asked = asked_of(&facts);
                let before = page.comments.iter().filter(|c| c.own).count();
                let plan = page.plan(&asked, cap);
                page.apply(&plan);
                let again = page.plan(&asked, cap);
                prop_assert!(again.actions.is_empty(), "{again:?}");
                let after = page.open();
                prop_assert!(after <= cap.max(before), "{before} open before, {after} after, cap {cap}");
                if let Some(first) = page.comments.first().cloned() {
                    if reply { page.add(false, "a reply", Some(first.id)); }
                    if stranger { page.add(false, &first.body, None); }
                }
            }
        }
    }
}
