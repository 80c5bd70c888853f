import type { Environment } from "@atelier/configuration";
import { escapeControls } from "@atelier/kit";

/** The output of a command: a terminal or a pipe. */
export interface Output {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

/** An output of texts that may have parts of others: what a terminal would obey is written escaped. */
export function escaping(output: Output): Output {
  return { write: (text) => output.write(escapeControls(text)) };
}

/** Returns whether the output is a terminal that can redraw a line. */
export function isInteractive(output: Output, environment: Environment): boolean {
  return output.isTTY === true && environment["TERM"] !== "dumb";
}

/** Whether to use colours: on a terminal unless NO_COLOR is set (no-color.org). */
export function hasColor(output: Output, environment: Environment): boolean {
  return isInteractive(output, environment) && !environment["NO_COLOR"];
}
