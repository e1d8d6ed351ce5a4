import { terminalText } from "../../spark/logs/terminalText.ts";

/** Removes colors and control characters from a line. */
export const logPlainText = (text: string): string =>
  terminalText(text.endsWith("\r") ? text.slice(0, -1) : text).replaceAll(colors, "");

const colors = new RegExp("\\u001b\\[[\\d;]*m", "g");
