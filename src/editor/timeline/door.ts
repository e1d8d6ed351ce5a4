export { openTimelines } from "./openTimelines.ts";
