import {
  appNameLabel,
  appSelectorLabel,
  driverRole,
  roleLabel,
  sparkVersionLabel,
} from "../../labels.ts";
import { recordWithPrefix, valueOf } from "../conf/conf.ts";
import type { DriverContext } from "./driverSpec.ts";
import { appNameLabelValue } from "../conf/names.ts";

/** Returns the driver's labels, which are also the selector of its Service. */
export function driverLabels(context: DriverContext): Readonly<Record<string, string>> {
  const { application, identity, traits, sparkVersion } = context;
  const custom = recordWithPrefix(application.conf, "spark.kubernetes.driver.label.");
  return {
    ...(traits.replacesPlaceholdersInLabels ? replacePlaceholders(custom, context) : custom),
    [sparkVersionLabel]: sparkVersion,
    [appSelectorLabel]: identity.applicationId,
    [appNameLabel]: appNameLabelValue(valueOf(application.conf, "spark.app.name") ?? "spark"),
    [roleLabel]: driverRole,
  };
}

/** Replaces `{{APP_ID}}` by the id. `{{EXECUTOR_ID}}` becomes empty, because the driver is no executor. */
export function replacePlaceholders(
  record: Readonly<Record<string, string>>,
  { identity }: DriverContext,
): Readonly<Record<string, string>> {
  return Object.fromEntries(
    Object.entries(record).map(([name, value]) => [
      name,
      value.replaceAll("{{APP_ID}}", identity.applicationId).replaceAll("{{EXECUTOR_ID}}", ""),
    ]),
  );
}
