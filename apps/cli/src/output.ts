import type { Environment } from "@atelier/configuration";

/** Where a command writes: a terminal or a pipe. */
export interface Output {
  readonly isTTY?: boolean;
  write(text: string): unknown;
}

/** A terminal on which a line can be written anew. */
export function isInteractive(output: Output, environment: Environment): boolean {
  return output.isTTY === true && environment["TERM"] !== "dumb";
}

/** Colour where somebody looks, unless NO_COLOR has any value (no-color.org). */
export function hasColor(output: Output, environment: Environment): boolean {
  return isInteractive(output, environment) && !environment["NO_COLOR"];
}
