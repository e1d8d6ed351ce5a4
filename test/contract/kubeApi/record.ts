// Records the responses of a real API server: `KUBECONFIG=… node test/contract/kubeApi/record.ts`.
import { writeFileSync } from "node:fs";
import { cases } from "./cases.ts";
import { realServer, runAll } from "./runAll.ts";

const told = await runAll(await realServer(), cases);
const path = new URL("recorded.json", import.meta.url);
writeFileSync(path, `${JSON.stringify(told, undefined, 1)}\n`);
const requests = Object.values(told).reduce((sum, all) => sum + all.length, 0);
console.log(`${cases.length} cases, ${requests} requests`);
