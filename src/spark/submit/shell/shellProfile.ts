import { fieldsOf, type Fields } from "../../../base/json.ts";
import { shellLabel } from "../../labels.ts";
import { sessionSettingsOf } from "../session/sessionProfile.ts";
import { idleVariable } from "./shellScript.ts";
import type { ShellKind } from "./shellKind.ts";

/** Settings of a shell that its run profile does not have. */
export interface ShellSettings {
  readonly kind: ShellKind;
  readonly name: string;
  /** Minutes without input and output after which the shell ends; 0: never. */
  readonly idleMinutes: number;
}

// The driver pod runs the shell in place of these programs. They only determine the kind of application, and so the
// conf and environment of the driver.
const programs: Readonly<Record<ShellKind, Fields>> = {
  pyspark: { application: "local:///opt/spark/python/pyspark/shell.py" },
  "spark-shell": { application: "spark-internal", class: "org.apache.spark.deploy.SparkSubmit" },
  "spark-sql": { application: "spark-internal", class: "org.apache.spark.deploy.SparkSubmit" },
};

/** Returns the definition of a shell with the image, the conf and the target of a run profile. */
export function shellProfile(base: Fields, { kind, name, idleMinutes }: ShellSettings): Fields {
  return {
    ...sessionSettingsOf(base),
    ...programs[kind],
    shell: kind,
    name,
    conf: {
      [`spark.kubernetes.driverEnv.${idleVariable}`]: `${Math.round(idleMinutes * 60)}`,
      ...fieldsOf(base["conf"]),
      [`spark.kubernetes.driver.label.${shellLabel}`]: kind,
    },
  };
}
