import * as z from "zod";
import { accountLines } from "../account.ts";
import { operations as allOperations, type Operations } from "../operations.ts";
import { accountEndpoints } from "./account.ts";
import { assistEndpoints } from "./assist.ts";
import { batchEndpoints } from "./batches.ts";
import { budgetEndpoints } from "./budgets.ts";
import { castEndpoints } from "./cast.ts";
import { chatEndpoints } from "./chat.ts";
import { collectionEndpoints } from "./collections.ts";
import { eventEndpoints } from "./events.ts";
import { fileEndpoints } from "./files.ts";
import { createGenerateEndpoints } from "./generate.ts";
import { jobEndpoints } from "./jobs.ts";
import { keyEndpoints } from "./keys.ts";
import { member, memberEndpoints } from "./members.ts";
import { modelEndpoints } from "./models.ts";
import { openaiImageEndpoints } from "./openai-images.ts";
import { preset, presetEndpoints } from "./presets.ts";
import { share, shareEndpoints } from "./shares.ts";
import { uploadEndpoints } from "./uploads.ts";
import { createUsageEndpoints } from "./usage.ts";
import { webhookEndpoints } from "./webhooks.ts";

export * from "./account.ts";
export * from "./assist.ts";
export * from "./batches.ts";
export * from "./budgets.ts";
export * from "./cast.ts";
export * from "./chat.ts";
export * from "./collections.ts";
export * from "./endpoint.ts";
export * from "./events.ts";
export * from "./files.ts";
export * from "./generate.ts";
export * from "./jobs.ts";
export * from "./keys.ts";
export * from "./members.ts";
export * from "./models.ts";
export * from "./openai-images.ts";
export * from "./presets.ts";
export * from "./samples.ts";
export * from "./shares.ts";
export * from "./uploads.ts";
export * from "./usage.ts";
export * from "./webhooks.ts";

/** Creates the records of the operations under `/v1`, in the order of the document. */
export function createEndpoints(operations: Operations) {
  return [
    ...createGenerateEndpoints(operations),
    ...jobEndpoints,
    ...batchEndpoints,
    ...uploadEndpoints,
    ...castEndpoints,
    ...collectionEndpoints,
    ...presetEndpoints,
    ...assistEndpoints,
    ...shareEndpoints,
    ...eventEndpoints,
    ...webhookEndpoints,
    ...modelEndpoints,
    ...accountEndpoints,
    ...createUsageEndpoints(operations),
    ...keyEndpoints,
    ...budgetEndpoints,
    ...memberEndpoints,
    ...fileEndpoints,
    ...chatEndpoints,
    ...openaiImageEndpoints,
  ] as const;
}

/** The records of this service. */
export const endpoints = createEndpoints(allOperations);

/** A line of `GET /v1/account/export`. */
export const exportLine = z.discriminatedUnion("type", [
  ...accountLines,
  z.strictObject({ type: z.literal("preset"), preset }),
  z.strictObject({ type: z.literal("share"), share }),
  z.strictObject({ type: z.literal("member"), member }),
]);
export type ExportLine = z.infer<typeof exportLine>;
