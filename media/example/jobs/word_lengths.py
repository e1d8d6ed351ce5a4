"""Counts words by their length: `word_lengths.py [ROWS]`. Needs nothing but Spark itself."""

import sys

from pyspark.sql import SparkSession
from pyspark.sql.functions import col, length

WORDS = ["driver", "executor", "pod", "namespace", "label", "shuffle", "stage", "task"]


def main() -> None:
    rows = int(sys.argv[1]) if len(sys.argv) > 1 else 1_000_000
    spark = SparkSession.builder.appName("word-lengths").getOrCreate()
    words = spark.range(rows).selectExpr(
        f"element_at(split('{','.join(WORDS)}', ','), cast(id % {len(WORDS)} as int) + 1) as word"
    )
    counts = words.groupBy(length(col("word")).alias("length")).count().orderBy("length")
    for row in counts.collect():
        print(f"{row['count']:>9} words of {row['length']} letters")
    spark.stop()


if __name__ == "__main__":
    main()
