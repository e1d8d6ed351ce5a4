export { joinSandbox, startSandbox, stopSandbox, type Lease } from "./life/lease.ts";
export { openSandboxes } from "./life/openSandboxes.ts";
