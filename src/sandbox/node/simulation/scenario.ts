import { scenarios, scenarioVariable, type Scenario } from "../../../spark/simulation.ts";

export const scenarioOf = (env: ReadonlyMap<string, string>): Scenario =>
  scenarios.find((one) => one === env.get(scenarioVariable)) ?? "success";
