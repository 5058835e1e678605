"""What `pip install` of a clone calls (PEP 517): takes the wheel of the release, and compiles only where there is none.

So pre-commit and the action need neither a compiler nor minutes. The wheel is the one of this version for this system,
from the releases of the repository that Cargo.toml names. OXICONV_RELEASES names another place, which may be a file://
URL. If it is empty, the program is compiled.

A wheel whose SHA-256 is not the one that the release states, or for which it states none, is an error and never a
reason to compile: whoever damages a release must not choose what is installed instead.
"""

import hashlib
import http.client
import os
import pathlib
import platform
import re
import shutil
import sys
import sysconfig
import tempfile
import urllib.error
import urllib.request

ROOT = pathlib.Path(__file__).resolve().parent.parent
MATURIN = "maturin>=1.16,<2"
# What a release has, by Rust's name of the system. The program for Linux is static, so it runs with any C library.
TAGS = {
    "aarch64-apple-darwin": "macosx_11_0_arm64",
    "aarch64-unknown-linux-gnu": "manylinux2014_aarch64.manylinux_2_17_aarch64.musllinux_1_1_aarch64",
    "x86_64-apple-darwin": "macosx_10_12_x86_64",
    "x86_64-pc-windows-msvc": "win_amd64",
    "x86_64-unknown-linux-gnu": "manylinux2014_x86_64.manylinux_2_17_x86_64.musllinux_1_1_x86_64",
}
# Python's names. On macOS, where its own may be that of several processors, the processor comes from the system.
TARGETS = {
    "linux-aarch64": "aarch64-unknown-linux-gnu",
    "linux-x86_64": "x86_64-unknown-linux-gnu",
    "macosx-arm64": "aarch64-apple-darwin",
    "macosx-x86_64": "x86_64-apple-darwin",
    "win-amd64": "x86_64-pc-windows-msvc",
}
# A server that does not answer must not hold up an installation.
SECONDS = 30


def say(text):
    print(f"oxiconv: {text}", file=sys.stderr, flush=True)


def fail(text):
    # pip shows this line alone, where an exception would have a traceback.
    raise SystemExit(f"oxiconv: {text}")


def in_manifest(key):
    """Returns what Cargo.toml says first of this key."""
    return re.search(rf'^{key} = "(.*)"$', (ROOT / "Cargo.toml").read_text(encoding="utf-8"), re.MULTILINE).group(1)


def this_target():
    """Returns Rust's name of this system, or None if no release has a wheel for it."""
    name = sysconfig.get_platform()
    if name.startswith("macosx-"):
        name = "macosx-" + platform.machine()
    # A Python of 32 bits takes no wheel of 64, and on Linux its name is that of the processor.
    return TARGETS.get(name) if sys.maxsize > 2**32 else None


def wheel_name(target):
    return f"oxiconv-{in_manifest('version')}-py3-none-{TAGS[target]}.whl"


def is_missing(error):
    """Whether a server, or for file:// URLs the system, says that there is no such file."""
    if isinstance(error, urllib.error.HTTPError):
        return error.code in (404, 410)
    return isinstance(getattr(error, "reason", None), FileNotFoundError)


def open_url(url):
    if not re.match(r"(?:https?|file)://", url):
        raise ValueError(f"{url} begins with neither https:// nor file://")
    return urllib.request.urlopen(url, timeout=SECONDS)


def checksum_of(url):
    """Returns what the file with the checksum of a wheel says. Where neither exists, the error is that of the wheel."""
    try:
        with open_url(url + ".sha256") as response:
            return response.read(1000).decode("ascii", "replace")
    except OSError as error:
        if not is_missing(error):
            raise
    open_url(url).close()
    fail(f"{url} has no checksum beside it (it is not installed)")


def find():
    """Returns the URL and the SHA-256 of the wheel for this system, or None, and says why, if it must be compiled."""
    target = this_target()
    releases = os.environ.get("OXICONV_RELEASES", f"{in_manifest('repository')}/releases/download")
    reason = None
    if not target:
        reason = "no release has this system"
    elif not releases:
        reason = "OXICONV_RELEASES is empty"
    elif "/OWNER/" in releases:
        # A stranger may have that name, and releases.
        reason = "Cargo.toml does not name the owner of the releases"
    if reason:
        say(f"it is compiled, since {reason}")
        return None
    url = f"{releases.rstrip('/')}/v{in_manifest('version')}/{wheel_name(target)}"
    try:
        stated = checksum_of(url)
    except (ValueError, http.client.InvalidURL) as error:
        # A slip in the name of a mirror must not cost minutes.
        fail(f"{error} (OXICONV_RELEASES and the proxies must be URLs, such as file:///srv/oxiconv)")
    except (OSError, http.client.HTTPException) as error:
        say(f"it is compiled, since {url} " + ("does not exist" if is_missing(error) else f"cannot be had: {error}"))
        return None
    found = re.match(r"[0-9a-f]{64}\b", stated)
    if not found:
        fail(f"{url}.sha256 does not begin with a checksum (the wheel is not installed)")
    return url, found.group()


def fetch(directory, url, checksum):
    """Fetches a wheel to a directory, and returns its name."""
    try:
        with open_url(url) as response:
            wheel = response.read()
    except (OSError, http.client.HTTPException) as error:
        fail(f"{url} cannot be had: {error} (try again)")
    if hashlib.sha256(wheel).hexdigest() != checksum:
        fail(f"{url} does not have the SHA-256 that is stated beside it (try again; if it stays so, tell its owner)")
    name = url.rpartition("/")[2]
    pathlib.Path(directory, name).write_bytes(wheel)
    return name


def get_requires_for_build_wheel(config_settings=None):
    if find():
        return []
    if not shutil.which("cargo"):
        fail("there is no Rust to compile it with (install it from https://rustup.rs)")
    return [MATURIN]


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    found = find()
    if found:
        return fetch(wheel_directory, *found)
    try:
        import maturin
    except ImportError:
        # pip has not installed it: it has found the release before, or has not asked what a build needs.
        fail("there is no maturin to compile it with (try again; with --no-build-isolation, install it first)")
    # As `cargo install`, it leaves nothing behind. A clone of pre-commit is kept, and the files of a build are hundreds
    # of megabytes.
    with tempfile.TemporaryDirectory() as build:
        os.environ.setdefault("CARGO_TARGET_DIR", build)
        return maturin.build_wheel(wheel_directory, config_settings, metadata_directory)


def get_requires_for_build_sdist(config_settings=None):
    return [MATURIN]


def build_sdist(sdist_directory, config_settings=None):
    import maturin

    return maturin.build_sdist(sdist_directory, config_settings)
