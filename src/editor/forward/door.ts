export { openForwards } from "./openForwards.ts";
export { openUis } from "./openUis.ts";
