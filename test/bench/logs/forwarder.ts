// `node forwarder.ts NAMESPACE POD PORT`: prints a local address that forwards to a port of a pod, until killed.
import { connectTo, openTestClusters } from "../../cluster/testConnection.ts";

const [namespace = "", name = "", port = ""] = process.argv.slice(2);
const clusters = openTestClusters();
const { ports } = await connectTo(clusters, process.env["KUBECONFIG"] ?? "");
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
