import { readFileSync } from "node:fs";
import * as z from "zod";
import { guardDescription, labelMeanings } from "./guard-description.ts";
import { thresholdChanges } from "./openai-thresholds.ts";

const moderationFile = z.strictObject({
  /** For `MODERATION=guard`. */
  guard: guardDescription.optional(),
  /** For `MODERATION=openai`. */
  thresholds: thresholdChanges.optional(),
  /** For a described guard model: what some of its labels mean, instead of the description. */
  labels: labelMeanings.optional(),
});

export type ModerationFile = z.infer<typeof moderationFile>;

/**
 * Reads the operator's file of moderation settings.
 *
 * @throws Error that names the file, and each mistake with its position.
 */
export function readModerationFile(file: string): ModerationFile {
  let data: unknown;
  try {
    data = JSON.parse(readFileSync(file, "utf8"));
  } catch (cause) {
    throw new Error(`${file} cannot be read as JSON: ${(cause as Error).message}`, { cause });
  }
  const parsed = moderationFile.safeParse(data);
  if (parsed.success) return parsed.data;
  throw new Error(`${file} is not valid:\n${z.prettifyError(parsed.error)}`);
}
