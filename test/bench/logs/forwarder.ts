// `node forwarder.ts NAMESPACE POD PORT`: forwards a port of a pod until it is killed, and prints the local one.
import { openClusters } from "../../../src/cluster/door.ts";
import { systemClock } from "../../../src/engine/systemClock.ts";

const [namespace = "", name = "", port = ""] = process.argv.slice(2);
const clusters = openClusters({
  clock: systemClock,
  random: Math.random,
  env: process.env,
  homeDirectory: "/",
  userAgent: "spark-k8s-bench",
  log: () => undefined,
});
const settings = { kubeconfigFiles: [], mayRunPlugins: true };
const connected = await clusters.connect(undefined, settings, AbortSignal.timeout(10_000));
if (!connected.ok) throw new Error(connected.error.detail);
const { ports } = connected.value;
const local = await clusters.forward({
  localPort: undefined,
  dial: (signal) => ports.open({ namespace, name, port: Number(port) }, signal),
  changed: () => undefined,
  failed: ({ detail }) => {
    console.error(detail);
  },
});
process.on("SIGINT", () => process.exit(0));
console.log(`127.0.0.1:${local.localPort} -> ${port}`);
