import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { unlessGone } from "../../io/unlessGone.ts";

/** A profile from the AWS CLI's `config` and `credentials` files. */
export interface AwsProfile {
  readonly name: string;
  readonly values: ReadonlyMap<string, string>;
}

/** Reads the profile named by AWS_PROFILE, or `default`. The profile has no values if neither file contains it. */
export async function readAwsProfile(
  environment: Readonly<Record<string, string | undefined>>,
  homeDirectory: string,
): Promise<AwsProfile> {
  const folder = join(homeDirectory, ".aws");
  const name = environment["AWS_PROFILE"] ?? "default";
  const config = environment["AWS_CONFIG_FILE"] ?? join(folder, "config");
  const shared = environment["AWS_SHARED_CREDENTIALS_FILE"] ?? join(folder, "credentials");
  const [inConfig, inShared] = await Promise.all([
    sectionOf(config, [`profile ${name}`, ...(name === "default" ? ["default"] : [])]),
    sectionOf(shared, [name]),
  ]);
  return { name, values: new Map([...inConfig, ...inShared]) };
}

async function sectionOf(
  path: string,
  names: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const values = new Map<string, string>();
  let isInside = false;
  for (const line of ((await unlessGone(readFile(path, "utf8"))) ?? "").split(/\r?\n/)) {
    const [, section] = /^\s*\[([^\]]*)\]/.exec(line) ?? [];
    if (section !== undefined) isInside = names.includes(section.trim().replace(/\s+/g, " "));
    // Indented lines are nested settings of the key before them; none is needed here.
    const [, key, given = ""] = /^([^\s#;=][^=]*)=([^]*)$/.exec(line) ?? [];
    const [value = ""] = given.trim().split(/\s[#;]/, 1);
    if (isInside && key !== undefined) values.set(key.trimEnd().toLowerCase(), value.trim());
  }
  return values;
}
