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
} from "./errors.ts";
export type { DownloadedFile } from "./files.ts";
export type { CompletedJob } from "./jobs.ts";
export type { CallOptions, GenerateOptions, WaitOptions } from "./options.ts";
export type {
  Account,
  Generation,
  ImageRequest,
  Job,
  JobList,
  JobQuery,
  Model,
  SceneRequest,
  SkillFile,
  StoryRequest,
} from "./types.ts";
