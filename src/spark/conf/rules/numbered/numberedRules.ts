import { allocatorRules } from "./allocator.ts";
import { codeConfRules } from "./code.ts";
import type { ConfRule } from "./confRule.ts";
import { cpuRules } from "./cpu.ts";
import { decommissionRules } from "./decommission.ts";
import { executorRules } from "./executors.ts";
import { fileRules } from "./files.ts";
import { identityRules } from "./identity.ts";
import { imageConfRules } from "./image.ts";
import { masterRules } from "./master.ts";
import { memoryConfRules } from "./memory.ts";
import { nameRules } from "./names.ts";
import { networkRules } from "./network.ts";
import { noEffectRules } from "./noEffect.ts";
import { operationRules } from "./operations.ts";
import { valueConfRules } from "./values.ts";
import { volumeRules } from "./volumes.ts";

/** All numbered rules with a check, in the order in which they run. */
export const numberedRules: readonly ConfRule[] = [
  ...masterRules,
  ...nameRules,
  ...imageConfRules,
  ...cpuRules,
  ...memoryConfRules,
  ...networkRules,
  ...volumeRules,
  ...allocatorRules,
  ...executorRules,
  ...decommissionRules,
  ...fileRules,
  ...identityRules,
  ...noEffectRules,
  ...operationRules,
  ...codeConfRules,
  ...valueConfRules,
];
