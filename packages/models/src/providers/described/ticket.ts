import { unknown } from "../http/call-ended.ts";
import { readText } from "./json-path.ts";
import type { TemplateValues } from "./template.ts";

/**
 * The request id of a polled call: the values that later requests need, in the order of the description
 * and separated by spaces.
 *
 * @throws CallEnded `unknown` if one is missing: the job was accepted and cannot be found again.
 */
export function formatTicket(keep: Readonly<Record<string, string>>, json: unknown): string {
  const values = Object.values(keep).map((path) => readText(json, [path]));
  if (values.some((value) => value === undefined || !/^[^\s]{1,2000}$/.test(value))) {
    throw unknown("an answer without the id of the job");
  }
  return values.join(" ");
}

/** The values of a request id, beside those that are known without it. */
export function parseTicket(
  keep: Readonly<Record<string, string>>,
  ticket: string,
  named: TemplateValues,
): TemplateValues {
  const values = ticket.split(" ");
  return {
    ...named,
    ...Object.fromEntries(Object.keys(keep).map((name, index) => [name, values[index] ?? ""])),
  };
}
