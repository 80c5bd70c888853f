import type { Environment } from "@atelier/configuration";

/** The output of a command: a terminal or a pipe. */
export interface Output {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

/** Returns whether the output is a terminal that can redraw a line. */
export function isInteractive(output: Output, environment: Environment): boolean {
  return output.isTTY === true && environment["TERM"] !== "dumb";
}

/** Whether to use colours: on a terminal unless NO_COLOR is set (no-color.org). */
export function hasColor(output: Output, environment: Environment): boolean {
  return isInteractive(output, environment) && !environment["NO_COLOR"];
}
