import { settingsReader, surfaceReader } from "../../../src/spark/surfaces/surfaces.ts";

export const readSurface = settingsReader(surfaceReader());
