import type { Model } from "@atelier/schemas";
import { formatDay } from "../format.ts";
import { texts } from "../texts.ts";

/** The provider of a model, or its problem, for readers. */
export function statusOf({ provider, retires_at: retiresAt, status }: Model): string {
  if (status === "degraded") return texts.create.modelDegraded;
  if (retiresAt !== null) return texts.create.modelRetires(formatDay(retiresAt));
  return provider.startsWith("builtin")
    ? texts.create.modelBuiltIn
    : texts.create.modelBy(provider);
}
