export { openForwards } from "./openForwards.ts";
