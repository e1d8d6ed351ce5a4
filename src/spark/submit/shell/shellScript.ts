// The program that starts a shell in a driver pod, and that ends an unused one.
import type { ShellKind } from "./shellKind.ts";

/** Environment variable: seconds without input and output after which the shell ends; 0: never. */
export const idleVariable = "SPARK_K8S_SHELL_IDLE_SECONDS";
/**
 * The input that the client sends when it is attached. The script waits for it, because earlier output would be lost.
 */
export const attachedInput = "\r";

const propertiesPath = "/opt/spark/conf/spark.properties";
const attachSeconds = 300;

/** Returns the arguments of the driver's container. `options`: further options of spark-submit. */
export const shellArguments = (
  kind: ShellKind,
  name: string,
  options: readonly string[],
): readonly string[] => [
  ...["bash", "-c", script, "spark-k8s-shell"],
  ...[kind, propertiesPath, "--name", name, ...options],
];

// As the first process of a container, bash and Python would ignore SIGTERM; tini does not. The access and modification
// times of a TTY are those of its last input and output, exact to 8 seconds. SIGTERM goes to the process group: the
// shell and its JVM. `pyspark-shell-main` must precede the options. Some images have PySpark only as an archive.
const script = `
if [ "$BASHPID" = 1 ] && command -v tini > /dev/null; then exec tini -s -- bash -c "$BASH_EXECUTION_STRING" "$0" "$@"; fi
kind=$1; conf=$2; shift 2
home=\${SPARK_HOME:-/opt/spark}
idle=\${${idleVariable}:-0}
say() { printf '%s\\n' "$1"; }
watch() {
  trap '' TERM
  while sleep $((idle < 10 ? idle : 10)); do
    last=0
    for at in $(stat -L -c '%X %Y' "$1"); do [ "$at" -gt "$last" ] && last=$at; done
    [ $(($(date +%s) - last)) -ge "$idle" ] && break
  done
  say ""; say "The shell ends: no input and no output for $idle seconds."
  kill -TERM 0; sleep 20; kill -KILL 0
}
if ! IFS= read -r -s -t ${attachSeconds} ready; then say "No terminal was attached within ${attachSeconds} seconds."; exit 1; fi
if [ "$idle" -gt 0 ]; then watch "$(tty)" & fi
set -- --deploy-mode client --properties-file "$conf" "$@" \\
  --conf "spark.driver.bindAddress=$SPARK_DRIVER_BIND_ADDRESS" \\
  --conf "spark.executorEnv.SPARK_DRIVER_POD_IP=$SPARK_DRIVER_BIND_ADDRESS"
case $kind in
  pyspark)
    python=\${PYSPARK_DRIVER_PYTHON:-\${PYSPARK_PYTHON:-python3}}
    if ! command -v "$python" > /dev/null; then say "The image has no Python (\\"$python\\"), which pyspark needs."; exit 41; fi
    export PYSPARK_PYTHON=\${PYSPARK_PYTHON:-python3}
    libraries=$home/python
    for zip in "$home"/python/lib/*.zip; do libraries=$libraries:$zip; done
    export PYTHONPATH="$libraries\${PYTHONPATH:+:$PYTHONPATH}"
    export OLD_PYTHONSTARTUP=$PYTHONSTARTUP PYTHONSTARTUP=$home/python/pyspark/shell.py
    if [ ! -f "$PYTHONSTARTUP" ]; then
      PYTHONSTARTUP=$(mktemp -d)/shell.py
      "$python" -c 'import sys, zipfile; sys.stdout.write(zipfile.ZipFile(sys.argv[1]).read("pyspark/shell.py").decode())' \\
        "$home/python/lib/pyspark.zip" > "$PYTHONSTARTUP" || exit 42
    fi
    exec "$home/bin/spark-submit" pyspark-shell-main "$@";;
  spark-sql) exec "$home/bin/spark-submit" --class org.apache.spark.sql.hive.thriftserver.SparkSQLCLIDriver "$@";;
  *) exec "$home/bin/spark-shell" "$@";;
esac
`;
