import { fileName } from "../../fileName.ts";

/**
 * The artifacts that are in `jars/` of both Spark 3.5.9 and 4.3.0, without versions and Scala suffixes. Artifacts of
 * only one version are absent: sending a jar that the image has does no harm, but a missing jar does.
 */
const distributed = new Set(
  `
  HikariCP JLargeArrays JTransforms RoaringBitmap ST4 aircompressor algebra antlr-runtime antlr4-runtime
  aopalliance-repackaged arpack arpack_combined_all arrow-format arrow-memory-core arrow-memory-netty
  arrow-vector audience-annotations avro avro-ipc avro-mapred blas breeze breeze-macros cats-kernel chill
  chill-java commons-cli commons-codec commons-collections4 commons-compiler commons-compress commons-crypto
  commons-dbcp commons-io commons-lang commons-lang3 commons-math3 commons-pool commons-text compress-lzf
  curator-client curator-framework curator-recipes datanucleus-api-jdo datanucleus-core datanucleus-rdbms
  datasketches-java datasketches-memory derby dropwizard-metrics-hadoop-metrics2-reporter flatbuffers-java gson
  guava hadoop-client-api hadoop-client-runtime hive-beeline hive-cli hive-common hive-exec hive-jdbc
  hive-metastore hive-serde hive-service-rpc hive-shims hive-shims-common hive-shims-scheduler hive-storage-api
  hk2-api hk2-locator hk2-utils httpclient httpcore istack-commons-runtime ivy jackson-annotations jackson-core
  jackson-databind jackson-dataformat-yaml jackson-datatype-jsr310 jackson-module-scala jakarta.annotation-api
  jakarta.servlet-api jakarta.validation-api jakarta.ws.rs-api jakarta.xml.bind-api janino javassist javax.jdo
  javolution jaxb-runtime jcl-over-slf4j jdo-api jersey-client jersey-common jersey-container-servlet
  jersey-container-servlet-core jersey-hk2 jersey-server jline joda-time jpam json json4s-ast json4s-core
  json4s-jackson json4s-scalap jsr305 jta jul-to-slf4j kryo-shaded kubernetes-client kubernetes-client-api
  kubernetes-model-admissionregistration kubernetes-model-apiextensions kubernetes-model-apps
  kubernetes-model-autoscaling kubernetes-model-batch kubernetes-model-certificates kubernetes-model-common
  kubernetes-model-coordination kubernetes-model-core kubernetes-model-discovery kubernetes-model-events
  kubernetes-model-extensions kubernetes-model-flowcontrol kubernetes-model-gatewayapi kubernetes-model-metrics
  kubernetes-model-networking kubernetes-model-node kubernetes-model-policy kubernetes-model-rbac
  kubernetes-model-resource kubernetes-model-scheduling kubernetes-model-storageclass lapack leveldbjni-all
  libfb303 libthrift log4j log4j-api log4j-core log4j-slf4j2-impl lz4-java metrics-core metrics-graphite
  metrics-jmx metrics-json metrics-jvm minlog netty-all netty-buffer netty-codec netty-codec-http
  netty-codec-http2 netty-codec-socks netty-common netty-handler netty-handler-proxy netty-resolver
  netty-transport netty-transport-classes-epoll netty-transport-classes-kqueue netty-transport-native-epoll
  netty-transport-native-kqueue netty-transport-native-unix-common objenesis opencsv orc-core orc-mapreduce
  orc-shims oro osgi-resource-locator paranamer parquet-column parquet-common parquet-encoding
  parquet-format-structures parquet-hadoop parquet-jackson pickle py4j rocksdbjni scala-compiler scala-library
  scala-parser-combinators scala-reflect scala-xml slf4j-api snakeyaml snakeyaml-engine snappy-java
  spark-catalyst spark-common-utils spark-core spark-graphx spark-hive spark-hive-thriftserver spark-kubernetes
  spark-kvstore spark-launcher spark-mllib spark-mllib-local spark-network-common spark-network-shuffle
  spark-repl spark-sketch spark-sql spark-sql-api spark-streaming spark-tags spark-unsafe spark-yarn spire
  spire-macros spire-platform spire-util stax-api stream super-csv threeten-extra tink transaction-api
  univocity-parsers xbean-asm9-shaded xz zjsonpatch zookeeper zookeeper-jute zstd-jni
`
    .trim()
    .split(/\s+/),
);

/** True for the spark-core jar. Every Spark image contains its dependencies. */
export const isSparkCore = (path: string): boolean => /^spark-core_/.test(fileName(path));

/** True for the Scala library. Every Spark image has it in the version that its Spark needs. */
export const isScalaLibrary = (path: string): boolean => /^scala-library-/.test(fileName(path));

/** True if `distributed` has the artifact of a jar, such as `jackson-core-2.18.2.jar` or `breeze_2.13-2.1.0.jar`. */
export function isDistributed(path: string): boolean {
  const name = fileName(path);
  const version = name.search(/-\d/);
  const artifact = version < 0 ? name : name.slice(0, version);
  return distributed.has(artifact.replace(/_2\.1[23]$/, ""));
}
