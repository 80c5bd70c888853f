import type * as z from "zod";
import { unknown } from "./call-ended.ts";
import type { HttpAnswer } from "./send.ts";

/**
 * The fields of an answer that an adapter uses.
 *
 * @throws CallEnded `unknown` when the answer is not JSON or lacks them: something was answered, and
 *   nobody can tell what was made.
 */
export function readJson<T>(answer: HttpAnswer, schema: z.ZodType<T>): T {
  const parsed = findJson(answer, schema);
  if (parsed === null) throw unknown(`an answer ${answer.status} that cannot be read`);
  return parsed;
}

/** As readJson, for what a vendor says when it fails: null where it does not say it that way. */
export function findJson<T>(answer: HttpAnswer, schema: z.ZodType<T>): T | null {
  try {
    const parsed = schema.safeParse(JSON.parse(answer.body.toString("utf8")));
    return parsed.success ? parsed.data : null;
  } catch {
    return null;
  }
}
