#!/usr/bin/env python3
"""Reads a CSV file in any encoding, with line breaks inside quotes, into a table.

    spark-submit scale/spark/csv_table.py --shards 64 big.csv FOLDER TABLE -f GB2312 -e report

Spark 4 reads CSV in ISO-8859-1, US-ASCII and the UTFs only, and refuses any other `encoding`. So
the file is converted to UTF-8 by shards, joined, and read as UTF-8.

FOLDER is shared by all executors and gets the shards, FOLDER/utf8.csv and FOLDER/utf8.csv.json (the findings). A shard
may end inside quotes, so the parts must be joined before they are read.
"""

import argparse
import os
import pathlib
import subprocess
import sys

from pyspark.sql import SparkSession

SCALE = pathlib.Path(__file__).resolve().parent.parent
sys.path.append(str(SCALE))
import oxiconv_shards  # noqa: E402


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--shards", type=int, required=True)
    parser.add_argument("--oxiconv", default="oxiconv", help="the program on the executors")
    parser.add_argument("url")
    parser.add_argument("folder")
    parser.add_argument("table")
    parser.add_argument("options", nargs=argparse.REMAINDER, help="of oxiconv")
    args = parser.parse_args()

    spark = SparkSession.builder.getOrCreate()
    context = spark.sparkContext
    context.addPyFile(str(SCALE / "oxiconv_shards.py"))
    size = oxiconv_shards.size_of(args.url)
    context.parallelize(range(1, args.shards + 1), args.shards).foreach(
        lambda index: oxiconv_shards.convert(
            args.url, size, index, args.shards, args.folder, args.options, args.oxiconv
        )
    )
    text = os.path.join(os.path.abspath(args.folder), "utf8.csv")
    environment = {**os.environ, "OXICONV": args.oxiconv}
    joined = subprocess.run([str(SCALE / "join"), str(args.shards), args.folder, text], env=environment)
    if joined.returncode not in (0, 1):  # 1: there are findings.
        sys.exit(joined.returncode)
    table = spark.read.csv(f"file://{text}", header=True, multiLine=True, quote='"', escape='"')
    table.write.mode("overwrite").parquet(args.table)


if __name__ == "__main__":
    main()
