import { isEditRole, unusedRole, type Reading, type RenderSpec } from "@atelier/schemas";
import type { CatalogueEntry } from "../../catalogue-entry.ts";

/**
 * Tells what the illustrator draws of a prompt, if that is less than it names; null for a prompt without unread
 * words, and for other models. The vocabulary is loaded when it is needed.
 */
export async function readPrompt(
  { provider, provider_model: model }: Pick<CatalogueEntry, "provider" | "provider_model">,
  { prompt, references, task }: Pick<RenderSpec, "prompt" | "references" | "task">,
): Promise<Reading | null> {
  if (provider !== "builtin" || model !== "illustrator" || task !== undefined) return null;
  const { describeReading } = await import("@atelier/illustrator/reading");
  const words = references.flatMap(({ role, name, description }) =>
    isEditRole(role) || role === unusedRole ? [] : [{ role, name, description }],
  );
  const reading = describeReading(prompt, words);
  return reading.isPattern || reading.unread.length > 0 ? reading : null;
}
