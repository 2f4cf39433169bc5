//! The child at the other end of the pipes: started with limits, spoken to with a deadline, and gone
//! with everything it started when the suite is done with it.

use std::io::BufReader;
use std::os::unix::process::{CommandExt, ExitStatusExt};
use std::process::{Child, ChildStdin, Command, ExitStatus, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, channel};
use std::thread;
use std::time::{Duration, Instant};

use rustix::process::{Pid, Resource, Rlimit, Signal, kill_process_group, prlimit};
use udma_reference::abi::UDMA_ABI_VERSION;

use super::call::{Hello, PROTOCOL, Welcome};
use super::frame;

/// What a child may use.
#[derive(Clone, Copy, Debug)]
pub struct Limits {
    /// For one answer.
    pub answer: Duration,
    /// Bytes of address space.
    pub memory: u64,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            answer: Duration::from_secs(10),
            memory: 4 << 30,
        }
    }
}

/// First message of a child.
#[derive(serde::Deserialize)]
#[serde(untagged)]
enum Greeting {
    Welcome(Welcome),
    Refusal { error: String },
}

/// A running child after its handshake.
pub struct Process {
    child: Child,
    input: Option<ChildStdin>,
    answers: Receiver<std::io::Result<Option<Vec<u8>>>>,
    limits: Limits,
    /// What it said of itself.
    pub welcome: Welcome,
}

impl Process {
    /// Starts a child and greets it.
    ///
    /// # Errors
    /// What keeps it from starting, and whatever is wrong with its greeting.
    pub fn start(mut command: Command, limits: Limits) -> Result<Self, String> {
        let mut child = command
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .process_group(0)
            .spawn()
            .map_err(|error| format!("cannot be started: {error}"))?;
        let (input, output) = (child.stdin.take(), child.stdout.take());
        let (sender, answers) = channel();
        if let Some(output) = output {
            thread::spawn(move || {
                let mut output = BufReader::with_capacity(1 << 16, output);
                loop {
                    let message = frame::receive(&mut output);
                    let last = !matches!(message, Ok(Some(_)));
                    if sender.send(message).is_err() || last {
                        return;
                    }
                }
            });
        }
        let mut process = Self {
            child,
            input,
            answers,
            limits,
            welcome: Welcome {
                protocol: 0,
                line: String::new(),
                binary_pairs: false,
                ring_scripts: false,
                whole_cases: false,
                leaves_out: false,
                arch: None,
                notes: Vec::new(),
            },
        };
        process.limit_memory()?;
        let hello = Hello {
            protocol: PROTOCOL,
            abi: UDMA_ABI_VERSION,
        };
        let hello = serde_json::to_vec(&hello).map_err(|error| error.to_string())?;
        let welcome = process.ask(&hello)?;
        process.welcome = match serde_json::from_slice(&welcome) {
            Ok(Greeting::Welcome(welcome)) => welcome,
            Ok(Greeting::Refusal { error }) => return Err(error),
            Err(_) => return Err("its greeting is no greeting of a subject".into()),
        };
        if process.welcome.protocol != PROTOCOL {
            let protocol = process.welcome.protocol;
            return Err(format!("it speaks protocol {protocol}: {PROTOCOL}"));
        }
        Ok(process)
    }

    fn group(&self) -> Option<Pid> {
        Pid::from_raw(self.child.id() as i32)
    }

    fn limit_memory(&self) -> Result<(), String> {
        let limit = Rlimit {
            current: Some(self.limits.memory),
            maximum: Some(self.limits.memory),
        };
        prlimit(self.group(), Resource::As, limit)
            .map(|_| ())
            .map_err(|error| format!("its memory cannot be limited: {error}"))
    }

    /// One message and its answer.
    ///
    /// # Errors
    /// How it died, hung or broke the protocol. It is not to be used after that.
    pub fn ask(&mut self, message: &[u8]) -> Result<Vec<u8>, String> {
        let sent = match &mut self.input {
            Some(input) => frame::send(input, message),
            None => return Err("it is gone".into()),
        };
        // A child that is dead has not read: how it ended says more than the broken pipe.
        match self.answers.recv_timeout(self.limits.answer) {
            Ok(Ok(Some(answer))) if sent.is_ok() => Ok(answer),
            Ok(Err(error)) if error.kind() == std::io::ErrorKind::InvalidData => {
                Err(format!("died: it printed {error}"))
            }
            Err(RecvTimeoutError::Timeout) => {
                let seconds = self.limits.answer.as_secs_f32();
                Err(format!("hung: no answer within {seconds} s"))
            }
            _ => Err(self.ended()),
        }
    }

    /// How it ended; it has a moment to do so.
    fn ended(&mut self) -> String {
        let deadline = Instant::now() + Duration::from_secs(1);
        loop {
            match self.child.try_wait() {
                Ok(Some(status)) => return describe(status),
                Ok(None) if Instant::now() < deadline => thread::sleep(Duration::from_millis(2)),
                _ => return "died: it closed its output".into(),
            }
        }
    }
}

fn describe(status: ExitStatus) -> String {
    match (status.signal(), status.code()) {
        (Some(signal), _) => {
            let name = Signal::from_named_raw(signal)
                .map_or_else(|| signal.to_string(), |signal| format!("{signal:?}"));
            format!("died: killed by signal {name}")
        }
        (None, Some(code)) => format!("died: it exited with code {code}"),
        _ => "died".into(),
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        drop(self.input.take());
        // The whole group: a subject may have started others.
        if let Some(group) = self.group() {
            let _ = kill_process_group(group, Signal::KILL);
        }
        let _ = self.child.wait();
    }
}
