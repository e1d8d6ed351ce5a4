"""The driver of a Spark session: runs the Connect server until nobody has used it for a while.

Argument: minutes without a client after which the application ends; 0 keeps it running.
"""

import sys
import time

from py4j.java_gateway import JavaClass
from pyspark.sql import SparkSession

CHECK_SECONDS = 5
PLUGIN = "org.apache.spark.sql.connect.SparkConnectPlugin"
ESTABLISHED = "01"


def connected_clients(port):
    """Counts the TCP connections to a port of this pod."""
    count = 0
    for table in ("/proc/net/tcp", "/proc/net/tcp6"):
        try:
            with open(table) as file:
                rows = file.readlines()[1:]
        except OSError:
            continue
        for row in rows:
            _, local, _, state = row.split()[:4]
            if state == ESTABLISHED and int(local.rsplit(":", 1)[1], 16) == port:
                count += 1
    return count


def say(words):
    print("spark session: " + words, flush=True)


def hold(context, port, idle_seconds):
    """Returns when the session was idle for too long, or when Spark has stopped."""
    used_at = time.monotonic()
    known = 0
    while not context._jsc.sc().isStopped():
        clients = connected_clients(port)
        if clients != known:
            say("1 connection" if clients == 1 else "%d connections" % clients)
            known = clients
        now = time.monotonic()
        # A query continues while its client reconnects.
        if clients > 0 or len(context.statusTracker().getActiveJobsIds()) > 0:
            used_at = now
        elif 0 < idle_seconds <= now - used_at:
            return "idle"
        time.sleep(CHECK_SECONDS)
    return "stopped"


def start_server(context):
    """Starts the Connect server. Returns a function that stops it.

    Not the plugin: its server accepts clients before the Spark session exists, and refuses their first request.
    """
    if PLUGIN in context.getConf().get("spark.plugins", ""):
        return lambda: None
    service = context._jvm.org.apache.spark.sql.connect.service.SparkConnectService
    if not isinstance(service, JavaClass):
        say("Spark has no Connect server here: spark-connect is missing")
        sys.exit(1)
    service.start(context._jsc.sc())
    nothing = context._jvm.scala.Option.empty()
    return lambda: service.stop(nothing, nothing)


def main():
    idle_minutes = float(sys.argv[1])
    spark = SparkSession.builder.getOrCreate()
    context = spark.sparkContext
    port = int(context.getConf().get("spark.connect.grpc.binding.port", "15002"))
    stop_server = start_server(context)
    say("ready on port %d" % port)
    end = hold(context, port, idle_minutes * 60)
    if end == "idle":
        say("ending after %g minutes without a client" % idle_minutes)
        stop_server()
        spark.stop()
    else:
        say("Spark has stopped")
        sys.exit(1)


main()
