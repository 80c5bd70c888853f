import type * as z from "zod";
import { unknown } from "./call-ended.ts";
import type { HttpResponse } from "./send.ts";

/**
 * Parses the fields of a response that an adapter uses.
 *
 * @throws CallEnded `unknown` when the response is not JSON or lacks a field: the server responded,
 *   and it is unclear whether an image was generated.
 */
export function readJson<T>(response: HttpResponse, schema: z.ZodType<T>): T {
  const parsed = findJson(response, schema);
  if (parsed === null) throw unknown(`a response ${response.status} that cannot be read`);
  return parsed;
}

/** Like readJson, for a vendor's error format: null when the response has another format. */
export function findJson<T>(response: HttpResponse, schema: z.ZodType<T>): T | null {
  try {
    const parsed = schema.safeParse(JSON.parse(response.body.toString("utf8")));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}
