"""Tests packaging/build_backend.py with releases in a folder, and on a server of this machine."""

import contextlib
import fnmatch
import hashlib
import http.server
import io
import os
import pathlib
import platform
import re
import sys
import sysconfig
import tempfile
import threading
import types
import unittest
from unittest import mock

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "packaging"))
sys.dont_write_bytecode = True
import build_backend as backend

WHEEL = b"PK: the wheel of a release"
SHA256 = hashlib.sha256(WHEEL).hexdigest()


class Server(http.server.BaseHTTPRequestHandler):
    """Serves the files of a folder. `cut` sends half of each wheel, `broken` answers with status 500."""

    folder = fault = None

    def do_GET(self):
        path = self.folder / self.path.lstrip("/")
        if self.fault == "broken" or not path.is_file():
            self.send_error(500 if self.fault == "broken" else 404)
            return
        content = path.read_bytes()
        self.send_response(200)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        cut = self.fault == "cut" and path.suffix == ".whl"
        self.wfile.write(content[: len(content) // 2] if cut else content)

    def log_message(self, *_):
        pass


class Releases(unittest.TestCase):
    def setUp(self):
        self.scratch = pathlib.Path(self.enterContext(tempfile.TemporaryDirectory()))
        self.output = self.scratch / "output"
        self.output.mkdir()
        version = backend.in_manifest("version")
        self.release = self.scratch / f"v{version}"
        self.release.mkdir()
        self.enterContext(mock.patch.dict(os.environ, OXICONV_RELEASES=self.scratch.as_uri()))
        self.enterContext(mock.patch.object(backend, "this_target", lambda: "x86_64-unknown-linux-gnu"))
        self.enterContext(mock.patch("shutil.which", lambda name: f"/usr/bin/{name}"))
        self.said = self.enterContext(contextlib.redirect_stderr(io.StringIO()))
        self.name = f"oxiconv-{version}-py3-none-manylinux2014_x86_64.manylinux_2_17_x86_64.musllinux_1_1_x86_64.whl"

    def publish(self, wheel=WHEEL, checksum=SHA256):
        """Publishes what pip must not take by mistake, too: the wheel of another processor, and of another version."""
        for name in (self.name.replace("x86_64", "aarch64"), self.name.replace("-py3", ".1-py3")):
            (self.release / name).write_bytes(b"another")
            (self.release / (name + ".sha256")).write_text(hashlib.sha256(b"another").hexdigest())
        if wheel is not None:
            (self.release / self.name).write_bytes(wheel)
        if checksum is not None:
            (self.release / (self.name + ".sha256")).write_text(f"{checksum}  {self.name}\n")

    def serve(self, fault=None):
        handler = type("Handler", (Server,), {"folder": self.scratch, "fault": fault})
        server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), handler)
        self.addCleanup(server.server_close)
        self.addCleanup(server.shutdown)
        threading.Thread(target=server.serve_forever, args=(0.01,), daemon=True).start()
        os.environ["OXICONV_RELEASES"] = f"http://127.0.0.1:{server.server_port}/"

    def maturin(self):
        """Stands for maturin. Notes what it is called with, and where cargo would build."""
        calls = []

        def build_wheel(*words):
            calls.append((words, os.environ["CARGO_TARGET_DIR"]))
            return "compiled.whl"

        self.enterContext(mock.patch.dict(sys.modules, maturin=types.SimpleNamespace(build_wheel=build_wheel)))
        return calls

    def assert_taken(self):
        self.assertEqual(backend.get_requires_for_build_wheel(), [])
        self.assertEqual(backend.build_wheel(str(self.output)), self.name)
        self.assertEqual((self.output / self.name).read_bytes(), WHEEL)
        self.assertEqual(self.said.getvalue(), "")

    def assert_compiled(self, reason):
        self.assertEqual(backend.get_requires_for_build_wheel(), [backend.MATURIN])
        self.assertRegex(self.said.getvalue(), rf"^oxiconv: it is compiled, since .*{reason}.*\n$")
        with mock.patch.dict(os.environ):
            os.environ.pop("CARGO_TARGET_DIR", None)
            calls = self.maturin()
            self.assertEqual(backend.build_wheel(str(self.output), {"a": "b"}, "metadata"), "compiled.whl")
        [(words, build)] = calls
        self.assertEqual(words, (str(self.output), {"a": "b"}, "metadata"))
        self.assertFalse(os.path.exists(build), "the files of the build are left")

    def assert_refused(self, reason):
        """Neither is anything installed nor is maturin called."""
        calls = self.maturin()
        with self.assertRaisesRegex(SystemExit, f"^oxiconv: .*{reason}"):
            backend.build_wheel(str(self.output))
        self.assertEqual((list(self.output.iterdir()), calls), ([], []))

    def test_the_wheel_of_the_release_is_taken(self):
        self.publish()
        self.assert_taken()

    def test_it_is_taken_from_a_server(self):
        self.publish()
        self.serve()
        self.assert_taken()

    def test_a_wrong_checksum_is_refused(self):
        self.publish(checksum="0" * 64)
        self.assert_refused("does not have the SHA-256")

    def test_a_missing_checksum_is_refused(self):
        self.publish(checksum=None)
        self.assert_refused("has no checksum beside it")
        with self.assertRaises(SystemExit):
            backend.get_requires_for_build_wheel()
        self.serve()
        self.assert_refused("has no checksum beside it")

    def test_what_is_no_checksum_is_refused(self):
        for text in ("<html>Sign in to this network</html>", "", SHA256[:63], SHA256 + "0"):
            self.publish(checksum=text)
            self.assert_refused("does not begin with a checksum")

    def test_a_truncated_download_is_refused(self):
        self.publish()
        self.serve("cut")
        self.assert_refused("cannot be had")
        self.publish(wheel=WHEEL[:-1])
        self.serve()
        self.assert_refused("does not have the SHA-256")

    def test_a_wheel_that_is_missing_beside_its_checksum_is_refused(self):
        self.publish(wheel=None)
        self.assert_refused("cannot be had")

    def test_without_a_release_it_is_compiled(self):
        self.assert_compiled("does not exist")
        self.said.truncate(self.said.seek(0))
        self.release.rmdir()
        self.assert_compiled("does not exist")

    def test_without_a_release_on_a_server_it_is_compiled(self):
        self.serve()
        self.assert_compiled("does not exist")

    def test_a_release_for_other_systems_only_does_not_count(self):
        self.publish(wheel=None, checksum=None)
        self.assert_compiled("does not exist")

    def test_where_no_server_answers_it_is_compiled(self):
        self.serve("broken")
        self.assert_compiled("cannot be had: HTTP Error 500")
        self.said.truncate(self.said.seek(0))
        # Nothing listens at this port.
        os.environ["OXICONV_RELEASES"] = "http://127.0.0.1:9"
        self.assert_compiled("cannot be had: ")

    def test_if_asked_for_it_is_compiled(self):
        self.publish()
        os.environ["OXICONV_RELEASES"] = ""
        self.assert_compiled("OXICONV_RELEASES is empty")

    def test_a_place_that_is_no_url_is_refused(self):
        self.publish()
        for place in (str(self.scratch), "releases", " ", "C:\\releases", "s3://mirror", "http://a b", "http://[::1",
                      "http://127.0.0.1/ü"):
            os.environ["OXICONV_RELEASES"] = place
            self.assert_refused("OXICONV_RELEASES and the proxies must be URLs")
            with self.assertRaises(SystemExit):
                backend.get_requires_for_build_wheel()

    def test_a_place_may_have_any_characters_and_a_slash_at_its_end(self):
        self.publish()
        mirror = self.scratch / "a mirror, ü"
        mirror.mkdir()
        self.release.rename(mirror / self.release.name)
        self.release = mirror / self.release.name
        for place in (mirror.as_uri(), mirror.as_uri() + "/", f"file://{mirror}"):
            os.environ["OXICONV_RELEASES"] = place
            self.assert_taken()

    def test_without_a_compiler_it_is_not_tried(self):
        with mock.patch("shutil.which", lambda name: None):
            with self.assertRaisesRegex(SystemExit, "there is no Rust"):
                backend.get_requires_for_build_wheel()

    def test_a_release_that_is_out_of_reach_meanwhile_says_so(self):
        self.publish()
        self.assertEqual(backend.get_requires_for_build_wheel(), [])
        os.environ["OXICONV_RELEASES"] = "http://127.0.0.1:9"
        with mock.patch.dict(sys.modules, maturin=None), self.assertRaisesRegex(SystemExit, "try again"):
            backend.build_wheel(str(self.output))

    def test_the_place_of_the_releases_is_that_of_the_repository(self):
        asked = []

        def open_url(url):
            asked.append(url)
            raise OSError("no network")

        del os.environ["OXICONV_RELEASES"]
        stated = {"version": backend.in_manifest("version"), "repository": "https://forge.example/somebody/oxiconv"}
        with mock.patch.object(backend, "open_url", open_url), mock.patch.object(backend, "in_manifest", stated.get):
            backend.get_requires_for_build_wheel()
            place = "https://forge.example/somebody/oxiconv/releases/download"
            self.assertEqual(asked, [f"{place}/{self.release.name}/{self.name}.sha256"])
            # Whoever has the name of the placeholder is not asked.
            stated["repository"] = "https://forge.example/OWNER/oxiconv"
            self.said.truncate(self.said.seek(0))
            self.assert_compiled("Cargo.toml does not name the owner")
            self.assertEqual(len(asked), 1)
        stated["repository"] = backend.in_manifest("repository")
        self.assertRegex(stated["repository"], "^https://[^/]+/[^/]+/oxiconv$")


class Systems(unittest.TestCase):
    def target(self, name, machine="", bits=64):
        with mock.patch.object(sysconfig, "get_platform", lambda: name), \
                mock.patch.object(platform, "machine", lambda: machine), \
                mock.patch.object(sys, "maxsize", 2 ** (bits - 1) - 1):
            return backend.this_target()

    def test_each_system_has_its_wheel(self):
        self.assertEqual(self.target("linux-x86_64"), "x86_64-unknown-linux-gnu")
        self.assertEqual(self.target("linux-aarch64"), "aarch64-unknown-linux-gnu")
        # A Python for several processors, and one that is emulated.
        self.assertEqual(self.target("macosx-10.9-universal2", "arm64"), "aarch64-apple-darwin")
        self.assertEqual(self.target("macosx-10.9-universal2", "x86_64"), "x86_64-apple-darwin")
        self.assertEqual(self.target("macosx-14.0-arm64", "arm64"), "aarch64-apple-darwin")
        self.assertEqual(self.target("win-amd64"), "x86_64-pc-windows-msvc")

    def test_others_have_none(self):
        self.assertIsNone(self.target("linux-x86_64", bits=32))
        for name in ("linux-s390x", "linux-armv7l", "win32", "freebsd-14.1-release-amd64"):
            self.assertIsNone(self.target(name), name)

    def test_the_documented_names_are_of_one_wheel_alone(self):
        """Whoever has fetched all files of a release gets the one for Linux."""
        wheels = [backend.wheel_name(target) for target in backend.TAGS]
        for page, least in (("README.md", 1), ("docs/packages.md", 3)):
            text = (backend.ROOT / page).read_text(encoding="utf-8")
            text = text.replace("$(uname -m)", "x86_64").replace("VERSION", backend.in_manifest("version"))
            names = re.findall(r"oxiconv-[^ /`]*\*[^ /`]*\.whl", text)
            self.assertGreaterEqual(len(names), least, page)
            for name in names:
                self.assertEqual(fnmatch.filter(wheels, name), [backend.wheel_name("x86_64-unknown-linux-gnu")], name)

    def test_each_target_has_tags(self):
        self.assertEqual(set(backend.TARGETS.values()), set(backend.TAGS))


if __name__ == "__main__":
    unittest.main()
