import { terminalText } from "../../spark/logs/terminalText.ts";

/** A line without colors and control characters. */
export const logPlainText = (text: string): string =>
  terminalText(text.endsWith("\r") ? text.slice(0, -1) : text).replaceAll(colors, "");

const colors = new RegExp("\\u001b\\[[\\d;]*m", "g");
