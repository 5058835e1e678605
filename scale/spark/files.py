#!/usr/bin/env python3
"""Converts many small files on the executors of Spark to a table: path, text, findings.

    spark-submit scale/spark/files.py DIRECTORY TABLE -f gb18030 -e report
    spark-submit scale/spark/files.py --glob '*.txt' hdfs:///texts hdfs:///table -f cp1252 -e report

DIRECTORY and TABLE (Parquet) are whatever Spark reads and writes. `path` is relative to DIRECTORY. `findings` are events
of oxiconv's json format, one string each. Starting a program for each file would take longer than the conversion, so
each start converts a batch of files, in a directory in memory.
"""

import argparse
import itertools
import json
import os
import pathlib
import subprocess
import tempfile
import urllib.parse

from pyspark.sql import SparkSession

BATCH_FILES = 5000
BATCH_BYTES = 64 << 20


def batches(files):
    """Divides pairs of path and bytes into lists of limited size, one after the other."""
    batch, size = [], 0
    for path, content in files:
        batch.append((path, content))
        size += len(content)
        if len(batch) == BATCH_FILES or size >= BATCH_BYTES:
            yield batch
            batch, size = [], 0
    if batch:
        yield batch


def convert(batch, options, oxiconv):
    """Converts pairs of path and bytes; returns triples of path, text and findings."""
    memory = "/dev/shm" if os.access("/dev/shm", os.W_OK) else None
    with tempfile.TemporaryDirectory(dir=memory, prefix="oxiconv-") as folder:
        source, target = pathlib.Path(folder, "in"), pathlib.Path(folder, "out")
        for path, content in batch:
            file = source / path
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(content)
        # Run in the directory, so that the findings have the relative paths.
        names = b"".join(os.fsencode(path) + b"\0" for path, _ in batch)
        command = [oxiconv, "-q", "-j", "1", "--format", "json", "--no-config", "--no-sync", "-O", str(target)]
        run = subprocess.run(
            [*command, "--files0-from", "-", *options], cwd=source, input=names, stderr=subprocess.PIPE
        )
        if run.returncode not in (0, 1):  # 1: there are findings.
            raise RuntimeError(f"status {run.returncode}: {run.stderr[-1000:].decode(errors='replace')}")
        findings = {}
        for line in run.stderr.decode().split("\n")[:-1]:
            event = json.loads(line)
            if event["type"] == "finding":
                findings.setdefault(event["path"].get("text"), []).append(line)
        for path, _ in batch:
            file = target / path
            text = file.read_bytes().decode() if file.exists() else None
            yield path, text, findings.get(path, [])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--glob", default="*", help="which files of each directory; default: all")
    parser.add_argument("--partitions", type=int, default=None, help="the least number of tasks")
    parser.add_argument("--oxiconv", default="oxiconv", help="the program on the executors")
    parser.add_argument("directory")
    parser.add_argument("table")
    parser.add_argument("options", nargs=argparse.REMAINDER, help="of oxiconv")
    args = parser.parse_args()

    # Spark adds 4 MiB to each file when it chooses the size of a task, but fills the tasks by the real sizes: with that,
    # 1,000 small files would be one task.
    spark = SparkSession.builder.config("spark.files.openCostInBytes", 0).getOrCreate()
    spark.sparkContext._jsc.hadoopConfiguration().set("mapreduce.input.fileinputformat.input.dir.recursive", "true")
    root = urllib.parse.urlsplit(args.directory).path.rstrip("/") + "/"

    def rows(files):
        # binaryFiles names a file by its URL; the part after DIRECTORY is the relative path.
        relative = ((url.split(root, 1)[1], content) for url, content in files)
        return itertools.chain.from_iterable(convert(batch, args.options, args.oxiconv) for batch in batches(relative))

    files = spark.sparkContext.binaryFiles(os.path.join(args.directory, args.glob), args.partitions)
    table = spark.createDataFrame(files.mapPartitions(rows), "path string, text string, findings array<string>")
    # Spark moves the files of a task to their place when the task is complete: a repeated task adds no row twice.
    table.write.mode("overwrite").parquet(args.table)


if __name__ == "__main__":
    main()
