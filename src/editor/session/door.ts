export { openSessions } from "./openSessions.ts";
