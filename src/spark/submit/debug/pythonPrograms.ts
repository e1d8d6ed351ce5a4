import { codeDirectory } from "../code/sentCode.ts";

export const debuggerArchiveName = "spark-k8s-debugger.tar.gz";
export const driverWrapper = "python-debug";
/** The daemon module that Spark starts in an executor; a file of the archive. */
export const executorModule = "spark_k8s_debug";

// Only 127.0.0.1 of the pod: a port has no authentication, and `pods/portforward` reaches the loopback address.
export const driverPort = 5678;
/** One port for each worker process of an executor, and one executor may start several daemons. */
export const workerPorts: readonly number[] = [5679, 5680, 5681, 5682];

/**
 * Runs instead of the driver's Python. Spark sets both variables from the conf. debugpy cannot run from an archive, and
 * the mount is read-only, so it is unpacked. Its adapter process may start slowly on a busy node.
 */
export const driverWrapperText = `#!/bin/sh
set -eu
python="\${PYSPARK_DRIVER_PYTHON:-\${PYSPARK_PYTHON:-python3}}"
folder="$(mktemp -d "\${TMPDIR:-/tmp}/spark-k8s-debugger.XXXXXX")"
"$python" -c 'import sys, tarfile; tarfile.open(sys.argv[1]).extractall(sys.argv[2])' \\
  ${codeDirectory}/${debuggerArchiveName} "$folder"
export PYTHONPATH="$folder\${PYTHONPATH:+:$PYTHONPATH}"
export DEBUGPY_PROCESS_SPAWN_TIMEOUT="\${DEBUGPY_PROCESS_SPAWN_TIMEOUT:-300}"
exec "$python" -Xfrozen_modules=off -m debugpy --listen 127.0.0.1:${driverPort} --wait-for-client "$@"
`;

/**
 * Replaces pyspark.daemon. Each worker process waits for a debugger before its first task. The daemon ignores SIGCHLD,
 * which would break the start of debugpy's adapter process.
 */
export const executorModuleText = `import os
import signal
import socket
import sys

import pyspark.daemon as daemon

os.environ.setdefault("DEBUGPY_PROCESS_SPAWN_TIMEOUT", "300")
run_worker = daemon.worker
debugged = set()


def is_free(port):
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
        return True


def find_files():
    # pydevd refuses breakpoints in files that do not exist: functions of the main file keep its path in the
    # driver. It takes modules of "./x.zip" for files of a library.
    import pydevd_file_utils as files

    exists = files.exists
    resolve = files._get_relative_filename_abs_path
    files.exists = lambda path: path.startswith("${codeDirectory}/") or exists(path)
    files._get_relative_filename_abs_path = lambda path, to_absolute, *rest: (
        to_absolute(path) if ".zip/" in path else resolve(path, to_absolute, *rest)
    )


def wait_for_debugger():
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    import debugpy

    for port in [${workerPorts.join(", ")}]:
        if not is_free(port):
            continue
        try:
            debugpy.listen(("127.0.0.1", port))
        except Exception as error:
            print("Cannot debug on port %d: %s" % (port, error), file=sys.stderr, flush=True)
            continue
        print("Waiting for a debugger on port %d." % port, file=sys.stderr, flush=True)
        try:
            find_files()
        except Exception as error:
            print("Breakpoints may be missed: %s" % error, file=sys.stderr, flush=True)
        debugpy.wait_for_client()
        return
    print("All debug ports are in use. This worker is not debugged.", file=sys.stderr, flush=True)


def worker(*arguments):
    if os.getpid() not in debugged:
        debugged.add(os.getpid())
        wait_for_debugger()
    return run_worker(*arguments)


daemon.worker = worker

if __name__ == "__main__":
    daemon.manager()
`;
