import { noDebuggerExitCode, waitWords } from "./debugWait.ts";

/** Spark's scripts load this file from `SPARK_CONF_DIR` before they start the JVM. */
export const environmentScript = "spark-env.sh";

/**
 * Returns the script that ends a driver if no debugger attaches in time. JDWP's `suspend=y` has no time-out. Its
 * `timeout` ends the JVM with exit code 0, even after a debugger has detached. So a background process attaches in
 * place of the debugger and sends VirtualMachine.Exit. It stops watching once a debugger has been connected for 3 s.
 */
export const jvmWatchdogText = (port: number, waitSeconds: number): string => `\
# Ends the driver if no debugger attaches.
if [ -n "\${SPARK_DRIVER_BIND_ADDRESS:-}" ]; then
  (
    jvm=$$
    held=0
    end=$((SECONDS + ${waitSeconds}))
    while ((SECONDS < end || held > 0)); do
      sleep 1
      kill -0 "$jvm" 2>/dev/null || exit 0
      attached=no
      for table in /proc/net/tcp /proc/net/tcp6; do
        [ -r "$table" ] || continue
        while read -r _ address _ state _; do
          case "$address $state" in *${loopback}:${hex(port, 4)}" 01") attached=yes ;; esac
        done <"$table"
      done
      if [ "$attached" = yes ]; then held=$((held + 1)); else held=0; fi
      ((held < 3)) || exit 0
    done
    echo "${waitWords(waitSeconds)} The driver ends with exit code ${noDebuggerExitCode}." >&2
    exec 3<>/dev/tcp/127.0.0.1/${port} || exit 0
    printf 'JDWP-Handshake${exitCommand}' >&3
    sleep 5
  ) &
fi
`;

/** 127.0.0.1 in the format of /proc/net/tcp. */
const loopback = "0100007F";

const hex = (value: number, digits: number): string =>
  value.toString(16).toUpperCase().padStart(digits, "0");

/**
 * A JDWP packet, escaped for printf: length, id, flags, the command set VirtualMachine, the command Exit, the exit
 * code.
 */
const exitCommand = [...[0, 0, 0, 15], ...[0, 0, 0, 1], 0, 1, 10, ...[0, 0, 0, noDebuggerExitCode]]
  .map((byte) => `\\${byte.toString(8).padStart(3, "0")}`)
  .join("");
