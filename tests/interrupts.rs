//! Runs that end early: by a signal, SIGKILL, a closed pipe or a panic. No temporary file remains, and no file is
//! incomplete. (After SIGKILL, the next run removes the temporary files.)
//!
//! The promises are in docs/safety.md.

use std::fs::{self, File};
use std::io::{Read, Write};
use std::path::Path;
use std::process::Command;
use std::time::{Duration, Instant};

use crate::sample;
use crate::scene::{Ended, LATIN1, Running, Scene, UTF8, is_waiting, text, wait_until};
use rustix::process::Signal;

const ENDING: [(Signal, &str); 3] = [
    (Signal::INT, "interrupted"),
    (Signal::TERM, "terminated"),
    (Signal::HUP, "ended because the terminal hung up"),
];

/// Creates a hundred files and, as the last input, a FIFO that nobody writes to, so that the run stops there.
fn stuck() -> (Scene, Vec<String>) {
    let mut scene = Scene::new();
    let mut names: Vec<_> = (0..100).map(|number| format!("f{number:02}")).collect();
    names.iter().for_each(|name| drop(scene.write(name, LATIN1)));
    scene.mkfifo("fifo");
    names.push("fifo".to_owned());
    (scene, names)
}

#[test]
fn a_signal_in_the_middle_of_a_large_run_says_what_is_whole() {
    for (signal, word) in ENDING {
        for (sync, whole) in [
            (true, "0 of 101 files written"),
            (false, "100 of 101 files written completely, the others not at all"),
        ] {
            let (scene, names) = stuck();
            let mut args = vec!["-f", "latin1", "-j", "1", "-O", "out"];
            args.extend((!sync).then_some("--no-sync"));
            args.extend(names.iter().map(String::as_str));
            let mut run = scene.start(&args);
            let out = scene.path("out");
            let there = || fs::read_dir(&out).map_or(0, |entries| entries.count());
            wait_until("all but one are converted", || there() == 100);
            // The last output may get its name a moment after its bytes are written, so wait until the run is idle too.
            wait_until("the program waits for the last", || is_waiting(&mut run));
            run.signal(signal);
            let ended = run.end();
            ended.assert(128 + signal.as_raw(), &format!("oxiconv: {word}: {whole}\n"));
            assert_eq!(there(), if sync { 0 } else { 100 });
            for name in names.iter().filter(|_| !sync).take(100) {
                assert_eq!(scene.read(&format!("out/{name}")), UTF8);
            }
            scene.assert_safe();
        }
    }
}

/// Repairing this much damaged text takes so long that the signal arrives in the middle.
#[test]
fn an_interrupted_repair_leaves_the_original() {
    let mut scene = Scene::new();
    let damaged = "Lâ€™Ã©tÃ© Ã\u{A0} la plage, câ€™Ã©tait trÃ¨s tÃ´t\n".repeat(400_000);
    scene.write("f", damaged.as_bytes());
    for (signal, word) in ENDING {
        let mut run = scene.start(&["--repair", "-i", "f"]);
        wait_until("it has begun", || scene.temporaries().len() == 1);
        run.signal(signal);
        let said = format!("oxiconv: {word}: f is unchanged\n");
        run.end().assert(128 + signal.as_raw(), &said);
        assert!(scene.read("f") == damaged.as_bytes());
        scene.assert_safe();
    }
}

#[test]
fn a_signal_says_what_is_whole_of_any_output() {
    let (scene, _) = stuck();
    fs::write(scene.path("out"), "old\n").unwrap();
    for (args, said) in [
        (&["fifo"][..], "standard output is incomplete"),
        (&["-o", "out", "fifo"], "out is unchanged"),
        (&["-f", "latin1", "-o", "new", "f00", "fifo"], "new is not written"),
        (&["-o", "/dev/null", "fifo"], "/dev/null is incomplete"),
        (&["--check", "-j", "1", "-f", "latin1", "f00", "fifo"], "1 of 2 files checked"),
        (&["--check", "-j1", "--write-baseline", "new", "f00", "fifo"], "new is not written"),
    ] {
        let mut run = scene.start(args);
        wait_until("the program waits", || is_waiting(&mut run));
        run.signal(Signal::TERM);
        let ended = run.end();
        assert_eq!((ended.status(), ended.err()), (143, format!("oxiconv: terminated: {said}\n")));
        assert_eq!((scene.read("out"), scene.path("new").exists()), (b"old\n".to_vec(), false));
        scene.assert_safe();
    }
}

/// The signal handler has a buffer of 1024 bytes for its message. The path is longer.
#[test]
fn a_name_that_is_too_long_for_what_a_signal_says_is_cut() {
    let (scene, _) = stuck();
    let name = [&*"d".repeat(200); 6].join("/");
    fs::create_dir_all(scene.path(&name).parent().unwrap()).unwrap();
    let mut run = scene.start(&["-o", &name, "fifo"]);
    wait_until("the program waits", || is_waiting(&mut run));
    run.signal(Signal::TERM);
    let said = format!("oxiconv: terminated: {name} is not written\n");
    run.end().assert(143, &format!("{}\n", &said[..1023]));
    scene.assert_safe();
}

#[test]
fn a_signal_that_was_ignored_at_the_start_stays_ignored() {
    let (scene, _) = stuck();
    let ignore = "trap '' INT TERM HUP;";
    let mut run = Running::new(scene.limited(ignore, &["-f", "latin1", "-o", "out", "fifo"]));
    wait_until("the output is begun", || scene.temporaries().len() == 1);
    for (signal, _) in ENDING {
        run.signal(signal);
    }
    fs::write(scene.path("fifo"), LATIN1).unwrap();
    run.end().assert(0, "");
    assert_eq!(scene.read("out"), UTF8);
}

/// Returns the number of runs to interrupt: `OXICONV_TEST_INTERRUPTS`, or 10, or 25 in a thorough run.
fn interrupts() -> u32 {
    std::env::var("OXICONV_TEST_INTERRUPTS")
        .ok()
        .and_then(|n| n.parse().ok())
        .unwrap_or(if sample::is_thorough() { 25 } else { 10 })
}

#[test]
fn runs_interrupted_at_any_time_leave_nothing_behind_and_nothing_half() {
    let count = interrupts();
    let original = text(8 << 20);
    let names = ["a", "b", "c"];
    let args = ["-f", "latin1", "-i.bak", "a", "b", "c"];
    let scene = || {
        let mut scene = Scene::new();
        names.iter().for_each(|name| drop(scene.write(name, &original)));
        scene
    };
    let whole = scene();
    let began = Instant::now();
    whole.run(&args).assert(0, "oxiconv: 3 written\n");
    let time = began.elapsed();
    let mut interrupted = 0;
    for number in 0..count {
        let scene = scene();
        let mut run = scene.start(&args);
        // The delays are spread over the duration of an uninterrupted run, in scattered order.
        std::thread::sleep(time * (number * 7919 % count) / count);
        run.signal(Signal::INT);
        let ended = run.end();
        scene.assert_safe();
        let done = scene.converted();
        match ended.status() {
            0 => assert_eq!(done, 3),
            130 => {
                interrupted += 1;
                let said = match done {
                    0 => "0 of 3 files converted, all unchanged".to_owned(),
                    3 => "all 3 files converted".to_owned(),
                    _ => format!("{done} of 3 files converted, the others unchanged"),
                };
                // Before the signal handlers are installed, the program ends without a message.
                let silent = ended.err().is_empty() && done == 0;
                assert!(
                    silent || ended.err() == format!("oxiconv: interrupted: {said}\n"),
                    "{}",
                    ended.err()
                );
            }
            other => panic!("{other}: {}", ended.err()),
        }
        let backups = names.iter().filter(|name| scene.path(&format!("{name}.bak")).exists());
        assert_eq!(backups.count(), done);
    }
    assert!(interrupted > count / 4, "only {interrupted} of {count} runs were interrupted");
}

#[test]
fn a_killed_run_leaves_every_original_whole_and_the_next_one_tidies_up() {
    let mut left = 0;
    for number in 0..8 {
        let mut scene = Scene::new();
        let names: Vec<_> = (0..4).map(|number| format!("f{number}")).collect();
        names.iter().for_each(|name| drop(scene.write(name, &text(2 << 20))));
        let mut args = vec!["-f", "latin1", "-i"];
        args.extend(names.iter().map(String::as_str));
        let mut run = scene.start(&args);
        if number % 2 == 0 {
            wait_until("something is begun", || {
                !scene.temporaries().is_empty() || run.child().try_wait().unwrap().is_some()
            });
        } else {
            std::thread::sleep(Duration::from_millis(5 * number));
        }
        run.signal(Signal::KILL);
        run.end();
        let temporaries = scene.temporaries();
        left += temporaries.len();
        scene.write("new", LATIN1);
        let ended = scene.run(&["-f", "latin1", "-o", "new", "new"]);
        assert_eq!(ended.err().matches("removed a temporary file").count(), temporaries.len());
        assert!(temporaries.iter().all(|name| ended.err().contains(&name[..])), "{}", ended.err());
        scene.assert_safe();
    }
    assert!(left > 0, "no run was killed in the middle");
}

#[test]
fn a_closed_pipe_ends_it_quietly() {
    let mut scene = Scene::new();
    scene.write("f", &text(4 << 20));
    let script = "\"$0\" -f latin1 f | head -c 10 >x; echo ${PIPESTATUS[0]}";
    let program = assert_cmd::cargo::cargo_bin!("oxiconv");
    let mut command = Command::new("bash");
    let ended =
        command.args(["-c", script]).arg(program).current_dir(scene.dir()).output().unwrap();
    assert_eq!(ended.stdout, b"141\n");
    assert!(ended.stderr.is_empty());
    // The same with a FIFO whose reader closes it.
    let fifo = scene.mkfifo("fifo");
    let run = scene.start(&["-f", "latin1", "-o", "fifo", "f"]);
    let mut start = [0; 10];
    File::open(fifo).unwrap().read_exact(&mut start).unwrap();
    assert_eq!(run.status(), (141, String::new()));
    scene.assert_safe();
}

#[test]
#[ignore = "the next test runs it in a process of its own"]
fn panic_over_a_file() {
    let target = std::env::var(TARGET).unwrap();
    oxiconv_transcode::io::end_cleanly();
    let mut file = oxiconv_transcode::io::FileReplacement::new(Path::new(&target)).unwrap();
    file.write_all(b"half").unwrap();
    panic!("a panic in the middle of {target}");
}

#[test]
fn a_panic_leaves_nothing_behind() {
    let mut scene = Scene::new();
    let target = scene.write("f", LATIN1);
    let mut command = Command::new(std::env::current_exe().unwrap());
    command.args(["interrupts::panic_over_a_file", "--exact", "--ignored", "--nocapture"]);
    let ended = Ended(command.env(TARGET, &target).output().unwrap());
    assert!(ended.err().contains("a panic in the middle of"), "{}", ended.err());
    assert_eq!(ended.status(), 128 + 6);
    scene.assert_safe();
}

/// The environment variable that passes the file to [`panic_over_a_file`].
const TARGET: &str = "OXICONV_TEST_TARGET";
