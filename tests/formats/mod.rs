//! Helpers for the tests of the machine-readable formats: a directory to run in, and readers that validate every line
//! or document against its schema.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::LazyLock;

use jsonschema::Validator;
use serde_json::{Value, json};
use tempfile::TempDir;

pub const MACHINE_FORMATS: [&str; 3] = ["json", "sarif", "github"];

/// The result of a run.
#[derive(Debug)]
pub struct Run {
    pub status: i32,
    pub out: Vec<u8>,
    pub err: Vec<u8>,
}

impl Run {
    pub fn out(&self) -> &str {
        std::str::from_utf8(&self.out).unwrap()
    }

    pub fn err(&self) -> &str {
        std::str::from_utf8(&self.err).unwrap()
    }
}

pub struct Dir(TempDir);

impl Dir {
    pub fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    pub fn path(&self, name: &[u8]) -> PathBuf {
        self.0.path().join(crate::system::name(name))
    }

    pub fn write(&self, name: &[u8], bytes: &[u8]) {
        let path = self.path(name);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, bytes).unwrap();
    }

    /// Runs the program in this directory, with empty standard input.
    pub fn run<A: AsRef<OsStr>>(&self, args: &[A]) -> Run {
        self.run_on(args, b"")
    }

    pub fn run_on<A: AsRef<OsStr>>(&self, args: &[A], input: &[u8]) -> Run {
        let output = crate::common::oxiconv()
            .current_dir(self.0.path())
            .args(args)
            .write_stdin(input)
            .output()
            .unwrap();
        let status = output.status.code().expect("not ended by a signal");
        Run { status, out: output.stdout, err: output.stderr }
    }
}

fn file(path: &str) -> String {
    fs::read_to_string(Path::new(env!("CARGO_MANIFEST_DIR")).join(path)).unwrap()
}

fn schema(text: &str) -> Value {
    serde_json::from_str(text).unwrap()
}

/// The schema as published.
static EVENT: LazyLock<Validator> = LazyLock::new(|| {
    jsonschema::validator_for(&schema(&file("docs/findings.schema.json"))).unwrap()
});

/// The published schema, but without additional members. It detects a member that is written but not documented.
static STRICT_EVENT: LazyLock<Validator> = LazyLock::new(|| {
    let mut schema = schema(&file("docs/findings.schema.json"));
    for (name, definition) in schema["$defs"].as_object_mut().unwrap() {
        if definition["properties"]["type"].is_object() {
            assert_eq!(&definition["properties"]["type"]["const"], name);
            definition["unevaluatedProperties"] = json!(false);
        }
    }
    jsonschema::validator_for(&schema).unwrap()
});

static SARIF: LazyLock<Validator> = LazyLock::new(|| {
    jsonschema::validator_for(&schema(&file("tests/data/sarif.schema.json"))).unwrap()
});

/// The official SARIF schema, if `OXICONV_SARIF_SCHEMA` has its path. Every document is then validated against it too.
pub static OFFICIAL_SARIF: LazyLock<Option<Validator>> = LazyLock::new(|| {
    let path = std::env::var_os("OXICONV_SARIF_SCHEMA")?;
    // One of its patterns has an unescaped bracket, which is invalid in a Unicode regular expression. The pattern is
    // for a member that oxiconv does not write.
    let text = fs::read_to_string(path).unwrap().replace("{2}]?$", r"{2}\\]?$");
    Some(jsonschema::validator_for(&schema(&text)).unwrap())
});

fn hold(validator: &Validator, value: &Value) {
    let errors: Vec<_> = validator
        .iter_errors(value)
        .map(|error| format!("{}: {error}", error.instance_path()))
        .collect();
    assert!(errors.is_empty(), "{errors:#?}\n{value:#}");
}

/// Returns the events of json output, one per line. The first must be `start`. The last must be `summary`, except for
/// lists.
pub fn events(output: &[u8]) -> Vec<Value> {
    let text = std::str::from_utf8(output).unwrap();
    assert!(text.ends_with('\n'), "{text}");
    let events: Vec<Value> =
        text.lines().map(|line| serde_json::from_str(line).expect(line)).collect();
    for event in &events {
        hold(&EVENT, event);
        hold(&STRICT_EVENT, event);
    }
    assert_eq!(events[0]["type"], "start");
    assert!(events[1..].iter().all(|event| event["type"] != "start"), "{text}");
    if events[0]["task"] != "list" {
        let ends: Vec<_> =
            events.iter().enumerate().filter(|(_, event)| event["type"] == "summary").collect();
        assert_eq!(ends.len(), 1, "{text}");
        assert_eq!(ends[0].0, events.len() - 1, "{text}");
    }
    events
}

/// Returns the events of one type.
pub fn of_type<'a>(events: &'a [Value], name: &str) -> Vec<&'a Value> {
    events.iter().filter(|event| event["type"] == name).collect()
}

/// Returns the run of sarif output.
pub fn sarif_run(output: &[u8]) -> Value {
    let log: Value = serde_json::from_slice(output).unwrap();
    hold(&SARIF, &log);
    if let Some(official) = &*OFFICIAL_SARIF {
        hold(official, &log);
    }
    let run = log["runs"][0].clone();
    let rules = run["tool"]["driver"]["rules"].as_array().unwrap();
    for result in run["results"].as_array().unwrap() {
        let rule = &rules[result["ruleIndex"].as_u64().unwrap() as usize];
        assert_eq!(rule["id"], result["ruleId"]);
    }
    run
}

/// Returns the physical location of a sarif result.
pub fn place(result: &Value) -> &Value {
    &result["locations"][0]["physicalLocation"]
}

/// A GitHub workflow command, unescaped.
#[derive(Debug)]
pub struct Command {
    pub name: String,
    pub properties: Vec<(String, String)>,
    pub message: String,
}

impl Command {
    pub fn get(&self, name: &str) -> Option<&str> {
        self.properties.iter().find(|(key, _)| key == name).map(|(_, value)| value.as_str())
    }
}

/// Returns the workflow commands in github output, and its other lines.
pub fn commands(output: &[u8]) -> (Vec<Command>, Vec<String>) {
    let (mut commands, mut others) = (Vec::new(), Vec::new());
    for line in std::str::from_utf8(output).unwrap().lines() {
        let Some((head, message)) = line.strip_prefix("::").and_then(|rest| rest.split_once("::"))
        else {
            others.push(line.to_owned());
            continue;
        };
        let (name, properties) = head.split_once(' ').unwrap();
        let unescape = |text: &str| {
            let text = text.replace("%0D", "\r").replace("%0A", "\n").replace("%3A", ":");
            text.replace("%2C", ",").replace("%25", "%")
        };
        commands.push(Command {
            name: name.to_owned(),
            properties: properties
                .split(',')
                .map(|property| property.split_once('=').unwrap())
                .map(|(key, value)| (key.to_owned(), unescape(value)))
                .collect(),
            message: unescape(message),
        });
    }
    (commands, others)
}
