#!/usr/bin/env python3
"""Converts records of a fixed length (RECFM=FB) to a table on the executors of Spark: number, text, findings.

    spark-submit scale/spark/records.py --record-length 80 --tasks 64 URL TABLE -f IBM1047 -e report --trim-records

URL is a path, or whatever fsspec opens on the executors; TABLE (Parquet) whatever Spark writes. `number` counts the
records from 0. `findings` are events of oxiconv's json format, one string each; their lines and offsets are those of
the whole file. Each task reads whole records, so it needs no bytes of its neighbours.
"""

import argparse
import json
import os
import pathlib
import sys
import tempfile

from pyspark.sql import SparkSession

SCALE = pathlib.Path(__file__).resolve().parent.parent
sys.path.append(str(SCALE))
import oxiconv_shards  # noqa: E402


def convert(url, size, length, first, end, options, oxiconv):
    """Converts the records from `first` to before `end`; returns triples of number, text and findings."""
    with tempfile.TemporaryDirectory() as folder:
        text = os.path.join(folder, "text")
        command = [oxiconv, "-j", "1", "--format", "json", "-q", "--record-length", str(length), "-o", text]
        status, findings = oxiconv_shards.run(
            [*command, *options], url, first * length, min(size, end * length)
        )
        if status not in (0, 1):  # 1: there are findings.
            raise RuntimeError(f"records from {first}: status {status}: {findings[-1000:].decode(errors='replace')}")
        of_record = {}
        for line in findings.decode().split("\n")[:-1]:
            event = json.loads(line)
            if event["type"] == "finding":
                number = first + event["line"] - 1
                event["line"] += first
                event["offset"] += first * length
                of_record.setdefault(number, []).append(json.dumps(event, ensure_ascii=False, separators=(",", ":")))
        with open(text, encoding="utf-8", newline="\n") as lines:
            number = first
            for number, line in enumerate(lines, first + 1):
                yield number - 1, line.removesuffix("\n"), of_record.get(number - 1, [])
        # A line feed inside a record would shift all rows after it.
        if number != end:
            raise ValueError(f"{number - first} lines for {end - first} records: a record has a line feed (--deny it)")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--record-length", type=int, required=True, help="in bytes")
    parser.add_argument("--tasks", type=int, required=True)
    parser.add_argument("--oxiconv", default="oxiconv", help="the program on the executors")
    parser.add_argument("url")
    parser.add_argument("table")
    parser.add_argument("options", nargs=argparse.REMAINDER, help="of oxiconv")
    args = parser.parse_args()

    spark = SparkSession.builder.getOrCreate()
    spark.sparkContext.addPyFile(str(SCALE / "oxiconv_shards.py"))
    size = oxiconv_shards.size_of(args.url)
    records = -(-size // args.record_length)
    borders = [records * task // args.tasks for task in range(args.tasks + 1)]
    ranges = spark.sparkContext.parallelize(list(zip(borders, borders[1:])), args.tasks)
    rows = ranges.flatMap(
        lambda range_: convert(args.url, size, args.record_length, *range_, args.options, args.oxiconv)
    )
    table = spark.createDataFrame(rows, "number long, text string, findings array<string>")
    # Spark moves the files of a task to their place when the task is complete: a repeated task adds no row twice.
    table.write.mode("overwrite").parquet(args.table)


if __name__ == "__main__":
    main()
