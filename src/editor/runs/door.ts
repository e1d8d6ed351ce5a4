export {
  compareRuns,
  openRunDocument,
  openPostMortem,
  repeatRun,
  removeRuns,
} from "./runCommands.ts";
