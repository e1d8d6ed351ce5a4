export { joinSandbox, startLeasedSandbox, stopSandbox, type Lease } from "./life/lease.ts";
export { openSandboxes } from "./life/openSandboxes.ts";
