export { serveMcp } from "./serveMcp.ts";
