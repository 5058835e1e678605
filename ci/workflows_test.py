"""What ci/workflows demands of the workflows, forms and manifests beyond their schemas. It needs ruamel.yaml.

    ci/workflows_test.py forge               the workflows, the forms, dependabot, and where cargo-binstall looks
    ci/workflows_test.py manifests FOLDER    what packaging/generate-manifests made of a release
"""

import json
import pathlib
import re
import subprocess
import sys
import tomllib

from ruamel.yaml import YAML

ROOT = pathlib.Path(__file__).resolve().parent.parent
FORGE = ROOT / ".github"
CARGO = tomllib.loads((ROOT / "Cargo.toml").read_text())
INHERITED = CARGO["workspace"]["package"]
VERSION = INHERITED["version"]
REPOSITORY = INHERITED["repository"]
OWNER = REPOSITORY.split("/")[-2]
# The jobs that may write, and what.
WRITERS = {
    ("release.yml", "attest"): {"id-token": "write", "attestations": "write"},
    ("release.yml", "release"): {"contents": "write"},
    ("release.yml", "pypi"): {"contents": "read", "id-token": "write"},
}

faults = []


def demand(condition, fault):
    if not condition:
        faults.append(fault)


def load(path):
    return YAML(typ="safe").load(path)


def steps_of(workflow):
    for name, job in workflow["jobs"].items():
        for step in job["steps"]:
            yield name, step


def check_pins(path):
    """Each action is a commit, with the version that Dependabot keeps beside it."""
    pinned = re.compile(r"[\w.-]+/[\w./-]+@[0-9a-f]{40} # v\d+\.\d+\.\d+")
    for number, line in enumerate(path.read_text().splitlines(), 1):
        used = re.match(r"\s*(?:- )?uses: *(.*)", line)
        if used and not used[1].startswith("./"):
            demand(pinned.fullmatch(used[1]), f"{path.name}:{number}: {used[1]} is not a commit with its version")


def check_commands(path, command):
    """The scripts of the repository that a step runs exist."""
    for script in re.findall(r"(?<![\w./-])(?:\.?ci|packaging)/[\w-]+", command):
        file = ROOT / script
        demand(file.is_file() and file.stat().st_mode & 0o100, f"{path.name}: there is no program {script}")


def check_expressions(path, command):
    """GitHub pastes an expression into the script, and what others choose, such as a branch's name, would run there."""
    pasted = [text for text in re.findall(r"\$\{\{(.*?)\}\}", command, re.DOTALL)
              if not re.fullmatch(r"\s*matrix\.\w+\s*", text)]
    demand(not pasted, f"{path.name}: a script has expressions in it, which belong into env: {pasted}")


def check_workflows():
    for path in sorted((FORGE / "workflows").iterdir()):
        check_pins(path)
        workflow = load(path)
        demand(workflow.get("permissions") == {"contents": "read"}, f"{path.name}: permissions are not contents: read")
        for name, job in workflow["jobs"].items():
            permissions = WRITERS.get((path.name, name))
            demand(job.get("permissions") == permissions, f"{path.name}: {name}: permissions are not {permissions}")
        for name, step in steps_of(workflow):
            check_commands(path, step.get("run", ""))
            check_expressions(path, step.get("run", ""))
            if step.get("uses", "").startswith("actions/checkout@"):
                kept = step.get("with", {}).get("persist-credentials")
                demand(kept is False, f"{path.name}: {name}: the checkout keeps its credentials")
    check_pins(ROOT / "action.yml")
    for step in load(ROOT / "action.yml")["runs"]["steps"]:
        check_expressions(ROOT / "action.yml", step.get("run", ""))
    runs = [step.get("run") for _, step in steps_of(load(FORGE / "workflows/ci.yml"))]
    for command in readme_commands():
        demand(command in runs, f"ci.yml does not run the README's command: {command}")
    pypi = load(FORGE / "workflows/release.yml")["jobs"]["pypi"]
    demand(pypi.get("if") == "vars.PYPI == 'true'", "release.yml: pypi: publishes although nobody has asked for it")


def readme_commands():
    """The README's first two commands: what to run, and the tests."""
    found = re.findall(r"^    (cargo .*)$", (ROOT / "README.md").read_text(), re.MULTILINE)[:2]
    demand(len(found) == 2 and found[1] == "cargo test", f"the README's first commands are {found}")
    return found


def check_forms():
    folder = FORGE / "ISSUE_TEMPLATE"
    required = {
        "1-wrong-result.yml": ["version", "command", "bytes", "actual", "expected", "source"],
        "2-bug.yml": ["version", "system", "command", "actual", "expected"],
        "3-feature.yml": ["task", "today"],
    }
    forms = {path.name: load(path) for path in folder.iterdir() if path.name != "config.yml"}
    demand(sorted(forms) == sorted(required), f"the forms are {sorted(forms)}")
    for name, ids in required.items():
        asked = {part.get("id"): part for part in forms[name]["body"]}
        for part in ids:
            demand(asked.get(part, {}).get("validations", {}).get("required"), f"{name} does not require {part}")
    asked = {part["id"]: part["attributes"]["description"] for part in forms["1-wrong-result.yml"]["body"]}
    demand("`oxiconv --version`" in asked["version"], "1-wrong-result.yml does not say how to print the version")
    demand("`od -An -tx1" in asked["bytes"], "1-wrong-result.yml does not say how to print bytes")
    demand(load(folder / "config.yml")["blank_issues_enabled"] is False, "config.yml allows issues without a form")


def check_owner():
    """Whoever takes over the repository changes Cargo.toml alone. Documents and tests show an example."""
    command = ["git", "grep", "-lF", REPOSITORY.removeprefix("https://"), "--", ":!docs", ":!tests", ":!*.md"]
    listed = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout.split()
    demand(listed == ["Cargo.toml"], f"these files name the repository: {listed}")


def check_dependabot():
    updates = load(FORGE / "dependabot.yml")["updates"]
    covered = {(entry["package-ecosystem"], folder) for entry in updates for folder in folders(entry)}
    listed = subprocess.run(["git", "ls-files", "*Cargo.lock"], cwd=ROOT, capture_output=True, text=True, check=True)
    locks = {path for path in listed.stdout.split() if not (ROOT / path).is_symlink()}
    wanted = {("cargo", ("/" + lock).removesuffix("/Cargo.lock") or "/") for lock in locks}
    wanted |= {("github-actions", "/"), ("pip", "/.github")}
    demand(covered == wanted, f"dependabot.yml differs from what there is by {sorted(covered ^ wanted)}")
    for entry in updates:
        demand(entry["schedule"]["interval"] == "weekly" and entry.get("groups"),
               f"dependabot.yml: {entry['package-ecosystem']} is not weekly and grouped")


def folders(entry):
    return entry.get("directories") or [entry["directory"]]


def check_binstall():
    """cargo-binstall asks for the names that packaging/tarball writes."""
    demand(INHERITED["homepage"] == REPOSITORY, "homepage is not repository")
    described = CARGO["package"]["metadata"]["binstall"]
    matrix = load(FORGE / "workflows/release.yml")["jobs"]["packages"]["strategy"]["matrix"]["include"]
    built = [entry["target"] for entry in matrix]
    script = (ROOT / "packaging/tarball").read_text()
    demand(re.search(r'name=oxiconv-\$version-\$target$', script, re.MULTILINE), "packaging/tarball gives other names")
    demand('$name.tar.gz"' in script, "packaging/tarball gives another suffix")
    for target in [*built, "x86_64-unknown-linux-musl", "aarch64-unknown-linux-musl", "x86_64-pc-windows-msvc"]:
        settings = {**described, **described["overrides"].get(target, {})}
        windows = "windows" in target
        suffix = {"tgz": ".tar.gz", "zip": ".zip"}[settings["pkg-fmt"]]
        values = {"name": "oxiconv", "bin": "oxiconv", "version": VERSION, "repo": REPOSITORY, "target": target,
                  "archive-suffix": suffix, "binary-ext": ".exe" if windows else ""}
        url, program = (re.sub(r"\{ ([\w-]+) \}", lambda name: values[name[1]], settings[key])
                        for key in ("pkg-url", "bin-dir"))
        name = f"oxiconv-{VERSION}-{target.replace('-musl', '-gnu')}"
        suffix = ".zip" if windows else ".tar.gz"
        demand(url == f"{REPOSITORY}/releases/download/v{VERSION}/{name}{suffix}", f"binstall: {target}: {url}")
        demand(program == f"{name}/bin/oxiconv{'.exe' if windows else ''}", f"binstall: {target}: {program}")
    demand(any(target.endswith("linux-gnu") for target in built), "release.yml builds nothing for Linux")


def check_winget(folder):
    needed = {
        f"{OWNER}.oxiconv.yaml": ["DefaultLocale"],
        f"{OWNER}.oxiconv.locale.en-US.yaml": [
            "PackageLocale", "Publisher", "PackageName", "License", "ShortDescription",
        ],
        f"{OWNER}.oxiconv.installer.yaml": [
            "InstallerType", "NestedInstallerType", "NestedInstallerFiles", "Installers",
        ],
    }
    kinds = ["version", "defaultLocale", "installer"]
    demand({path.name for path in folder.iterdir()} == set(needed), "winget has other files")
    for (name, keys), kind in zip(needed.items(), kinds):
        found = load(folder / name)
        common = {"PackageIdentifier": f"{OWNER}.oxiconv", "PackageVersion": VERSION, "ManifestType": kind,
                  "ManifestVersion": "1.10.0"}
        for key, value in common.items():
            demand(found.get(key) == value, f"winget: {name}: {key} is {found.get(key)}")
        for key in keys:
            demand(found.get(key), f"winget: {name} lacks {key}")
        first = (folder / name).read_text().splitlines()[0]
        demand(first.endswith(f"winget-manifest.{kind}.1.10.0.schema.json"), f"winget: {name} names another schema")
    installers = load(folder / f"{OWNER}.oxiconv.installer.yaml")["Installers"]
    for installer in installers:
        demand(installer.get("Architecture") in ("x64", "arm64"), f"winget: {installer}")
        demand(installer.get("InstallerUrl", "").startswith(f"{REPOSITORY}/releases/download/v{VERSION}/oxiconv-"),
               f"winget: {installer}")
        demand(re.fullmatch("[0-9a-f]{64}", str(installer.get("InstallerSha256"))), f"winget: {installer}")


def check_scoop(path):
    found = json.loads(path.read_text())
    for key in ("version", "homepage", "license", "description", "bin", "architecture", "checkver", "autoupdate"):
        demand(found.get(key), f"scoop: no {key}")
    demand(found["version"] == VERSION, f"scoop: the version is {found['version']}")
    for name, one in found["architecture"].items():
        demand(name in ("64bit", "arm64"), f"scoop: {name} is no architecture")
        demand(re.fullmatch("[0-9a-f]{64}", one.get("hash", "")), f"scoop: {name}: the hash is {one.get('hash')}")
        # With the next version's numbers in place of its own, an update finds what the release will have.
        later = found["autoupdate"]["architecture"][name]
        for key in ("url", "extract_dir"):
            demand(later[key].replace("$version", VERSION) == one[key], f"scoop: {name}: autoupdate has another {key}")


def main(kind, *folder):
    if kind == "forge":
        check_workflows()
        check_forms()
        check_owner()
        check_dependabot()
        check_binstall()
        done = "the workflows and forms, dependabot and cargo-binstall: as demanded"
    else:
        made = pathlib.Path(*folder)
        check_winget(made / "winget")
        check_scoop(made / "scoop/oxiconv.json")
        done = "winget, scoop: they have what is required"
    for fault in faults:
        print(f"ci/workflows: {fault}", file=sys.stderr)
    if faults:
        sys.exit(1)
    print(done)


if __name__ == "__main__":
    main(*sys.argv[1:])
