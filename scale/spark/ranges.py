#!/usr/bin/env python3
"""Converts one large file by shards on the executors of Spark.

    spark-submit scale/spark/ranges.py --shards 64 URL FOLDER -f gb18030 -e report && scale/join 64 FOLDER OUTPUT

URL is a path, or whatever fsspec opens on the executors (s3://, hdfs://, abfs://, with its driver installed). FOLDER is
shared by all executors. Options of oxiconv follow. Spark itself would read only lines, and only UTF-8; here each task
reads its range of bytes. A task may fail, be repeated, or run twice at once (spark.speculation): its result is written
under another name and renamed.
"""

import argparse
import pathlib
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
    parser.add_argument("options", nargs=argparse.REMAINDER, help="of oxiconv")
    args = parser.parse_args()

    context = SparkSession.builder.getOrCreate().sparkContext
    context.addPyFile(str(SCALE / "oxiconv_shards.py"))
    size = oxiconv_shards.size_of(args.url)
    # One partition for each shard: Spark repeats whole partitions.
    context.parallelize(range(1, args.shards + 1), args.shards).foreach(
        lambda index: oxiconv_shards.convert(
            args.url, size, index, args.shards, args.folder, args.options, args.oxiconv
        )
    )


if __name__ == "__main__":
    main()
