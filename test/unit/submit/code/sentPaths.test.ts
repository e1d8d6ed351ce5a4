import assert from "node:assert/strict";
import { test } from "node:test";
import { sentPaths } from "../../../../src/spark/submit/code/sentPaths.ts";
import type { SentFile } from "../../../../src/spark/submit/code/sentCode.ts";

const file = (role: SentFile["role"], members: SentFile["members"] = []): SentFile => ({
  ...{ name: "n", size: 1, isExecutable: false, role, members },
  content: { kind: "inline", base64: "" },
});

test("the paths of sent files are the program, its modules and included data", () => {
  const members = [{ name: "shop/tax.py", path: "/w/shop/tax.py", size: 1, reason: "" }];
  const paths = sentPaths([
    file({ kind: "requested", path: "/w/main.py" }),
    file({ kind: "data", path: "/w/a.json" }),
    file({ kind: "modules" }, members),
    file({ kind: "support" }),
  ]);
  assert.deepEqual([...paths].sort(), ["/w/a.json", "/w/main.py", "/w/shop/tax.py"]);
});
