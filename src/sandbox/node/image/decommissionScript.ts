/**
 * Replaces `/opt/decom.sh`, which Spark runs to decommission an executor. The script of Spark's image signals every
 * JVM that it finds. Without containers, that would be every JVM of the machine, so this script signals only the
 * container's first process.
 */
export const decommissionScript = `#!/bin/sh
# Decommissions the executor of this container, and waits until it has ended.
kill -s PWR "$SPARK_SANDBOX_FIRST_PROCESS" || exit 0
while kill -0 "$SPARK_SANDBOX_FIRST_PROCESS" 2>/dev/null; do sleep 0.2; done
`;

/**
 * Environment variable with the pid of the container's first process, for commands in the container. In a real
 * container this pid is 1.
 */
export const firstPidVariable = "SPARK_SANDBOX_FIRST_PROCESS";
