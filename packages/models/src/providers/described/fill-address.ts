import { invalidRequest, unknown } from "../http/call-ended.ts";
import { fillText, onlyPlaceholder } from "./placeholders.ts";
import type { TemplateValues } from "./template.ts";

/**
 * Fills a path. Values are percent-encoded between their slashes; a path that is one placeholder is a URL
 * that the provider returned, which `send` checks.
 *
 * @throws CallEnded when a value would leave the path, or is absent.
 */
export function fillPath(template: string, values: TemplateValues): string {
  const only = onlyPlaceholder(template);
  if (only !== null) {
    const url = values[only];
    return typeof url === "string" ? url : "";
  }
  const path = fillText(template, (name) => {
    const value = values[name];
    if (value === undefined || typeof value === "object") return undefined;
    const parts = String(value).split("/");
    if (parts.some((part) => part === "" || part === "." || part === "..")) {
      throw unknown(`a ${name} that cannot be part of a path`);
    }
    return parts.map((part) => encodeURIComponent(part)).join("/");
  });
  if (path === undefined) throw invalidRequest("a value of the path is missing");
  return path;
}

/** Fills headers; those with an absent value are left out. */
export function fillHeaders(
  headers: Readonly<Record<string, string>>,
  values: TemplateValues,
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headers).flatMap(([name, template]) => {
      const value = fillText(template, (inner) => {
        const filled = values[inner];
        return filled === undefined || typeof filled === "object" ? undefined : String(filled);
      });
      return value === undefined ? [] : [[name, value]];
    }),
  );
}
