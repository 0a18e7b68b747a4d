//! Running the program and git with nothing of the caller's environment but what is needed to find programs.

use std::path::Path;
use std::process::{Command, Output, Stdio};

/// Variables that children keep; everything else (`GIT_*`, `NO_COLOR`, `RUST_LOG`, `CLICOLOR_FORCE` ...) is dropped.
const KEPT: [&str; 6] = ["PATH", "HOME", "TMPDIR", "TEMP", "SYSTEMROOT", "LLVM_PROFILE_FILE"];

fn scrubbed(program: &str) -> Command {
    let mut command = Command::new(program);
    command.env_clear();
    for name in KEPT {
        if let Some(value) = std::env::var_os(name) {
            command.env(name, value);
        }
    }
    command
}

/// The program under test.
pub fn refdrift(arguments: &[&str]) -> Command {
    let mut command = scrubbed(env!("CARGO_BIN_EXE_refdrift"));
    command.args(arguments).stdin(Stdio::null());
    command
}

/// What a run ended with.
pub struct Run {
    /// Exit code.
    pub code: i32,
    /// Standard output.
    pub stdout: String,
    /// Standard error.
    pub stderr: String,
}

/// Runs a command to its end.
pub fn run(command: &mut Command) -> Run {
    let Output { status, stdout, stderr } = command.output().expect("the program starts");
    Run {
        code: status.code().unwrap_or(-1),
        stdout: String::from_utf8(stdout).expect("UTF-8 on standard output"),
        stderr: String::from_utf8(stderr).expect("UTF-8 on standard error"),
    }
}

/// Runs `refdrift check` on a folder.
pub fn check(folder: &Path, arguments: &[&str]) -> Run {
    run(refdrift(&["check", "--repo"]).arg(folder).args(arguments))
}

/// Runs git in a folder, and gives what it prints. Fixed author and dates, no configuration of the user's.
pub fn git(folder: &Path, arguments: &[&str], input: &[u8]) -> String {
    use std::io::Write;
    let mut command = scrubbed("git");
    for role in ["AUTHOR", "COMMITTER"] {
        command.env(format!("GIT_{role}_NAME"), "sample");
        command.env(format!("GIT_{role}_EMAIL"), "sample@example.invalid");
        command.env(format!("GIT_{role}_DATE"), "2026-01-01T00:00:00Z");
    }
    command.env("GIT_CONFIG_GLOBAL", "/dev/null").env("GIT_CONFIG_NOSYSTEM", "1");
    command.args(["-c", "protocol.file.allow=always"]).args(arguments).current_dir(folder);
    let mut child =
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().expect("git is installed");
    child.stdin.take().expect("a pipe").write_all(input).expect("git reads");
    let output = child.wait_with_output().expect("git ends");
    assert!(output.status.success(), "git {arguments:?}: {}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8_lossy(&output.stdout).trim().to_owned()
}

/// One entry of a tree: mode, path as bytes, content (of a submodule: nothing).
pub type Entry<'a> = (&'a str, &'a [u8], &'a [u8]);

/// Writes a commit with entries of any mode and name on `main`, on top of what is there.
pub fn commit(folder: &Path, entries: &[Entry<'_>]) -> String {
    if !folder.join(".git").exists() && !folder.join("HEAD").exists() {
        git(folder, &["init", "--quiet", "--initial-branch=main"], b"");
    }
    git(folder, &["read-tree", "--empty"], b"");
    let mut index = Vec::new();
    for (mode, path, content) in entries {
        let id = match *mode {
            "160000" => "0123456789012345678901234567890123456789".to_owned(),
            _ => git(folder, &["hash-object", "-w", "--stdin"], content),
        };
        index.extend_from_slice(format!("{mode} {id}\t").as_bytes());
        index.extend_from_slice(path);
        index.push(0);
    }
    git(folder, &["update-index", "-z", "--index-info"], &index);
    let tree = git(folder, &["write-tree"], b"");
    let born = !git(folder, &["for-each-ref", "refs/heads/main"], b"").is_empty();
    let parent: &[&str] = if born { &["-p", "main"] } else { &[] };
    let id = git(folder, &[&["commit-tree", "-m", "commit", tree.as_str()], parent].concat(), b"");
    git(folder, &["update-ref", "refs/heads/main", &id], b"");
    id
}
