//! The public API of the library is a promise. `tests/api.txt` lists it, and this test compares the list with the
//! documentation that rustdoc builds. What counts is therefore what a user can name, wherever it is defined.
//!
//! Building the documentation takes as long as a hundred other tests. The test therefore runs only on request, with
//! `OXICONV_SAMPLE=all` or any sample larger than the usual one, as in `.ci/run`.
//!
//! After an intended change, run `OXICONV_WRITE_API=1 cargo test --test main api::` and describe the difference in
//! CHANGELOG.md.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use crate::sample;
use crate::support::skipped;

/// The features of the library, without those of the program.
const FEATURES: &str = "library";

/// Builds the library's documentation and returns its folder.
fn documentation() -> PathBuf {
    let target = Path::new(env!("CARGO_TARGET_TMPDIR")).join("api");
    // rustdoc would leave the pages of removed items in place.
    let _ = fs::remove_dir_all(target.join("doc"));
    let done = Command::new(env!("CARGO"))
        .current_dir(env!("CARGO_MANIFEST_DIR"))
        .args(["doc", "--quiet", "--locked", "--offline", "-p", "oxiconv", "--lib", "--no-deps"])
        .args(["--no-default-features", "--features", FEATURES])
        .arg("--target-dir")
        .arg(&target)
        .env_remove("RUSTDOCFLAGS")
        .status()
        .expect("cargo runs the tests");
    assert!(done.success(), "cargo doc failed");
    target.join("doc/oxiconv")
}

/// Collects the pages of all items in a folder and its subfolders, each with the path of the item.
fn pages(folder: &Path, module: &str, found: &mut Vec<(String, PathBuf)>) {
    let mut paths: Vec<_> = fs::read_dir(folder).unwrap().map(|it| it.unwrap().path()).collect();
    paths.sort();
    for path in paths {
        let name = path.file_name().unwrap().to_str().unwrap();
        if path.is_dir() {
            pages(&path, &format!("{module}::{name}"), found);
        } else if let Some((kind, rest)) = name.split_once('.')
            && let Some((item, "")) = rest.split_once(".html").filter(|_| kind != "index")
        {
            found.push((format!("{module}::{item}"), path.clone()));
        }
    }
}

/// Returns the text of a piece of HTML, on one line.
fn text(html: &str) -> String {
    let mut text = String::new();
    let mut rest = html;
    while let Some((before, tag)) = rest.split_once('<') {
        text.push_str(before);
        rest = tag.split_once('>').map_or("", |(_, after)| after);
    }
    text.push_str(rest);
    for (entity, character) in [
        ("&lt;", "<"),
        ("&gt;", ">"),
        ("&#39;", "'"),
        ("&quot;", "\""),
        ("&nbsp;", " "),
        ("&amp;", "&"),
    ] {
        text = text.replace(entity, character);
    }
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// Removes the summary that rustdoc shows in place of collapsed fields.
fn unfolded(html: &str) -> String {
    match html.split_once("<summary").map(|(before, rest)| (before, rest.split_once("</summary>")))
    {
        Some((before, Some((_, after)))) => format!("{before}{after}"),
        _ => html.to_owned(),
    }
}

/// Returns all pieces of `html` between `start` and the next `end`.
fn pieces<'a>(html: &'a str, start: &'a str, end: &'a str) -> impl Iterator<Item = &'a str> {
    html.split(start).skip(1).filter_map(move |piece| piece.split_once(end).map(|(piece, _)| piece))
}

/// Splits a page before the first section with one of these ids.
fn before<'a>(html: &'a str, ids: &[&str]) -> (&'a str, &'a str) {
    let starts = ids.iter().filter_map(|id| html.find(&format!("id=\"{id}\"")));
    html.split_at(starts.min().unwrap_or(html.len()))
}

/// Returns the declarations on a page: the item, its own members, the traits that it implements, the foreign types that
/// implement it, and a negative `Send` or `Sync` implementation.
fn declarations(page: &str) -> Vec<String> {
    const OTHERS: [&str; 3] = ["foreign-impls", "implementors", "trait-implementations"];
    let (own, _) = before(page, &["synthetic-implementations", "blanket-implementations"]);
    let (own, implementations) = before(own, &OTHERS);
    let items = pieces(own, "<pre class=\"rust item-decl\">", "</pre>");
    let items = items.map(|item| text(&unfolded(item)));
    let mut found: Vec<_> = items
        .map(|item| match item.split_once(" {") {
            // The body would repeat the methods, which are listed below.
            Some((head, _)) if head.starts_with("pub trait") => head.to_owned(),
            _ => item.replace("]pub", "] pub"),
        })
        .collect();
    let members = pieces(own, "<h4 class=\"code-header\">", "</h4>").map(text);
    found.extend(members.map(|member| format!("    {}", member.trim_end_matches(" ⓘ"))));
    let headers = |part| pieces(part, "<h3 class=\"code-header\">", "</h3>").map(text);
    // The compiler adds this trait to a derived one. It is not part of our API.
    let traits = headers(implementations).filter(|it| !it.contains("StructuralPartialEq"));
    let (_, auto) = before(page, &["synthetic-implementations"]);
    let auto = headers(auto).filter(|it| it.contains("!Send") || it.contains("!Sync"));
    let mut traits: Vec<_> = traits.chain(auto).collect();
    traits.sort();
    found.extend(traits.into_iter().map(|it| format!("    {it}")));
    found
}

#[test]
fn the_public_surface_is_the_one_that_is_promised() {
    if !sample::is_thorough() && env::var_os("OXICONV_WRITE_API").is_none() {
        return skipped("the documentation takes long; OXICONV_SAMPLE=all builds it");
    }
    let mut found = Vec::new();
    pages(&documentation(), "oxiconv", &mut found);
    found.sort();
    let mut surface = String::new();
    for (path, page) in found {
        let declarations = declarations(&fs::read_to_string(page).unwrap());
        // A page without declarations only redirects to the path where the item can be named.
        if !declarations.is_empty() {
            writeln!(surface, "{path}\n    {}", declarations.join("\n    ")).unwrap();
        }
    }
    let kept = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/api.txt");
    if env::var_os("OXICONV_WRITE_API").is_some() {
        fs::write(&kept, &surface).unwrap();
    }
    let promised = fs::read_to_string(&kept).unwrap();
    let only_in = |one: &str, other: &str| -> Vec<String> {
        let other: Vec<_> = other.lines().collect();
        one.lines().filter(|line| !other.contains(line)).map(str::to_owned).collect()
    };
    assert!(
        surface == promised,
        "the public API has changed; see the head of tests/api.rs\nnew: {:#?}\ngone: {:#?}",
        only_in(&surface, &promised),
        only_in(&promised, &surface)
    );
}
