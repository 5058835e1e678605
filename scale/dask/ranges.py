#!/usr/bin/env python3
"""Converts one large file by shards on the workers of Dask.

    scale/dask/ranges.py --shards 64 URL FOLDER -f gb18030 -e report && scale/join 64 FOLDER OUTPUT
    scale/dask/ranges.py --scheduler tcp://HOST:8786 --shards 1000 s3://bucket/big.txt /shared/work -f cp932 -e report

URL is a path, or whatever fsspec opens (s3://, hdfs://, abfs://, with its driver installed). FOLDER is shared by all
workers. Options of oxiconv follow. A shard whose worker is lost is run again on another one; after a stop, run the same
command again: shards that are complete are skipped.
"""

import argparse
import pathlib
import sys

import dask.distributed

SCALE = pathlib.Path(__file__).resolve().parent.parent
sys.path.append(str(SCALE))
import oxiconv_shards  # noqa: E402


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--scheduler", help="address of a cluster; default: a cluster of --workers on this machine")
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--shards", type=int, required=True)
    parser.add_argument("--oxiconv", default="oxiconv", help="the program on the workers")
    parser.add_argument("url")
    parser.add_argument("folder")
    parser.add_argument("options", nargs=argparse.REMAINDER, help="of oxiconv")
    args = parser.parse_args()

    if args.scheduler:
        client = dask.distributed.Client(args.scheduler)
    else:
        # One thread for each worker: oxiconv does the work, and a lost process then costs one shard.
        client = dask.distributed.Client(n_workers=args.workers, threads_per_worker=1, dashboard_address=None)
    with client:
        client.upload_file(str(SCALE / "oxiconv_shards.py"))
        size = oxiconv_shards.size_of(args.url)
        futures = client.map(
            lambda index: oxiconv_shards.convert(
                args.url, size, index, args.shards, args.folder, args.options, args.oxiconv
            ),
            range(1, args.shards + 1),
            pure=False,
            retries=3,
        )
        client.gather(futures)


if __name__ == "__main__":
    main()
