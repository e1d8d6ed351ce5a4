// A stand-in for @vscode/spdlog (a native module): same calls, plain appendFileSync. Without any spdlog the
// server still runs, but output channels and log files stay empty.
import fs from "node:fs";
import path from "node:path";
const names = ["trace", "debug", "info", "warning", "error", "critical"];
export class Logger {
  constructor(name, file) {
    this.file = file;
    this.level = 2;
    this.plain = false;
    fs.mkdirSync(path.dirname(file), { recursive: true });
  }
  write(level, text) {
    if (level < this.level) return;
    const stamp = new Date().toISOString().replace("T", " ").replace("Z", "");
    fs.appendFileSync(this.file, this.plain ? text : `${stamp} [${names[level]}] ${text}\n`);
  }
  trace(t) {
    this.write(0, t);
  }
  debug(t) {
    this.write(1, t);
  }
  info(t) {
    this.write(2, t);
  }
  warn(t) {
    this.write(3, t);
  }
  error(t) {
    this.write(4, t);
  }
  critical(t) {
    this.write(5, t);
  }
  getLevel() {
    return this.level;
  }
  setLevel(l) {
    this.level = l;
  }
  setPattern() {}
  clearFormatters() {
    this.plain = true;
  }
  flush() {}
  drop() {}
}
export const version = 10000;
export const setLevel = () => {};
export const setFlushOn = () => {};
export const shutdown = () => {};
export const createRotatingLogger = async (name, file) => new Logger(name, file);
export const createAsyncRotatingLogger = createRotatingLogger;
