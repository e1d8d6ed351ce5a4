/**
 * Stands at `/opt/decom.sh`, which Spark runs before it stops an executor that is to hand over its blocks. The
 * image's own signals each JVM that it sees: here that would be each of the machine. This one knows its own.
 */
export const decommissionScript = `#!/bin/sh
# Tells the executor of this container to hand over its blocks, and waits until it has.
kill -s PWR "$SPARK_SANDBOX_FIRST_PROCESS" || exit 0
while kill -0 "$SPARK_SANDBOX_FIRST_PROCESS" 2>/dev/null; do sleep 0.2; done
`;

/** Tells a command inside of a container its first process, which a real container has as number 1. */
export const firstPidVariable = "SPARK_SANDBOX_FIRST_PROCESS";
