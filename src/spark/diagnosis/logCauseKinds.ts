/** Kinds of errors in logs. Each has its own advice, except `exception`. */
export type LogCauseKind = (typeof patterns)[number][0] | "heap" | "exception";

/**
 * Matches the host name and the namespace of a driver's headless Service. DNS resolves the name only while the driver
 * pod is ready.
 */
export const serviceOfDriver = /\b([a-z0-9-]{1,63}-driver-svc)\.([a-z0-9-]{1,63})\.svc\b/;

/**
 * Matches a failed registration with the external shuffle service. It takes precedence over the refused connection that
 * causes it, because that error is less specific.
 */
export const shuffleService = /Unable to register with external shuffle server/;

/** Matches the messages of a JVM that cannot start. */
export const javaStart =
  /^(?:Error opening zip file or JAR manifest|Unrecognized (?:VM )?option|Invalid (?:maximum|initial) heap size|Initial heap size set to|Could not (?:find agent library|reserve enough space)|Conflicting collector|VM option '|Error occurred during initialization of VM|Error: Could not create the Java Virtual Machine)/;

/** Matches the error message of a LimitRange, and captures the bound. */
export const limitRange =
  /\b((?:maximum|minimum) ([a-z-]{1,40}) usage per (?:Container|Pod) is ([\w.]{1,30}))|\b[a-z-]{1,40} max limit to request ratio per (?:Container|Pod) is /;

/**
 * Matches a Spark SQL property in Spark's own advice, and captures key and value. The log is untrusted, so the value
 * must be a boolean or the name of an enumeration member.
 */
export const offeredSetting =
  /\bset "?(spark\.sql\.[A-Za-z.]{1,80})"? to "?(true|false|[A-Z]{3,20})"?/;

/**
 * Matches Spark's error about an invalid conf value. The key is in one of two groups, because messages before Spark 4.0
 * begin with it.
 */
export const invalidValue =
  /^\w{0,60}IllegalArgumentException: (?:\[INVALID_CONF_VALUE[.\w]{0,60}\] .{0,300}? in the config "(spark\.[\w.]{1,120})" is invalid|(?:'.{0,300}?' in )?(spark\.[\w.]{1,120}) (?:should be \w{1,20}, but was |is invalid\b))/;

/** Matches the error about a path that exists, from Spark's own data sources and from Hadoop's output formats. */
export const pathExists =
  /^(?:AnalysisException: (?:\[PATH_ALREADY_EXISTS\] )?[Pp]ath|FileAlreadyExistsException: Output directory) (\S{1,300}) already exists/;

// Patterns for messages of Spark 3.5.9 and 4.3.0, Hadoop 3, the AWS SDK, fabric8's client and CPython. The order
// matters: the more specific pattern comes first. All patterns take linear time.
const patterns = [
  ["architecture", /^exec \S+: exec format error/],
  ["entrypoint", /^exec \S+: /],
  ["javaStart", javaStart],
  ["ivyHome", /basedir must be absolute: \?\//],
  ["dependency", /\[(?:unresolved dependency|download failed): /],
  ["pythonCircle", /^(?:ImportError|AttributeError): .*\bpartially initialized module\b/],
  ["quota", /\bexceeded quota\b|\bfailed quota\b/],
  ["limitRange", limitRange],
  ["admission", /\badmission webhook "|\bviolates PodSecurity\b/],
  [
    "apiServer",
    /^KubernetesClientException: The timeout of |^NoStackTraceTimeoutException: |^KubernetesClientException$/,
  ],
  [
    "forbidden",
    /\bis forbidden: User "|^KubernetesClientException: .*\bForbidden ?!|\bcannot (?:create|get|list|watch|delete|patch|update|deletecollection) resource "/,
  ],
  ["shuffleTracking", /^SparkException: Dynamic allocation of executors requires one of/],
  ["podLimit", /Exceed the pod creation limit/],
  ["claimWait", /Wait to reuse one of the existing \d+ PVCs/],
  ["noResources", /Initial job has not accepted any resources/],
  ["shuffleService", shuffleService],
  ["executorFailures", /Max number of executor failures/],
  ["driverOnly", /\bCONTEXT_ONLY_VALID_ON_DRIVER\b|\bSPARK-5063\b/],
  [
    "notSerializable",
    /^SparkException: (?:\[\w{1,60}\] )?Task not serializable|^NotSerializableException\b|^PicklingError\b/,
  ],
  ["pythonVersion", /PYTHON_VERSION_MISMATCH|Python in worker has different version/],
  ["pythonModule", /^(?:ModuleNotFoundError|ImportError): No module named /],
  ["pythonMemory", /^MemoryError\b/],
  ["pythonProgram", /Cannot run program "(?:[\w./-]{0,200}\/)?python/],
  ["pythonWorker", /Python worker (?:exited unexpectedly|failed to connect back)/],
  ["minimumMemory", /\b(?:Executor|System) memory \d{1,18} must be at least \d{1,18}/],
  [
    "heartbeat",
    /spark\.network\.timeout=\w{1,20} must be greater than the value of spark\.executor\.heartbeatInterval/,
  ],
  [
    "taskCores",
    /number of cores per executor \(=\d{1,6}\) has to be >= the number of cpus per task = \d{1,6}/,
  ],
  ["ansi", /\[(?:CAST_INVALID_INPUT|CAST_OVERFLOW|ARITHMETIC_OVERFLOW|DIVIDE_BY_ZERO)\]/],
  ["offeredSetting", offeredSetting],
  ["confValue", invalidValue],
  [
    "sparkVersion",
    /InvalidClassException: org\.apache\.spark\.\S{1,300}; local class incompatible/,
  ],
  [
    "scalaVersion",
    /^(?:NoSuchMethodError|NoClassDefFoundError|ClassNotFoundException|AbstractMethodError|IncompatibleClassChangeError)\b.*\bscala[./]/,
  ],
  [
    "fileSystem",
    /Class \S+FileSystem not found|^ClassNotFoundException: \S+FileSystem$|No FileSystem for scheme|UnsupportedFileSystemException/,
  ],
  [
    "dataSource",
    /DATA_SOURCE_NOT_FOUND|Failed to find (?:the )?data source|^ClassNotFoundException: \S+\.DefaultSource$/,
  ],
  ["jdbcDriver", /^SQLException: No suitable driver|^ClassNotFoundException: [\w.]+Driver$/],
  [
    "classVersion",
    /^UnsupportedClassVersionError|^(?:NoSuchMethodError|NoSuchFieldError|AbstractMethodError|IncompatibleClassChangeError)\b/,
  ],
  ["bucket", /NoSuchBucket|bucket does not exist/i],
  [
    "s3Credentials",
    /NoAuthWithAWSException|No AWS Credentials|Unable to load (?:AWS )?credentials|InvalidAccessKeyId|SignatureDoesNotMatch|ExpiredToken|^AccessDeniedException: s3|^(?:AmazonS3|S3)Exception: (?:Access Denied|Forbidden)/,
  ],
  [
    "driverService",
    /UnknownHostException: (?:java\.net\.UnknownHostException: )?[a-z0-9-]{1,63}-driver-svc\.[a-z0-9-]{1,63}\.svc\b/,
  ],
  ["driverUnreachable", /^RpcTimeoutException: .{0,200}\bspark\.rpc\.lookupTimeout\b/],
  [
    "unknownHost",
    /UnknownHostException|Name or service not known|Temporary failure in name resolution|failed to resolve '/,
  ],
  [
    "resultSize",
    /is bigger than spark\.driver\.maxResultSize|bigger than spark\.driver\.maxResultSize/,
  ],
  ["broadcastTimeout", /Could not execute broadcast in/],
  ["broadcastSize", /Cannot broadcast the table|Not enough memory to build and broadcast/],
  // Executors exit with code 52 if the heap is full.
  ["taskHeap", /^ExecutorLostFailure\b.{0,300}\bexit code 52\b/],
  ["executorLost", /^ExecutorLostFailure\b/],
  ["fetchFailed", /^(?:Metadata)?FetchFailed(?:Exception)?\b/],
  [
    "blockMissing",
    /^BlockMissingException|Could not (?:find|obtain) block|Block \S+ (?:was )?not found/,
  ],
  ["diskFull", /No space left on device|Disk quota exceeded|not enough space/i],
  [
    "permission",
    /^AccessControlException|^AccessDeniedException|^PermissionError|Permission denied|Read-only file system|Mkdirs failed to create/,
  ],
  [
    "connection",
    /^ConnectException|Connection refused|^ConnectTimeoutException|^NoRouteToHostException/,
  ],
  ["bindAddress", /^BindException|Cannot assign requested address/],
  ["pathExists", pathExists],
  ["table", /TABLE_OR_VIEW_NOT_FOUND|SCHEMA_NOT_FOUND/],
  ["column", /UNRESOLVED_COLUMN/],
  ["ambiguousColumn", /AMBIGUOUS_REFERENCE\b/],
  ["javaStack", /^StackOverflowError\b/],
  [
    "mainClass",
    /^(?:Failed to load|Cannot load|No main) class|ClassNotFoundException|^NoClassDefFoundError/,
  ],
  [
    "file",
    /No such file or directory|FileNotFoundException|NoSuchFileException|Path does not exist|PATH_NOT_FOUND|can't open file/,
  ],
] as const satisfies readonly (readonly [string, RegExp])[];

/** Returns the kind of an error, which is given without its package. Undefined if no pattern matches. */
export const kindOfError = (error: string): LogCauseKind | undefined =>
  patterns.find(([, pattern]) => pattern.test(error))?.[0];
