import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { openCatalogue } from "../../../src/spark/conf/catalogue/catalogue.ts";
import { checkCarets } from "./checkCarets.ts";

const catalogue = openCatalogue();
const folder = join(import.meta.dirname, "carets");

for (const file of readdirSync(folder)) {
  test(`${file}: what is marked is found, where it is marked, and nothing else`, () => {
    checkCarets(catalogue, readFileSync(join(folder, file), "utf8"));
  });
}
