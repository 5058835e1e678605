//! The html format in a real browser: the page's security policy, what the reader sees, and what the filter does.

use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde_json::{Value, json};

use crate::browser::{Browser, ENTER, TAB};
use crate::common::Dir;
use crate::scene::skipped;

/// The browser, shared by all tests and started by the first one.
static BROWSER: Mutex<Option<Browser>> = Mutex::new(None);

/// Text and names that the browser would take for markup, styles, scripts or URLs if they were not escaped.
const HOSTILE: [&str; 8] = [
    "<script>window.injected=1</script>",
    "</style><script>window.injected=1</script>",
    "\"onmouseover=\"window.injected=1",
    "'autofocus onfocus='window.injected=1",
    "<img src=x onerror=window.injected=1>",
    "&lt;b&gt;&#60;",
    "--><svg onload=window.injected=1>",
    "javascript:window.injected=1",
];

fn locked() -> MutexGuard<'static, Option<Browser>> {
    BROWSER.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Closes the browser when the tests end, since statics are never dropped.
extern "C" fn close() {
    drop(locked().take());
}

/// Runs a test in the browser, or reports that it is skipped.
fn in_browser(test: impl FnOnce(&Browser)) {
    let mut browser = locked();
    if browser.is_none() {
        match Browser::start() {
            Ok(started) => {
                *browser = Some(started);
                // SAFETY: `close` does not panic, and the harness ends the process from its main thread.
                unsafe { libc::atexit(close) };
            }
            Err(why) => return skipped(&why),
        }
    }
    let browser = browser.as_ref().unwrap();
    browser.resize(None);
    browser.prefer("light");
    test(browser);
    assert_eq!(browser.log(), [""; 0]);
}

/// Runs `--check --format html` in a directory and returns the page.
fn check(dir: &Dir, args: &[&str]) -> String {
    let output = crate::common::oxiconv()
        .current_dir(dir.0.path())
        .args(["--check", "--format", "html"])
        .args(args)
        .output()
        .unwrap();
    assert!(output.status.code().unwrap() < 3);
    String::from_utf8(output.stdout).unwrap()
}

/// Writes the page of a check to a file in the directory and returns its path.
fn page(dir: &Dir, args: &[&str]) -> PathBuf {
    let page = check(dir, args);
    let out = dir.path("out");
    fs::create_dir_all(&out).unwrap();
    let file = out.join("page.html");
    fs::write(&file, page).unwrap();
    file
}

/// Makes a few files with findings of several kinds.
fn some_files() -> Dir {
    let dir = Dir::new();
    dir.write("src/cut.txt", b"caf\xC3 and \xE2\x82A, na\xC3\xAFve\n");
    dir.write("src/stray.txt", "é € ".as_bytes());
    dir.write("src/stray.txt", &["é € ".as_bytes(), b"\x93quoted\x94 \xFF\n"].concat());
    dir.write("docs/nul.txt", b"a\0b\n");
    dir.write("docs/clean.txt", b"clean\n");
    dir.write("docs/binary", b"\0\x01\x02");
    dir
}

const SOME: [&str; 6] =
    ["--deny", "nul", "src/cut.txt", "src/stray.txt", "docs/nul.txt", "missing"];

/// Returns the text between two strings.
fn between<'a>(text: &'a str, start: &str, end: &str) -> &'a str {
    text.split_once(start).unwrap().1.split_once(end).unwrap().0
}

fn sha256(text: &str) -> String {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("text");
    fs::write(&file, text).unwrap();
    let output = Command::new("sha256sum").arg(&file).output().unwrap();
    let digits = String::from_utf8(output.stdout).unwrap();
    let bytes: Vec<_> = (0..32)
        .map(|index| u8::from_str_radix(&digits[2 * index..2 * index + 2], 16).unwrap())
        .collect();
    BASE64_STANDARD.encode(bytes)
}

#[test]
fn the_policy_allows_only_the_style_and_the_script_of_the_page() {
    let page = check(&some_files(), &SOME);
    let policy = between(&page, "Content-Security-Policy\" content=\"", "\"");
    let style = sha256(between(&page, "<style>", "</style>"));
    let script = sha256(between(&page, "<script>", "</script>"));
    assert_eq!(
        policy,
        format!(
            "default-src 'none'; style-src 'sha256-{style}'; script-src 'sha256-{script}'; \
             base-uri 'none'; form-action 'none'"
        )
    );
    // The policy precedes everything that it restricts, and nothing is loaded from a network.
    assert!(page.find("Content-Security-Policy") < page.find("<style>"));
    assert_eq!((page.matches("<style").count(), page.matches("<script").count()), (1, 1));
    for asked in
        ["http:", "https:", "src=", "url(", "@import", "<link", "style=\"", "innerHTML", "eval("]
    {
        assert!(!page.contains(asked), "{asked}");
    }
    assert!(page.split("href=\"").skip(1).all(|rest| rest.starts_with('#')));
}

#[test]
fn hostile_names_and_text_are_shown_and_do_nothing() {
    let dir = Dir::new();
    let mut names: Vec<Vec<u8>> = Vec::new();
    for (index, hostile) in HOSTILE.iter().enumerate() {
        // A file name cannot contain a slash.
        let name = format!("{index}{}", hostile.replace('/', "\u{2215}"));
        names.push(name.into_bytes());
    }
    names.push("gpj\u{202E}txt".into());
    names.push(b"caf\xE9 \x1B[31m\n\x07".to_vec());
    for (index, name) in names.iter().enumerate() {
        let text = HOSTILE[index % HOSTILE.len()].as_bytes();
        let text =
            [text, b"\xFF", text, "\u{202E}\u{200B}\0 \n</script>\n".as_bytes(), b"\x80"].concat();
        fs::write(dir.0.path().join(OsStr::from_bytes(name)), text).unwrap();
    }
    let file = page(
        &dir,
        &["--deny", "nul,bidi", "-r", "--exclude", "out", "--max-reports", "0", "-t", "ascii", "."],
    );
    // The files contain NUL, so a recursive run skips them as binary. Files named on the command line are checked.
    let all: Vec<_> = names.iter().map(|name| OsStr::from_bytes(name)).collect();
    let output = crate::common::oxiconv()
        .current_dir(dir.0.path())
        .args(["--check", "--format", "html", "--deny", "nul,bidi", "--"])
        .args(&all)
        .output()
        .unwrap();
    fs::write(&file, &output.stdout).unwrap();
    let text = String::from_utf8(output.stdout).unwrap();
    let hides = |c: char| c.is_control() && c != '\n' || matches!(c, '\u{202E}' | '\u{200B}');
    assert!(!text.contains(hides));
    in_browser(|browser| {
        browser.open(&file, "");
        let found = browser.run(
            "return {
                injected: typeof window.injected,
                scripts: document.scripts.length,
                styles: document.styleSheets.length,
                strangers: document.querySelectorAll('img, iframe, object, embed, link, svg:not([aria-hidden]), b > *').length,
                handlers: [...document.querySelectorAll('*')]
                    .filter((element) => [...element.attributes].some((it) => it.name.startsWith('on') || it.name === 'style'))
                    .length,
                names: [...document.querySelectorAll('h3')].map((head) => head.textContent),
            }",
        );
        let shown: Vec<_> = names
            .iter()
            .map(|name| match std::str::from_utf8(name) {
                Ok(text) => text.replace('\u{202E}', "\\u{202e}"),
                Err(_) => "caf\\xE9 \\u{1b}[31m\\u{a}\\u{7}".to_owned(),
            })
            .collect();
        let expected = json!({
            "injected": "undefined", "scripts": 1, "styles": 1, "strangers": 0, "handlers": 0, "names": shown,
        });
        assert_eq!(found, expected);
        let line = browser.run("return document.querySelector('.line').textContent");
        assert!(
            line.as_str().unwrap().starts_with("<script>window.injected=1</script><FF><script>"),
            "{line}"
        );
    });
}

/// A script that returns the file and kind of each visible picture, in order.
const SHOWN: &str = "return [...document.querySelectorAll('.finding')]
    .filter((it) => it.checkVisibility())
    .map((it) => it.closest('.file').dataset.path + ' ' + it.dataset.kind)";

fn shown(browser: &Browser) -> Value {
    browser.run(SHOWN)
}

/// All pictures of [`some_files`], in the form of [`SHOWN`].
const ALL: [&str; 6] = [
    "src/cut.txt truncated",
    "src/cut.txt truncated",
    "src/stray.txt unexpected-continuation",
    "src/stray.txt unexpected-continuation",
    "src/stray.txt invalid-byte",
    "docs/nul.txt nul",
];

fn all() -> Value {
    json!(ALL)
}

#[test]
fn the_filter_shows_a_kind_and_a_part_of_the_paths() {
    in_browser(|browser| {
        let dir = some_files();
        let file = page(&dir, &SOME);
        browser.open(&file, "");
        assert_eq!(shown(browser), all());
        browser.type_into("input[name=path]", "STRAY");
        assert_eq!(shown(browser), json!(ALL[2..5]));
        let messages = "return [...document.querySelectorAll('.message')].filter((it) => it.checkVisibility()).length";
        assert_eq!(browser.run(messages), 0);
        browser.type_into("select[name=kind]", "invalid-byte");
        assert_eq!(shown(browser), json!(ALL[4..5]));
        let state = "return [location.hash, document.querySelector('output').textContent]";
        assert_eq!(browser.run(state), json!(["#kind=invalid-byte&path=STRAY", "1 of 6 pictures"]));
        browser.click("button[type=reset]");
        assert_eq!(shown(browser), all());
        assert_eq!(browser.run(state), json!(["", "6 of 6 pictures"]));
        assert_eq!(browser.run(messages), 1);
    });
}

#[test]
fn a_view_can_be_linked() {
    in_browser(|browser| {
        let dir = some_files();
        let file = page(&dir, &SOME);
        browser.open(&file, "#kind=truncated&path=cut");
        assert_eq!(shown(browser), json!(ALL[..2]));
        let form =
            "return [...document.querySelector('form').elements].slice(0, 2).map((it) => it.value)";
        assert_eq!(browser.run(form), json!(["truncated", "cut"]));
        // An unknown kind does not filter.
        browser.open(&file, "#kind=none");
        assert_eq!(shown(browser), all());
        // The links in the tables filter by kind and jump to a file, even if the filter hides that file.
        browser.click("a[href='#kind=nul']");
        browser.wait_for(SHOWN, &json!(["docs/nul.txt nul"]));
        browser.click("tbody a[href^='#file-']");
        browser.wait_for(SHOWN, &all());
        let head = "const head = document.querySelector(location.hash + ' h3');
            const { top } = head.getBoundingClientRect();
            return [head.textContent, top >= 0 && top < innerHeight]";
        browser.wait_for(head, &json!(["src/stray.txt", true]));
    });
}

#[test]
fn the_keyboard_is_enough() {
    in_browser(|browser| {
        let dir = some_files();
        let file = page(&dir, &SOME);
        browser.open(&file, "");
        let focus =
            "const { activeElement: it } = document; return it.id || it.name || it.textContent";
        browser.press(TAB);
        assert_eq!(browser.run(focus), "Skip to the findings");
        browser.press(ENTER);
        assert_eq!(browser.run(focus), "findings");
        assert_eq!(shown(browser), all());

        browser.open(&file, "");
        let mut order = Vec::new();
        for _ in 0..11 {
            browser.press(TAB);
            order.push(browser.run(focus).as_str().unwrap().to_owned());
        }
        assert_eq!(
            order,
            [
                "Skip to the findings",
                "truncated",
                "unexpected-continuation",
                "invalid-byte",
                "nul",
                "src/stray.txt",
                "src/cut.txt",
                "docs/nul.txt",
                "kind",
                "path",
                "Show all",
            ]
        );
        // A letter selects from the list, Enter in the form submits nothing, and Enter on the button resets the filter.
        browser.run("document.querySelector('select').focus()");
        browser.press("n");
        assert_eq!(shown(browser), json!(["docs/nul.txt nul"]));
        browser.press(TAB);
        browser.press(ENTER);
        assert_eq!(shown(browser), json!(["docs/nul.txt nul"]));
        browser.press(TAB);
        browser.press(ENTER);
        assert_eq!(shown(browser), all());
    });
}

#[test]
fn the_page_is_readable_on_400_pixels() {
    in_browser(|browser| {
        let dir = some_files();
        let long = "word".repeat(300);
        dir.write("long/a.txt", &[long.as_bytes(), b"\xFF", long.as_bytes()].concat());
        let name = format!("deep/{}", "name".repeat(50));
        dir.write(&name, b"\xFF");
        let file = page(&dir, &[&SOME[..], &["long/a.txt", &name]].concat());
        browser.open(&file, "");
        for width in [320, 400, 1280] {
            browser.resize(Some(width));
            let wide = browser.run(
                "return [document.documentElement.scrollWidth, [...document.querySelectorAll('pre')]
                    .filter((it) => it.scrollWidth > it.clientWidth).length]",
            );
            let [page, boxes] = [0, 1].map(|index| wide[index].as_u64().unwrap());
            assert!(page <= u64::from(width), "{page} of {width}");
            // From 400 pixels on, the hex dump needs no scrolling either: its rows have 8 bytes.
            assert!(boxes == 0 || width < 400, "{boxes} boxes at {width}");
        }
    });
}

/// All text meets success criterion 1.4.3 (level AA) of the W3C's Web Content Accessibility Guidelines 2.2.
#[test]
fn light_and_dark_have_enough_contrast() {
    in_browser(|browser| {
        let dir = some_files();
        let file = page(&dir, &SOME);
        for (scheme, is_dark) in [("light", false), ("dark", true)] {
            browser.prefer(scheme);
            browser.open(&file, "");
            let found = browser.run(
                "const parts = (colour) => colour.match(/[\\d.]+/g).map(Number);
                const luminance = (colour) => {
                    const [r, g, b] = parts(colour).slice(0, 3)
                        .map((part) => part / 255)
                        .map((part) => part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4);
                    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
                };
                const behind = (element) => {
                    for (let it = element; it; it = it.parentElement) {
                        const { backgroundColor } = getComputedStyle(it);
                        if (parts(backgroundColor)[3] !== 0) return backgroundColor;
                    }
                };
                const low = new Set();
                let least = 21;
                const classes = new Set();
                for (const element of document.querySelectorAll('body *')) {
                    if (![...element.childNodes].some((node) => node.nodeType === 3 && node.data.trim())) continue;
                    const pair = [getComputedStyle(element).color, behind(element)].map(luminance);
                    const ratio = (Math.max(...pair) + 0.05) / (Math.min(...pair) + 0.05);
                    least = Math.min(least, ratio);
                    classes.add(element.tagName + element.className);
                    if (ratio < 4.5) low.add(element.tagName + '.' + element.className + ' ' + ratio);
                }
                return [[...low], classes.size, luminance(getComputedStyle(document.body).backgroundColor)]",
            );
            assert_eq!(found[0], json!([]), "{scheme}");
            assert!(found[1].as_u64().unwrap() > 20, "{found}");
            assert_eq!(found[2].as_f64().unwrap() < 0.1, is_dark, "{scheme}");
        }
    });
}

/// For screen readers, every control has a name, there are landmarks, and heading levels have no gaps.
#[test]
fn everything_has_a_name_and_a_place() {
    in_browser(|browser| {
        let dir = some_files();
        let file = page(&dir, &SOME);
        browser.open(&file, "");
        let nodes = browser.accessibility();
        let named = |role: &str| -> Vec<&str> {
            nodes.iter().filter(|(it, _)| it == role).map(|(_, name)| &**name).collect()
        };
        for role in [
            "link",
            "button",
            "searchbox",
            "combobox",
            "table",
            "search",
            "region",
            "columnheader",
            "rowheader",
        ] {
            let names = named(role);
            assert!(
                !names.is_empty() && names.iter().all(|name| !name.is_empty()),
                "{role}: {names:?}"
            );
        }
        assert_eq!(named("searchbox"), ["Path contains"]);
        assert_eq!(named("combobox"), ["Kind"]);
        assert_eq!(named("search"), ["Filter the findings"]);
        assert_eq!(named("table"), ["Findings by kind", "Findings by file"]);
        assert_eq!(named("region"), ["6 findings", "Findings"]);
        assert_eq!((named("main").len(), named("banner").len()), (1, 1));
        let articles = named("article");
        assert_eq!((articles.len(), articles[0]), (6, "truncated, line 1, column 4"));
        // Bars are hidden from screen readers, because each has its number next to it.
        assert_eq!(named("image").len() + named("img").len(), 0);
        let headings = browser.run(
            "return [...document.querySelectorAll('h1, h2, h3, h4')].map((it) => it.tagName.slice(1)).join('')",
        );
        assert_eq!(headings, "12".to_owned() + "23443444" + "34");
        assert_eq!(browser.run("return document.documentElement.lang"), "en");
    });
}

#[test]
fn without_a_script_everything_is_there_but_the_filter() {
    in_browser(|browser| {
        let dir = some_files();
        let file = page(&dir, &SOME);
        browser.cdp("Emulation.setScriptExecutionDisabled", &json!({ "value": true }));
        browser.open(&file, "#kind=nul");
        let nodes = browser.accessibility();
        browser.cdp("Emulation.setScriptExecutionDisabled", &json!({ "value": false }));
        let names = |role: &str| -> Vec<&str> {
            nodes.iter().filter(|(it, _)| it == role).map(|(_, name)| &**name).collect()
        };
        assert_eq!(names("article").len(), 6);
        assert_eq!(names("table").len(), 2);
        assert_eq!(names("searchbox"), [""; 0]);
    });
}

/// Makes a tree of files with 10,000 pictures. Neighbouring findings have different bytes, so that none are folded into
/// one picture.
fn ten_thousand() -> Dir {
    let dir = Dir::new();
    for file in 0..20_u16 {
        let mut text = Vec::new();
        for index in 0..500_u16 {
            let pair = file * 500 % 2000 + index;
            let stray = [0x80 + (pair >> 6) as u8, 0x80 + (pair & 63) as u8];
            text.extend([format!("line {index}: é € ").as_bytes(), &stray, b"A\n"].concat());
        }
        dir.write(&format!("files/f{file:02}.txt"), &text);
    }
    dir
}

#[test]
fn ten_thousand_findings_do_not_stall_the_page() {
    in_browser(|browser| {
        let dir = ten_thousand();
        let file = page(&dir, &["-r", "files"]);
        let start = Instant::now();
        browser.open(&file, "");
        let loaded = start.elapsed();
        let count = browser.run("return document.querySelectorAll('.finding').length");
        assert_eq!(count, 10_000);
        // Reading the layout forces the browser to apply the change, so the time includes that.
        let filter = |script: &str| {
            let script = format!(
                "const start = performance.now(); {script};
                document.body.getBoundingClientRect();
                return performance.now() - start"
            );
            Duration::from_secs_f64(browser.run(&script).as_f64().unwrap() / 1000.0)
        };
        let set = "const form = document.querySelector('form');
            form.elements.path.value = 'f07'; form.dispatchEvent(new Event('input'))";
        let narrow = filter(set);
        assert_eq!(
            browser.run("return document.querySelector('output').textContent"),
            "500 of 10000 pictures"
        );
        let wide = filter("const form = document.querySelector('form'); form.reset()");
        assert_eq!(
            browser.run("return document.querySelector('output').textContent"),
            "10000 of 10000 pictures"
        );
        let size = fs::metadata(&file).unwrap().len();
        println!(
            "10,000 pictures: {size} bytes, loaded in {loaded:?}, filtered in {narrow:?} and {wide:?}"
        );
        // The limits are generous, for a busy machine.
        assert!(loaded < Duration::from_secs(20), "{loaded:?}");
        assert!(narrow.max(wide) < Duration::from_secs(3), "{narrow:?} {wide:?}");
    });
}

#[test]
fn the_page_shows_what_explain_shows() {
    in_browser(|browser| {
        let dir = Dir::new();
        dir.write("notes.txt", b"na\xC3\xAFve caf\xE9 au lait\n");
        let file = page(&dir, &["notes.txt"]);
        browser.open(&file, "");
        let row = |label: &str| {
            let script = format!(
                "const label = [...document.querySelectorAll('dt')].find((it) => it.textContent === '{label}');
                return label.nextElementSibling.textContent"
            );
            browser.run(&script).as_str().unwrap().to_owned()
        };
        assert_eq!(row("text"), "naïve caf<E9> au lait");
        assert_eq!(
            row("bytes"),
            "0000  6e 61 c3 af 76 65 20 63 |na..ve c|\n\
             0008  61 66 e9 20 61 75 20 6c |af. au l|\n\
             0010  61 69 74 0a             |ait.    |"
        );
        assert_eq!(row("replace"), "naïve caf\u{FFFD} au lait");
        let explained = crate::common::oxiconv()
            .current_dir(dir.0.path())
            .args(["--explain", "notes.txt"])
            .output()
            .unwrap();
        let explained = String::from_utf8(explained.stdout).unwrap();
        // A terminal wraps the same text at other places.
        let explained = explained.split_whitespace().collect::<Vec<_>>().join(" ");
        for label in ["what", "rule", "probably", "repair"] {
            let line = format!("{label} {}", row(label));
            assert!(explained.contains(&line), "{line}: {explained}");
        }
        let head = browser.run("return document.querySelector('h4').textContent");
        assert_eq!(head, "truncated (error), line 1, column 10: E9 at byte 10 (0xa)");
        let classes = browser.run(
            "return [...document.querySelectorAll('pre mark, pre span')].map((it) => it.className + it.textContent).join(' ')",
        );
        assert_eq!(classes, "hc3 af b20 h.. b  e9 b20 b20 . b  b  b0a b.");
    });
}

#[test]
fn a_file_begins_with_what_it_probably_is() {
    in_browser(|browser| {
        let dir = Dir::new();
        // UTF-8 and stray bytes share a line, because the suggestion for lines in different encodings is another one.
        let utf8 = "é € ü ".as_bytes();
        let stray = [utf8, b"\xE9 and \xE8 so\n", utf8].concat();
        dir.write("stray.txt", &stray);
        dir.write("utf16.txt", b"\xFF\xFEh\0i\0");
        let file = page(&dir, &["stray.txt", "utf16.txt"]);
        browser.open(&file, "");
        let first = browser.run(
            "return [...document.querySelectorAll('.file')].map((it) =>
                [it.children[1].className, it.querySelector('.statement .command').textContent])",
        );
        assert_eq!(
            first,
            json!([
                ["statement", "oxiconv --fallback windows-1252 -i.bak stray.txt"],
                ["statement", "oxiconv -f utf-16 -i.bak utf16.txt"],
            ])
        );
    });
}

#[test]
fn a_page_says_what_was_skipped_refused_or_not_read_and_how_much_was_left_out() {
    let dir = some_files();
    dir.write("many", &b"\xFFa\x80b\n".repeat(30));
    let text = check(&dir, &["--max-reports", "1", "-r", "src", "docs", "missing", "many"]);
    assert!(
        text.contains("<b>error</b> <bdi>missing</bdi>: missing: No such file or directory</p>"),
        "{text}"
    );
    assert!(text.contains("more not shown; --max-reports 0 shows all"), "{text}");
    assert!(text.contains("2 binary files skipped"), "{text}");
    // With -q there are no notes.
    let quiet = check(&dir, &["-q", "--max-reports", "1", "many"]);
    assert!(!quiet.contains("more not shown"));
    // A file without findings has no section. A run without findings has no tables.
    assert!(!text.contains("clean.txt"));
    let clean = check(&dir, &["docs/clean.txt"]);
    assert!(clean.contains("no findings") && !clean.contains("<table"), "{clean}");
    assert!(clean.trim_end().ends_with("</html>"));
}

#[test]
fn pages_are_the_same_for_any_number_of_threads() {
    let dir = ten_thousand();
    let one = check(&dir, &["-j", "1", "--max-reports", "20", "-r", "files"]);
    assert!(one == check(&dir, &["-j", "8", "--max-reports", "20", "-r", "files"]));
    let sections: Vec<_> =
        one.split("data-path=\"").skip(1).filter_map(|rest| rest.split('"').next()).collect();
    assert!(sections.is_sorted() && sections.len() >= 20, "{sections:?}");
}

#[test]
fn conversions_print_the_page_on_standard_error() {
    let dir = some_files();
    let output = crate::common::oxiconv()
        .current_dir(dir.0.path())
        .args(["--format", "html", "-e", "report", "src/cut.txt"])
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(String::from_utf8(output.stdout).unwrap(), "caf\u{FFFD} and \u{FFFD}A, naïve\n");
    let page = String::from_utf8(output.stderr).unwrap();
    assert!(page.starts_with("<!DOCTYPE html>\n") && page.ends_with("</html>\n"));
    assert_eq!(page.matches("<article").count(), 2);
    assert!(page.contains("<p>oxiconv ") && page.contains(", convert</p>"));
}

/// The program and a page of more than 25 MB together do not fit into the address space that `ulimit -v` allows.
#[test]
fn a_page_is_written_as_it_is_made_and_not_kept() {
    let dir = Dir::new();
    let mut text = Vec::new();
    for index in 0..16_000_u32 {
        let stray = [0x80 + (index >> 6) as u8 % 64, 0x80 + (index & 63) as u8];
        text.extend(["é €".as_bytes(), &stray, b"A\n"].concat());
    }
    dir.write("many", &text);
    let program = assert_cmd::cargo::cargo_bin!("oxiconv").display();
    let script = format!(
        "set -o pipefail; ulimit -v 50000; exec {program} --check --max-reports 0 -j 1 --format html many | wc -c"
    );
    let output = Command::new("bash")
        .args(["-c", &script])
        .current_dir(dir.0.path())
        .stderr(Stdio::inherit())
        .output()
        .unwrap();
    assert_eq!(output.status.code(), Some(1));
    let bytes: u64 = String::from_utf8(output.stdout).unwrap().trim().parse().unwrap();
    assert!(bytes > 25_000_000, "{bytes}");
}
