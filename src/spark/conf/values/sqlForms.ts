import { javaTrim } from "./javaText.ts";
import { isFrom, type SparkVersion } from "../catalogue/sparkVersions.ts";

// Checks for values of SQL properties. A value is reported only if Spark certainly rejects it.

/** True if this Spark version supports this Hive metastore version. */
export function isHiveVersion(text: string, version: SparkVersion): boolean {
  const [, major = "", minor = "0"] =
    /^([0-9]+)(?:\.([0-9]+)(?:\.[0-9]+(?:[.-].*)?)?)?$/.exec(text) ?? [];
  const line = major === "" ? "" : `${Number(major)}.${Number(minor)}`;
  if (/^(?:2\.[0-3]|3\.[01])$/.test(line)) return true;
  if (!isFrom(version, "4.0")) {
    // Spark also accepts `12`, `13` and `14` for 0.12 to 0.14.
    return /^(?:0\.1[2-4]|1\.[0-2])$/.test(line) || /^1[2-4]$/.test(text);
  }
  return line === "4.0" || (line === "4.1" && isFrom(version, "4.1"));
}

/**
 * True if the name can be that of a class in a package other than `java` and `scala`. Does not check that it exists.
 */
export const isClassName = (text: string): boolean =>
  /^[\p{L}_][\p{L}\p{N}_$]*(?:\.[\p{L}_$][\p{L}\p{N}_$]*)+$/u.test(text) &&
  /\p{Lu}/u.test(text.slice(text.lastIndexOf(".") + 1)) &&
  !/^(?:java|scala)\./.test(text);

/** True for a Java time zone id: a region, or an offset of at most 18 hours. */
export function isTimeZone(text: string): boolean {
  if (/^(?:Z|UTC|GMT|UT)$/.test(text)) return true;
  const offset = /^(?:UTC|GMT|UT)?[+-]([0-9]{1,2})(?::?([0-9]{1,2})(?::?([0-9]{1,2}))?)?$/.exec(
    text,
  );
  if (offset !== null) {
    const [hours = 0, minutes = 0, seconds = 0] = offset.slice(1).map((part) => Number(part || 0));
    return minutes < 60 && seconds < 60 && hours * 3600 + minutes * 60 + seconds <= 18 * 3600;
  }
  if (!/^[A-Za-z][A-Za-z0-9~/._+-]+$/.test(text)) return false;
  // Java's region names are case-sensitive, but `Intl` ignores case. So names in lower case are rejected.
  return text !== text.toLowerCase() && (isOfJavaAlone(text) || isRegion(text));
}

const shortNames =
  /^(?:ACT|AET|AGT|ART|AST|BET|BST|CAT|CNT|CST|CTT|EAT|ECT|IET|IST|JST|MIT|NET|NST|PLT|PNT|PRT|PST|SST|VST)$/;
const isOfJavaAlone = (text: string): boolean =>
  shortNames.test(text) || text.startsWith("SystemV/");

function isRegion(text: string): boolean {
  try {
    new Intl.DateTimeFormat("en", { timeZone: text });
    return true;
  } catch {
    return false;
  }
}

/** True for comma-separated names of at least two parts, or words such as `current_schema`. An empty path is valid. */
export function isSqlPath(text: string): boolean {
  if (javaTrim(text) === "") return true;
  return text.split(",").every((element) => {
    const name = javaTrim(element);
    return (
      /^(?:current_(?!path$)|default_|system_)[a-z_]+$/i.test(name) ||
      /^(?:`[^`]+`|[0-9]*[a-z_][a-z0-9_]*)(?:\.(?:`[^`]+`|[0-9]*[a-z_][a-z0-9_]*))+$/i.test(name)
    );
  });
}
