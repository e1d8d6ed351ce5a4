// The Python of a container image: its version, platform and installed packages.
import { fieldsOf, parseJson, textAt, textsOf } from "../../../base/json.ts";
import { normalizedName } from "./requirement.ts";
import type { MarkerEnvironment } from "./marker.ts";

export interface ImagePython {
  /** For example `3.11.2`. */
  readonly version: string;
  /** For example `x86_64` or `aarch64`. */
  readonly machine: string;
  /** The C library, for example `glibc 2.36` or `musl 1.2`. Wheels with native code depend on it. */
  readonly libc: string;
  readonly environment: MarkerEnvironment;
  /** Versions by normalized name. */
  readonly installed: Readonly<Record<string, string>>;
}

const prefix = "SPARK_K8S_PYTHON ";
const maxPackages = 5_000;

/**
 * A Python program that prints the properties of its interpreter, one per line because kubelets split long lines. Needs
 * Python 3.8 or later.
 */
export const imageScript = `
import json, os, platform, sys, sysconfig
from importlib import metadata
try:
    libc = os.confstr("CS_GNU_LIBC_VERSION") or ""
except (ValueError, OSError):
    libc = ""
if not libc:
    abi = str(sysconfig.get_config_var("SOABI") or "") + str(sysconfig.get_config_var("HOST_GNU_TYPE") or "")
    libc = "musl 1.1" if "musl" in abi else ""
full = ".".join(map(str, sys.version_info[:3]))
environment = {
    "implementation_name": sys.implementation.name,
    "implementation_version": full,
    "os_name": os.name,
    "platform_machine": platform.machine(),
    "platform_python_implementation": platform.python_implementation(),
    "platform_release": platform.release(),
    "platform_system": platform.system(),
    "platform_version": platform.version(),
    "python_full_version": full,
    "python_version": ".".join(map(str, sys.version_info[:2])),
    "sys_platform": sys.platform,
}
def tell(kind, *values):
    print("${prefix}" + json.dumps([kind, *values]))
tell("python", full, platform.machine(), libc)
for name, value in environment.items():
    tell("marker", name, value)
seen = set()
for found in metadata.distributions():
    name = found.metadata["Name"]
    # The first one on the path is the imported one.
    if name and found.version and name not in seen:
        seen.add(name)
        tell("package", name, found.version)
tell("end")
`;

/** Decodes the output of `imageScript`, which is untrusted. Undefined if it is incomplete or invalid. */
export function decodeImagePython(lines: readonly string[]): ImagePython | undefined {
  let python: readonly [string, string, string] | undefined;
  let isComplete = false;
  const environment = new Map<string, string>();
  const installed = new Map<string, string>();
  for (const line of lines) {
    if (!line.startsWith(prefix)) continue;
    const parsed = parseJson(line.slice(prefix.length));
    const values = parsed.ok && Array.isArray(parsed.value) ? (parsed.value as unknown[]) : [];
    const [kind, first, second, third] = values.map((value) =>
      typeof value === "string" ? value.slice(0, 200) : "",
    );
    if (kind === "python") python = [first ?? "", second ?? "", third ?? ""];
    else if (kind === "marker" && first !== undefined) environment.set(first, second ?? "");
    else if (kind === "package" && first !== undefined && installed.size < maxPackages) {
      installed.set(normalizedName(first), second ?? "");
    } else if (kind === "end") isComplete = true;
  }
  return isComplete && python !== undefined
    ? checked({
        version: python[0],
        machine: python[1],
        libc: python[2],
        environment: Object.fromEntries(environment),
        installed: Object.fromEntries(installed),
      })
    : undefined;
}

/** Decodes a stored result. Undefined if the JSON is invalid. */
export function imagePythonOf(json: unknown): ImagePython | undefined {
  const { environment, installed } = fieldsOf(json);
  return checked({
    version: textAt(json, "version") ?? "",
    machine: textAt(json, "machine") ?? "",
    libc: textAt(json, "libc") ?? "",
    environment: textsOf(environment),
    installed: textsOf(installed),
  });
}

// Rejects unexpected text: the values become arguments of uv or pip on the user's machine.
function checked(python: ImagePython): ImagePython | undefined {
  const isValid =
    /^\d+\.\d+\.\d+$/.test(python.version) &&
    /^[a-z0-9_]{1,20}$/.test(python.machine) &&
    /^(?:(?:glibc|musl) \d+\.\d+(?:\.\d+)?)?$/.test(python.libc);
  return isValid ? python : undefined;
}

/** Returns major and minor version, for example `3.11`. */
export const minorVersion = ({ version }: Pick<ImagePython, "version">): string =>
  version.split(".").slice(0, 2).join(".");

/** Returns the platform tags of the wheels that the image can load: PEP 600 tags newest first, then older formats. */
export function platformTags({
  machine,
  libc,
}: Pick<ImagePython, "machine" | "libc">): readonly string[] {
  const [kind, version = ""] = libc.split(" ");
  const [major = 0, minor = 0] = version.split(".").map(Number);
  const tags = (family: string, oldest: number): readonly string[] =>
    Array.from(
      { length: Math.min(Math.max(minor - oldest + 1, 0), 100) },
      (_, index) => `${family}_${major}_${minor - index}_${machine}`,
    );
  if (kind === "musl") return [...tags("musllinux", 0), `linux_${machine}`];
  if (kind !== "glibc") return [`linux_${machine}`];
  // Legacy tags from before PEP 600. The last two exist for x86 only, and match no wheels for other architectures.
  const old: readonly (readonly [string, number])[] = [
    ["manylinux2014", 17],
    ["manylinux2010", 12],
    ["manylinux1", 5],
  ];
  return [
    ...tags("manylinux", 5),
    ...old.filter(([, needed]) => minor >= needed).map(([name]) => `${name}_${machine}`),
    `linux_${machine}`,
  ];
}

/** Returns uv's name for the image's platform. */
export function uvPlatform({ machine, libc }: Pick<ImagePython, "machine" | "libc">): string {
  const [kind, version = ""] = libc.split(" ");
  if (kind === "musl") return `${machine}-unknown-linux-musl`;
  const minor = Number(version.split(".")[1] ?? "0");
  // All releases of uv know these two platforms. Few wheels need a newer one.
  return minor >= 28 ? `${machine}-manylinux_2_28` : `${machine}-manylinux2014`;
}
