export { joinSandbox, startLeasedSandbox, stopSandbox, type Lease } from "./life/lease.ts";
export { openHistoryServers } from "./life/historyServers.ts";
export { openSandboxes } from "./life/openSandboxes.ts";
