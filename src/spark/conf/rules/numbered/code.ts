import { msg } from "../../../../base/message.ts";
import { launchOnlyKeys } from "../launchOnly.ts";
import type { ConfRule } from "./confRule.ts";
import { atKeys } from "./violations.ts";

/** Rules about settings in the application's code. */
export const codeConfRules: readonly ConfRule[] = [
  {
    code: "R213-too-late-in-code",
    severity: "information",
    given: { isCode: true },
    says: msg(
      "This is too late in cluster mode: Spark reads the setting before the application's code runs.",
    ),
    page: msg(
      "In cluster mode the driver's pod and JVM exist before the code runs. Pass the setting to spark-submit with `--conf`, in a properties file or in the manifest.",
    ),
    hit: "spark.driver.memory 4g",
    miss: "spark.executor.memory 4g",
    check: (conf) => (conf.application.isCode === true ? atKeys(conf, [...launchOnlyKeys]) : []),
  },
];
