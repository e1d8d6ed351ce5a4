export { joinSandbox, startLeasedSandbox, stopSandbox, type Lease } from "./life/lease.ts";
export { findInstalledSpark } from "./life/historyServer.ts";
export { openSandboxes } from "./life/openSandboxes.ts";
