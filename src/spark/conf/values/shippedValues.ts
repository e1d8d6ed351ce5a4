// Built-in values of keys that also accept custom class names. Source: CompressionCodec.scala, SparkEnv.scala and
// ShuffleManager.scala of Spark 3.3 to 4.3.

const codecs = [
  "lz4",
  "lzf",
  "snappy",
  "zstd",
  "org.apache.spark.io.LZ4CompressionCodec",
  "org.apache.spark.io.LZFCompressionCodec",
  "org.apache.spark.io.SnappyCompressionCodec",
  "org.apache.spark.io.ZStdCompressionCodec",
];

export const shippedValues: ReadonlyMap<string, readonly string[]> = new Map([
  [
    "spark.serializer",
    ["org.apache.spark.serializer.JavaSerializer", "org.apache.spark.serializer.KryoSerializer"],
  ],
  ["spark.closure.serializer", ["org.apache.spark.serializer.JavaSerializer"]],
  ["spark.io.compression.codec", codecs],
  ["spark.eventLog.compression.codec", codecs],
  ["spark.shuffle.mapStatus.compression.codec", codecs],
  [
    "spark.shuffle.manager",
    ["sort", "tungsten-sort", "org.apache.spark.shuffle.sort.SortShuffleManager"],
  ],
  [
    "spark.shuffle.sort.io.plugin.class",
    [
      "org.apache.spark.shuffle.sort.io.LocalDiskShuffleDataIO",
      "org.apache.spark.shuffle.KubernetesLocalDiskShuffleDataIO",
    ],
  ],
]);
