import { msg } from "../../../../base/message.ts";
import { nearestWord } from "../../nearest/words.ts";
import { shippedValues } from "../../values/shippedValues.ts";
import type { ConfRule } from "./confRule.ts";
import { at } from "./violations.ts";

const registeredRatio = "spark.scheduler.minRegisteredResourcesRatio";

/** Rules about values that Spark accepts but that are probably mistakes. */
export const valueConfRules: readonly ConfRule[] = [
  {
    code: "R214-registered-ratio-above-one",
    severity: "warning",
    says: msg("This is a fraction of the requested executors: values above 1 count as 1."),
    page: msg(
      "The scheduler waits until this fraction of the requested executors has registered. Use a value from 0 to 1. The default on Kubernetes is 0.8.",
    ),
    hit: "spark.scheduler.minRegisteredResourcesRatio 1.5",
    miss: "spark.scheduler.minRegisteredResourcesRatio 1.0",
    *check(conf) {
      if (Number(conf.text(registeredRatio)) > 1) yield* at(conf, registeredRatio);
    },
  },
  {
    code: "R215-misspelled-class",
    severity: "warning",
    says: msg("Spark ships no class or codec of this name."),
    page: msg(
      "Spark loads the class when the application starts, and fails if it does not exist. Keep the name if one of your own libraries contains the class.",
    ),
    hit: "spark.serializer org.apache.spark.serializer.KyroSerializer",
    miss: "spark.serializer com.example.KyroSerializer",
    *check(conf) {
      for (const [key, shipped] of shippedValues) {
        const value = conf.text(key);
        const meant = value === undefined ? undefined : misspelled(value, shipped);
        if (meant !== undefined)
          yield* at(conf, key, {
            replacement: meant,
            says: msg`Spark ships no "${value ?? ""}". Did you mean "${meant}"?`,
          });
      }
    },
  },
];

/**
 * Returns the shipped value that was probably meant. Undefined if the value is shipped or is similar to none of them.
 */
function misspelled(value: string, shipped: readonly string[]): string | undefined {
  if (shipped.some((one) => one.toLowerCase() === value.toLowerCase())) return undefined;
  const packageName = packageOf(value);
  const candidates = shipped.filter((one) => packageName === "" || packageOf(one) === packageName);
  const meant = nearestWord(simpleName(value), candidates.map(simpleName));
  return candidates.find((one) => simpleName(one) === meant);
}

const packageOf = (name: string): string => name.slice(0, name.lastIndexOf(".") + 1);
const simpleName = (name: string): string => name.slice(name.lastIndexOf(".") + 1);
