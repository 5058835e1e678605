//! A headless Chromium, driven through chromedriver (W3C WebDriver over HTTP).

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tempfile::TempDir;

/// The JSON key of an element reference (WebDriver, 12.1).
const ELEMENT: &str = "element-6066-11e4-a52e-4f735466cecf";

/// Code points of keys (WebDriver, 17.4.2).
pub const TAB: &str = "\u{E004}";
pub const ENTER: &str = "\u{E007}";

/// Long, because the machine may be busy with other tests.
const LOADING: Duration = Duration::from_secs(60);

/// A browser with one window.
pub struct Browser {
    driver: Child,
    port: u16,
    session: String,
    _profile: TempDir,
}

impl Browser {
    /// Starts a browser. The error says which program is not installed.
    pub fn start() -> Result<Self, String> {
        let browser = ["chromium", "chromium-browser", "google-chrome"]
            .into_iter()
            .find(|name| is_installed(name))
            .ok_or("chromium is not installed")?;
        if !is_installed("chromedriver") {
            return Err("chromedriver is not installed".to_owned());
        }
        let mut driver = Command::new("chromedriver")
            .arg("--port=0")
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .unwrap();
        let lines = BufReader::new(driver.stdout.take().unwrap()).lines().map(Result::unwrap);
        let started = lines.into_iter().find_map(|line| {
            let port = line.strip_suffix('.')?.rsplit_once("started successfully on port ")?.1;
            port.parse().ok()
        });
        let profile = tempfile::tempdir().unwrap();
        let mut it = Self {
            driver,
            port: started.expect("chromedriver prints its port"),
            session: String::new(),
            _profile: profile,
        };
        let options = [
            "--headless",
            "--no-sandbox",
            "--disable-gpu",
            "--disable-quic",
            "--disable-dev-shm-usage",
            "--no-first-run",
            "--disable-background-networking",
            "--disable-component-update",
            "--disable-sync",
            &format!("--user-data-dir={}", it._profile.path().display()),
        ];
        let path = find(browser).unwrap();
        let capabilities = json!({ "alwaysMatch": {
            "goog:chromeOptions": { "binary": path, "args": options },
            "goog:loggingPrefs": { "browser": "ALL" },
        }});
        let session = it.post("/session", &json!({ "capabilities": capabilities }));
        it.session = session["sessionId"].as_str().unwrap().to_owned();
        Ok(it)
    }

    fn request(&self, method: &str, path: &str, body: &str) -> Value {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).unwrap();
        let length = body.len();
        write!(
            stream,
            "{method} {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\
             Content-Type: application/json\r\nContent-Length: {length}\r\n\r\n{body}"
        )
        .unwrap();
        let mut reader = BufReader::new(stream);
        let mut length = 0;
        loop {
            let mut line = String::new();
            reader.read_line(&mut line).unwrap();
            match line.trim_end().split_once(':') {
                Some((name, value)) if name.eq_ignore_ascii_case("content-length") => {
                    length = value.trim().parse().unwrap();
                }
                None if line.trim_end().is_empty() => break,
                _ => {}
            }
        }
        let mut body = vec![0; length];
        reader.read_exact(&mut body).unwrap();
        let answer: Value = serde_json::from_slice(&body).unwrap();
        let value = answer["value"].clone();
        assert!(value.get("error").is_none(), "{path}: {value:#}");
        value
    }

    fn post(&self, path: &str, body: &Value) -> Value {
        self.request("POST", path, &body.to_string())
    }

    fn command(&self, name: &str, body: &Value) -> Value {
        self.post(&format!("/session/{}/{name}", self.session), body)
    }

    /// Loads a file with a fragment, `#...` or nothing, in its URL.
    pub fn open(&self, file: &Path, fragment: &str) {
        // If only the fragment changes, a browser does not reload the page, so a blank page is opened in between.
        self.command("url", &json!({ "url": "about:blank" }));
        let url = format!("file://{}{fragment}", file.display());
        self.command("url", &json!({ "url": url }));
        // The driver may answer before a long page is loaded. The protocol is checked as well, because the blank page
        // is also `complete`.
        let start = Instant::now();
        while self.run("return location.protocol + document.readyState") != "file:complete" {
            assert!(start.elapsed() < LOADING, "{url} is not loaded after {LOADING:?}");
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Runs a script as the body of a function in the page, and returns its result.
    pub fn run(&self, script: &str) -> Value {
        self.command("execute/sync", &json!({ "script": script, "args": [] }))
    }

    /// Waits up to five seconds for a script to return `expected`.
    pub fn wait_for(&self, script: &str, expected: &Value) {
        let mut result = self.run(script);
        for _ in 0..50 {
            if result == *expected {
                break;
            }
            std::thread::sleep(Duration::from_millis(100));
            result = self.run(script);
        }
        assert_eq!(result, *expected);
    }

    /// Returns the reference of the first element that a selector matches.
    fn element(&self, selector: &str) -> String {
        let value = self.command("element", &json!({ "using": "css selector", "value": selector }));
        value[ELEMENT].as_str().unwrap().to_owned()
    }

    pub fn click(&self, selector: &str) {
        self.command(&format!("element/{}/click", self.element(selector)), &json!({}));
    }

    pub fn type_into(&self, selector: &str, text: &str) {
        self.command(
            &format!("element/{}/value", self.element(selector)),
            &json!({ "text": text }),
        );
    }

    /// Presses and releases a key in the element that has the focus.
    pub fn press(&self, key: &str) {
        let actions = ["keyDown", "keyUp"].map(|kind| json!({ "type": kind, "value": key }));
        let source = json!({ "type": "key", "id": "keyboard", "actions": actions });
        self.command("actions", &json!({ "actions": [source] }));
    }

    /// Sends a command of the Chrome DevTools Protocol.
    pub fn cdp(&self, name: &str, params: &Value) -> Value {
        self.command("goog/cdp/execute", &json!({ "cmd": name, "params": params }))
    }

    /// Returns the messages logged since the last call, such as violations of the page's Content-Security-Policy.
    pub fn log(&self) -> Vec<String> {
        let entries = self.command("se/log", &json!({ "type": "browser" }));
        let entries = entries.as_array().unwrap().iter();
        entries.map(|entry| entry["message"].as_str().unwrap().to_owned()).collect()
    }

    /// Emulates a window of this width, in CSS pixels. `None` ends the emulation.
    pub fn resize(&self, width: Option<u32>) {
        match width {
            Some(width) => self.cdp(
                "Emulation.setDeviceMetricsOverride",
                &json!({ "width": width, "height": 800, "deviceScaleFactor": 1, "mobile": false }),
            ),
            None => self.cdp("Emulation.clearDeviceMetricsOverride", &json!({})),
        };
    }

    /// Emulates `prefers-color-scheme`.
    pub fn prefer(&self, scheme: &str) {
        let feature = json!({ "name": "prefers-color-scheme", "value": scheme });
        self.cdp("Emulation.setEmulatedMedia", &json!({ "features": [feature] }));
    }

    /// Returns the role and name of each node of the accessibility tree that is not ignored.
    pub fn accessibility(&self) -> Vec<(String, String)> {
        self.cdp("Accessibility.enable", &json!({}));
        let tree = self.cdp("Accessibility.getFullAXTree", &json!({}));
        // While enabled, it slows down everything else.
        self.cdp("Accessibility.disable", &json!({}));
        let nodes = tree["nodes"].as_array().unwrap().iter();
        let text =
            |node: &Value, key: &str| node[key]["value"].as_str().unwrap_or_default().to_owned();
        nodes
            .filter(|node| node["ignored"] != true)
            .map(|node| (text(node, "role"), text(node, "name")))
            .collect()
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        if !self.session.is_empty() && !std::thread::panicking() {
            self.request("DELETE", &format!("/session/{}", self.session), "");
        }
        let _ = self.driver.kill();
        let _ = self.driver.wait();
    }
}

fn find(program: &str) -> Option<std::path::PathBuf> {
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).map(|dir| dir.join(program)).find(|file| file.is_file())
}

pub fn is_installed(program: &str) -> bool {
    find(program).is_some()
}
