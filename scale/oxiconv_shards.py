"""What a worker of Spark or Dask does: one shard of a file, from any store that fsspec opens.

The recipes send this file to their workers. It needs Python 3.9, fsspec, and the program oxiconv on each worker.
"""

import contextlib
import os
import subprocess
import tempfile
import uuid

import fsspec

# A shard may end up to this many bytes after its nominal border: its stream has to hold them too.
WINDOW = 65536
STEP = 1 << 20


def size_of(url):
    """Returns the size of a file in bytes."""
    store, path = fsspec.core.url_to_fs(url)
    return store.size(path)


def name_of(index, of):
    """Returns the name of a shard's directory, which has its `text` and its `findings.json`."""
    return f"{index:06d}-of-{of:06d}"


def run(command, url, start, end):
    """Passes the bytes from start to end of a file to a command; returns its exit status and its standard error."""
    with contextlib.ExitStack() as stack:
        errors = stack.enter_context(tempfile.TemporaryFile())
        file = stack.enter_context(fsspec.open(url, "rb"))
        process = subprocess.Popen(command, stdin=subprocess.PIPE, stderr=errors)
        try:
            file.seek(start)
            while start < end:
                bytes_ = file.read(min(STEP, end - start))
                if not bytes_:
                    raise EOFError(f"{url} has become shorter")
                start += len(bytes_)
                process.stdin.write(bytes_)
            process.stdin.close()
        except BrokenPipeError:
            pass  # The command has ended; its status and its message say why.
        except BaseException:
            process.kill()  # Or it would take the end of the stream for the end of the shard.
            raise
        finally:
            with contextlib.suppress(BrokenPipeError):
                process.stdin.close()
            process.wait()
        errors.seek(0)
        return process.returncode, errors.read()


def convert(url, size, index, of, folder, options, oxiconv="oxiconv"):
    """Converts shard `index` of `of` of a file into a folder that all workers share.

    Safe to repeat, and to run twice at the same time: oxiconv writes the text under another name and renames it when it
    is complete, and so does this function with the findings, which come last. Raises an error if the shard stopped.
    """
    folder = os.path.join(folder, name_of(index, of))
    complete = os.path.join(folder, "findings.json")
    if os.path.exists(complete):
        return
    os.makedirs(folder, exist_ok=True)
    # -q: no notes, such as that a file of a killed task was removed. They would differ from run to run.
    command = [oxiconv, "-q", "-j", "1", "--shard", f"{index}/{of}", "--size", str(size), "--format", "json"]
    start, end = size * (index - 1) // of, min(size, size * index // of + WINDOW)
    status, findings = run([*command, "-o", os.path.join(folder, "text"), *options], url, start, end)
    if status not in (0, 1):  # 1: there are findings.
        raise RuntimeError(f"shard {index}/{of}: status {status}: {findings[-1000:].decode(errors='replace')}")
    unfinished = os.path.join(folder, f".findings-{uuid.uuid4().hex}")
    with open(unfinished, "wb") as file:
        file.write(findings)
    os.replace(unfinished, complete)
