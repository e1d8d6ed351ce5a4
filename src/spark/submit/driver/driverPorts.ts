import type { DriverContext } from "./driverSpec.ts";
import { readInt, readPlainInt } from "../conf/readConf.ts";
import { problems } from "../plan/problems.ts";
import type { Checked } from "../plan/submissionFinding.ts";

interface DriverPort {
  readonly name: "driver-rpc-port" | "blockmanager" | "spark-ui" | "spark-connect";
  readonly number: number;
}

const defaultBlockManagerPort = 7079;

/** Returns the ports of the driver's container. Includes port 0, because Spark also sends it. */
export function containerPorts(context: DriverContext): Checked<readonly DriverPort[]> {
  const common = readPlainInt(context, "spark.blockManager.port", defaultBlockManagerPort);
  const ports = portsWith(context, common.value);
  const isUsed = !context.application.conf.has("spark.driver.blockManager.port");
  const ofService = portsWith(context, defaultBlockManagerPort);
  // If the Service's ports clash too, `servicePorts` reports it. Avoids a second report.
  const isReported = clashOf(ofService.value, context).length > 0;
  const clash = isReported ? [] : clashOf(ports.value, context);
  return {
    value: ports.value,
    findings: [...ports.findings, ...(isUsed ? common.findings : []), ...clash],
  };
}

/** Returns the ports of the driver's Service, which ignores `spark.blockManager.port`. */
export function servicePorts(context: DriverContext): Checked<readonly DriverPort[]> {
  const { value, findings } = portsWith(context, defaultBlockManagerPort);
  return { value, findings: [...findings, ...clashOf(value, context)] };
}

function portsWith(
  context: DriverContext,
  blockManagerPort: number,
): Checked<readonly DriverPort[]> {
  const rpc = readPlainInt(context, "spark.driver.port", 7078);
  const blockManager = readPlainInt(context, "spark.driver.blockManager.port", blockManagerPort);
  const ui = readInt(context, "spark.ui.port", 4040);
  const connect = readPlainInt(context, "spark.connect.grpc.binding.port", 15002);
  const ports: readonly (readonly [DriverPort["name"], Checked<number>])[] = [
    ["driver-rpc-port", rpc],
    ["blockmanager", blockManager],
    ["spark-ui", ui],
    ...(context.traits.hasConnectPort ? [["spark-connect", connect] as const] : []),
  ];
  const used = ports.map(([name, { value }]) => ({ name, number: value }));
  return {
    value: used,
    findings: ports.flatMap(([, { findings }]) => findings),
  };
}

/** Returns a finding if two ports are equal: the API server rejects an object with the same port twice. */
function clashOf(ports: readonly DriverPort[], context: DriverContext) {
  const { conf } = context.application;
  const twin = ({ number }: DriverPort, at: number) =>
    number !== 0 && ports.some((other, index) => index !== at && other.number === number);
  const [first, ...others] = ports.filter(twin);
  if (first === undefined) return [];
  const keys = [first, ...others].flatMap(({ name }) => keysOf[name]);
  const key = keys.find((each) => conf.has(each)) ?? keysOf[first.name][0];
  return [problems.samePort(first.number, key, conf.get(key)?.origin)];
}

const keysOf: Readonly<Record<DriverPort["name"], readonly [string, ...string[]]>> = {
  "driver-rpc-port": ["spark.driver.port"],
  blockmanager: ["spark.driver.blockManager.port", "spark.blockManager.port"],
  "spark-ui": ["spark.ui.port"],
  "spark-connect": ["spark.connect.grpc.binding.port"],
};
