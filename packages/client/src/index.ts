export { readBaseUrl } from "./addresses.ts";
export { createAtelier, type Atelier, type AtelierOptions } from "./atelier.ts";
export type { ImageSource } from "./download-image.ts";
export {
  AtelierError,
  ConflictError,
  ConnectionError,
  InsufficientCreditError,
  IntegrityError,
  InvalidRequestError,
  NotAuthorizedError,
  NotFoundError,
  RateLimitError,
  RefusedError,
  ServiceError,
  type Refusal,
} from "./errors.ts";
export type { AccountCalls } from "./account.ts";
export type { Batches } from "./batches.ts";
export type { EditCall, EditImage } from "./edit.ts";
export type { DownloadedFile, FileKey } from "./files.ts";
export type * from "./generate-calls.ts";
export type { Keys } from "./keys.ts";
export type { Members } from "./members.ts";
export type { CompletedJob } from "./jobs.ts";
export { verifyImage, type PublicServiceOptions } from "./verify-image.ts";
export { verifyWebhook, type WebhookEvent } from "./verify-webhook.ts";
export type { JobEvent } from "./watch-job.ts";
export type { Webhooks } from "./webhooks.ts";
export type { CallOptions, GenerateOptions, WaitOptions } from "./options.ts";
export type * from "./types.ts";
