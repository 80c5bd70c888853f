import { accountEndpoints } from "./account.ts";
import { batchEndpoints } from "./batches.ts";
import { castEndpoints } from "./cast.ts";
import { collectionEndpoints } from "./collections.ts";
import { jobEndpoints } from "./jobs.ts";
import { keyEndpoints } from "./keys.ts";
import { presetEndpoints } from "./presets.ts";
import { uploadEndpoints } from "./uploads.ts";
import { webhookEndpoints } from "./webhooks.ts";

export * from "./account.ts";
export * from "./batches.ts";
export * from "./cast.ts";
export * from "./collections.ts";
export * from "./endpoint.ts";
export * from "./jobs.ts";
export * from "./keys.ts";
export * from "./presets.ts";
export * from "./samples.ts";
export * from "./uploads.ts";
export * from "./webhooks.ts";

/** The operations of the API that have a record, by their resource. */
export const endpoints = [
  ...jobEndpoints,
  ...batchEndpoints,
  ...uploadEndpoints,
  ...castEndpoints,
  ...collectionEndpoints,
  ...presetEndpoints,
  ...webhookEndpoints,
  ...accountEndpoints,
  ...keyEndpoints,
] as const;
