import { codeDirectory, workDirectory } from "../code/sentCode.ts";
import { noDebuggerExitCode, waitWords } from "./debugWait.ts";

export const debuggerArchiveName = "spark-k8s-debugger.tar.gz";
export const driverWrapper = "python-debug";
/** The daemon module that Spark starts in an executor. The archive contains it. */
export const executorModule = "spark_k8s_debug";
/** The module that starts debugpy in the driver. The archive contains it. */
export const driverModule = "spark_k8s_debug_driver";
/** Environment variable: how long a worker process waits for a debugger, in seconds. */
export const waitVariable = "SPARK_K8S_DEBUG_WAIT_SECONDS";
/** Environment variable: the folder of the code in the driver's container. */
const codeVariable = "SPARK_K8S_CODE";

// Listens only on the pod's 127.0.0.1: the port has no authentication, and `pods/portforward` reaches the loopback
// address.
export const driverPort = 5678;
/** The ports of an executor, one for each worker process. An executor may start several daemons with workers. */
export const workerPorts: readonly number[] = [5679, 5680, 5681, 5682];

export interface WrapperOptions {
  readonly waitSeconds: number;
  readonly stopOnEntry: boolean;
}

/**
 * Returns the wrapper that runs in place of the driver's Python. Spark sets both PYSPARK variables from the conf. The
 * wrapper unpacks debugpy, which cannot run from an archive, into a temporary folder, because the mount is read-only.
 * debugpy's adapter process may start slowly on a busy node, so the time-out is 300 s.
 */
export const driverWrapperText = ({
  waitSeconds,
  stopOnEntry,
}: WrapperOptions): string => `#!/bin/sh
set -eu
python="\${PYSPARK_DRIVER_PYTHON:-\${PYSPARK_PYTHON:-python3}}"
folder="$(mktemp -d "\${TMPDIR:-/tmp}/spark-k8s-debugger.XXXXXX")"
"$python" -c 'import sys, tarfile; tarfile.open(sys.argv[1]).extractall(sys.argv[2])' \\
  ${codeDirectory}/${debuggerArchiveName} "$folder"
export ${codeVariable}="${codeDirectory}"
export PYTHONPATH="$folder\${PYTHONPATH:+:$PYTHONPATH}"
export DEBUGPY_PROCESS_SPAWN_TIMEOUT="\${DEBUGPY_PROCESS_SPAWN_TIMEOUT:-300}"
exec "$python" -Xfrozen_modules=off -m ${driverModule} ${waitSeconds} ${stopOnEntry ? "entry" : "breakpoint"} \\
  --listen 127.0.0.1:${driverPort} --wait-for-client "$@"
`;

/**
 * Python code that maps the paths of debug clients to paths in the container. Clients use the paths of Spark's images.
 * The actual paths differ if the image has another working directory, or if containers have no file system of their
 * own.
 */
const mapPathsText = `working = os.getcwd()


def map_paths():
    import pydevd_file_utils as files

    folders = [
        ("${codeDirectory}", os.environ.get("${codeVariable}", "${codeDirectory}")),
        ("${workDirectory}", working),
    ]
    set_paths = files.setup_client_server_paths

    def actual(path):
        for folder, here in folders:
            if path.startswith(folder + "/"):
                return here + path[len(folder) :]
        return path

    files.setup_client_server_paths = lambda paths: set_paths(
        [(local, actual(remote)) for local, remote in paths]
    )
`;

/**
 * Runs debugpy's command line with two additions. The wait for a client has a limit, and the main file may stop at its
 * first line. debugpy itself stops on entry only in its own launches.
 */
export const driverModuleText = `import os
import runpy
import sys
import threading

import debugpy

seconds, stop = int(sys.argv[1]), sys.argv[2]
del sys.argv[1:3]
wait = debugpy.wait_for_client


def give_up():
    print(
        "${waitWords("%d")} The driver ends with exit code ${noDebuggerExitCode}." % seconds,
        file=sys.stderr,
        flush=True,
    )
    os._exit(${noDebuggerExitCode})


${mapPathsText}

def stop_on_entry():
    try:
        from _pydevd_bundle.pydevd_api import PyDevdAPI

        PyDevdAPI().stop_on_entry()
    except Exception as error:
        print("Cannot stop on entry: %s" % error, file=sys.stderr, flush=True)


def wait_for_client():
    timer = threading.Timer(seconds, give_up)
    timer.daemon = True
    timer.is_pydev_daemon_thread = True
    timer.start()
    map_paths()
    wait()
    timer.cancel()
    if stop == "entry":
        stop_on_entry()


debugpy.wait_for_client = wait_for_client
runpy.run_module("debugpy", run_name="__main__", alter_sys=True)
`;

/**
 * Replaces pyspark.daemon. Each worker process waits for a debugger before its first task, and continues without a
 * debugger after the time-out. Restores SIGCHLD, which the daemon ignores, because debugpy's adapter process would not
 * start otherwise.
 */
export const executorModuleText = `import os
import signal
import socket
import sys
import threading

import pyspark.daemon as daemon

os.environ.setdefault("DEBUGPY_PROCESS_SPAWN_TIMEOUT", "300")
run_worker = daemon.worker
debugged = set()


def tell(text):
    print(text, file=sys.stderr, flush=True)


def is_free(port):
    with socket.socket(socket.AF_INET, socket.SOCK_STREAM) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError:
            return False
        return True


${mapPathsText}

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


def wait_for_client(debugpy):
    seconds = int(os.environ.get("${waitVariable}", "600"))

    def give_up():
        tell("${waitWords("%d")} This worker is not debugged." % seconds)
        debugpy.wait_for_client.cancel()

    timer = threading.Timer(seconds, give_up)
    timer.daemon = True
    timer.is_pydev_daemon_thread = True
    timer.start()
    debugpy.wait_for_client()
    timer.cancel()


def wait_for_debugger():
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    import debugpy

    for port in [${workerPorts.join(", ")}]:
        if not is_free(port):
            continue
        try:
            debugpy.listen(("127.0.0.1", port))
        except Exception as error:
            tell("Cannot debug on port %d: %s" % (port, error))
            continue
        tell("Waiting for a debugger on port %d." % port)
        try:
            find_files()
            map_paths()
        except Exception as error:
            tell("Breakpoints may be missed: %s" % error)
        wait_for_client(debugpy)
        return
    tell("All debug ports are in use. This worker is not debugged.")


def worker(*arguments):
    if os.getpid() not in debugged:
        debugged.add(os.getpid())
        wait_for_debugger()
    return run_worker(*arguments)


daemon.worker = worker

if __name__ == "__main__":
    daemon.manager()
`;
