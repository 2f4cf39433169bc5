//! The self-test: every function gives the worked answers, each in a process of its own, as one that is called
//! wrongly may do anything.

use std::io;

use super::answers::{ANSWERS, Answer, Given};
use super::call::{Function, Memory};

/// Seconds for the answers of one function.
const SECONDS: u32 = 5;
/// Exit codes of the process: an answer's number may be added to the second.
const RIGHT: i32 = 0;
const FIRST_WRONG: i32 = 1;

/// Why a function is not usable; none for one that is.
///
/// # Errors
/// There can be no further process.
pub fn fault(name: &str, function: &Function) -> io::Result<Option<String>> {
    let answers: Vec<&Answer> = ANSWERS
        .iter()
        .filter(|answer| answer.symbol == name)
        .collect();
    if answers.is_empty() {
        return Ok(Some("there is no worked answer for it".into()));
    }
    // SAFETY: nothing else runs in this process yet, so that the child may do what this one may.
    let child = unsafe { libc::fork() };
    if child < 0 {
        return Err(io::Error::last_os_error());
    }
    if child == 0 {
        // SAFETY: the child alone is concerned; the signal's default ends it.
        unsafe {
            libc::signal(libc::SIGALRM, libc::SIG_DFL);
            libc::alarm(SECONDS);
        }
        let wrong = answers.iter().position(|answer| !gives(function, answer));
        let code = wrong.map_or(RIGHT, |at| FIRST_WRONG + at as i32);
        // SAFETY: ends the child without running what the parent registered.
        unsafe { libc::_exit(code) };
    }
    let mut status = 0;
    // SAFETY: the child just made, and one number out.
    while unsafe { libc::waitpid(child, &raw mut status, 0) } < 0 {
        let error = io::Error::last_os_error();
        if error.kind() != io::ErrorKind::Interrupted {
            return Err(error);
        }
    }
    Ok(told(status, &answers))
}

/// What the end of the child says.
fn told(status: i32, answers: &[&Answer]) -> Option<String> {
    if libc::WIFSIGNALED(status) {
        return Some(match libc::WTERMSIG(status) {
            libc::SIGALRM => format!("its self-test took more than {SECONDS} s"),
            signal => format!("it died of signal {signal} in its self-test"),
        });
    }
    match libc::WEXITSTATUS(status) {
        RIGHT => None,
        code => Some(match answers.get((code - FIRST_WRONG) as usize) {
            Some(answer) => format!("it does not give the worked answer for {}", shown(answer)),
            None => format!("it exited with code {code} in its self-test"),
        }),
    }
}

fn shown(answer: &Answer) -> String {
    let mut parts: Vec<String> = answer
        .values
        .iter()
        .map(|(name, value)| format!("{name} {value:#x}"))
        .collect();
    parts.extend(answer.before.iter().map(|words| format!("{words:08x?}")));
    if parts.is_empty() {
        "a call without arguments".into()
    } else {
        parts.join(", ")
    }
}

/// Whether a function gives an answer.
fn gives(function: &Function, answer: &Answer) -> bool {
    let mut memory = Memory::of(answer.before);
    // SAFETY: whether it keeps to its signature is what is tried, in a process that is there for it.
    let given = unsafe { function.call(&mut memory, answer.values) };
    let right = match answer.given {
        Given::Nothing => true,
        Given::Number(number) => given == number,
        Given::Refusal => given != 0,
        Given::Arch => (2..=4).contains(&given),
    };
    right && memory == Memory::of(answer.after)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::libnrt::known::{Argument, built_in};

    #[test]
    fn every_function_has_an_answer_that_gives_all_its_arguments() {
        let signatures = built_in().expect("the table");
        for (name, signature) in &signatures {
            let answers: Vec<_> = ANSWERS.iter().filter(|a| a.symbol == name).collect();
            assert!(!answers.is_empty(), "{name}");
            for answer in answers {
                for argument in &signature.arguments {
                    let Argument::Named(argument) = argument else {
                        continue;
                    };
                    let pointers = [
                        "desc", "w0", "meta", "tx", "rx", "queue", "tx_idx", "rx_idx",
                    ];
                    let given = answer.values.iter().any(|(name, _)| name == argument);
                    assert!(
                        given || pointers.contains(&argument.as_str()),
                        "{name}: {argument}"
                    );
                }
            }
        }
        for answer in ANSWERS {
            assert!(signatures.contains_key(answer.symbol), "{}", answer.symbol);
        }
    }
}
