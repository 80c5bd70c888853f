import type { components } from "./contract.ts";

type Schemas = components["schemas"];

/** Bytes of a file; `Uint8Array<ArrayBuffer>` where TypeScript has that type, which is since 5.7. */
export type Bytes = ReturnType<typeof Uint8Array.of>;

/**
 * The result of a job: signed URLs valid for one hour, hashes, cost and balance. The URLs are absent after
 * the files were deleted.
 */
export type Generation = Schemas["GenerationResponse"];
/** One image, or several with `n`. */
export type ImageResult = Schemas["ImageResult"];
/** A combination, which always has `images`. */
export type CombinedResult = Schemas["CombinedResult"];
/** A diagram, which always has `formats.svg`. */
export type DiagramResult = Schemas["DiagramResult"];
/** A traced image, which always has `formats.svg`. */
export type TracedResult = Schemas["TracedResult"];
/** A story right after it was made. */
export type StoryResult = Generation &
  Required<
    Pick<
      Generation,
      "title" | "scenes" | "characters" | "locations" | "image_urls" | "image_hashes"
    >
  >;
export type Job = Schemas["Job"];
/** A job of a list: the start of its prompt instead of its request. */
export type ListedJob = Schemas["ListedJob"];
export type JobList = Schemas["JobList"];
export type ChangeJobRequest = Schemas["ChangeJobRequest"];
/** The jobs whose images an account keeps until it deletes them. */
export type KeptList = Schemas["KeptList"];
/** A character that stays until it is deleted. */
export type KeptCharacter = Schemas["KeptCharacter"];
export type KeptCharacterList = Schemas["KeptCharacterList"];
export type NewCharacter = Schemas["NewCharacter"];
export type ChangeCharacter = Schemas["ChangeCharacter"];
/** A character or location that a job draws. */
export type MemberAccepted = Schemas["MemberAccepted"];
/** A location that stays until it is deleted. */
export type KeptLocation = Schemas["KeptLocation"];
export type KeptLocationList = Schemas["KeptLocationList"];
export type NewLocation = Schemas["NewLocation"];
export type ChangeLocation = Schemas["ChangeLocation"];
/** Jobs that the account put together. */
export type Collection = Schemas["Collection"];
export type CollectionList = Schemas["CollectionList"];
export type ChangeCollectionRequest = Schemas["ChangeCollectionRequest"];
export type Budget = Schemas["Budget"];
export type NewBudget = Schemas["NewBudget"];
export type UpdateBudgetRequest = Schemas["UpdateBudgetRequest"];
export type Member = Schemas["Member"];
export type MemberRole = Schemas["MemberRole"];
export type MemberWithLink = Schemas["MemberWithLink"];
export type ChangedMember = Schemas["ChangedMember"];
export type HandedOver = Schemas["HandedOver"];
export type InviteMemberRequest = Schemas["InviteMemberRequest"];
export type UpdateMemberRequest = Schemas["UpdateMemberRequest"];
export type NewPreset = Schemas["NewPreset"];
/** Properties of a request, saved under a name. */
export type Preset = Schemas["Preset"];
export type PresetList = Schemas["PresetList"];
export type ImprovePromptRequest = Schemas["ImprovePromptRequest"];
export type PromptSuggestions = Schemas["PromptSuggestions"];
export type DraftStoryRequest = Schemas["DraftStoryRequest"];
/** A request for a story without its model. */
export type StoryDraft = Schemas["StoryDraft"];
export type NewShare = Schemas["NewShare"];
/** A link that shows images to anyone who has it. */
export type Share = Schemas["Share"];
/** A share with its link, which is returned once. */
export type CreatedShare = Schemas["CreatedShare"];
export type ShareList = Schemas["ShareList"];
/** An image that requests can refer to. */
export type Upload = Schemas["Upload"];
/** Many requests that are accepted in the background. */
export type Batch = Schemas["Batch"];
export type BatchList = Schemas["BatchList"];
/** Body of `POST /v1/batches`; `priority` has only one value so far. */
export type NewBatch = Pick<Schemas["NewBatch"], "requests" | "webhook_url">;
/** The outcome of a line of a batch. */
export interface BatchResult {
  /** Position of the request in the batch, from 1. */
  readonly line: number;
  /** `archived`: the job of an ended batch was archived by the operator. */
  readonly status: "completed" | "failed" | "cancelled" | "archived";
  /** Null for a line that was not accepted, or whose job was archived. */
  readonly job_id: string | null;
  readonly result: Generation | null;
  readonly error: Schemas["JobError"] | null;
}
/** The origin of an image, as far as it is known. */
export type Verification = Schemas["Verification"];
export type JobAccepted = Schemas["JobAccepted"];
export type Model = Schemas["Model"];
export type Account = Schemas["Account"];
export type UpdateAccountRequest = Schemas["UpdateAccountRequest"];
export type ApiKey = Schemas["ApiKey"];
/** A key after a change, with what ended with it. */
export type ChangedKey = Schemas["ChangedKey"];
export type ApiKeyList = Schemas["ApiKeyList"];
/** A new key, with the key itself. */
export type MintedKey = Schemas["MintedKey"];
export type CreateKeyRequest = Schemas["CreateKeyRequest"];
export type UpdateKeyRequest = Schemas["UpdateKeyRequest"];
export type Usage = Schemas["Usage"];
export type TransactionList = Schemas["TransactionList"];
export type QuoteRequest = Schemas["QuoteRequest"];
export type Quote = Schemas["Quote"];
export type EventType = Schemas["EventType"];
export type Webhook = Schemas["Webhook"];
/** A webhook, with its secret. */
export type WebhookWithSecret = Schemas["WebhookWithSecret"];
/** The data of the event `job.progress`. */
export type JobProgress = Schemas["JobProgress"];
/** The secret that signs deliveries to the `webhook_url` of requests. */
export type AccountWebhookSecret = Schemas["AccountWebhookSecret"];
export type WebhookList = Schemas["WebhookList"];
export type CreateWebhookRequest = Schemas["CreateWebhookRequest"];
export type UpdateWebhookRequest = Schemas["UpdateWebhookRequest"];
export type WebhookDelivery = Schemas["WebhookDelivery"];
export type WebhookDeliveryList = Schemas["WebhookDeliveryList"];
export type ModelList = Schemas["ModelList"];
export type FileList = Schemas["FileList"];
/** A skill file template of `GET /v1/files`. */
export type SkillFile = NonNullable<FileList["files"]>[number];

/** Query of `GET /v1/jobs`. */
export interface JobQuery {
  /** 1 to 100. Default: 20. */
  readonly limit?: number;
  /** `next_cursor` of the previous page. Default: the first page. */
  readonly cursor?: string;
  /** Filters are combined: a job must match all of them. Default: jobs of every kind. */
  readonly status?: Job["status"];
  readonly kind?: Job["kind"];
  readonly operation?: Job["operation"];
  /** Default: the mode of the key. */
  readonly mode?: Job["mode"];
  readonly model?: string;
  /** The id of a key. */
  readonly key?: string;
  /** ISO 8601: created at this time or later, and before this time. */
  readonly created_after?: string;
  readonly created_before?: string;
  /** Words of the prompt. */
  readonly q?: string;
  /** SHA-256 of a file, such as an `image_hash`: only the job that made it. */
  readonly hash?: string;
  /** SHA-256 of a file, such as an `image_hash`: only jobs with images that look like it. */
  readonly similar_to?: string;
  /** The id of a collection. */
  readonly collection?: string;
  /** Only starred jobs. */
  readonly starred?: true;
  /** Pairs that the job's metadata must have. */
  readonly metadata?: Readonly<Record<string, string>>;
}

/** Query of `GET /v1/characters` and `GET /v1/locations`. */
export type CastQuery = KeptQuery;

/** Query of `GET /v1/kept`. */
export interface KeptQuery {
  /** 1 to 100. Default: 20. */
  readonly limit?: number;
  /** `next_cursor` of the previous page. */
  readonly cursor?: string;
}

/** Query of `GET /v1/usage`. */
export interface UsageQuery {
  /** First day in UTC, such as `2026-11-01`. Default: 29 days before `to`. At most 366 days in total. */
  readonly from?: string;
  /** Last day in UTC, included. Default: today. */
  readonly to?: string;
  /** Default: day. */
  readonly group_by?: "day" | "model" | "key" | "budget" | "kind";
  /** Default: the mode of the key. */
  readonly mode?: Job["mode"];
}

/** Query of `GET /v1/batches`. */
export interface BatchQuery {
  /** 1 to 100. Default: 20. */
  readonly limit?: number;
  /** `next_cursor` of the previous page. */
  readonly cursor?: string;
}

/** Query of `GET /v1/batches/{id}/archive`. */
export interface BatchArchiveQuery {
  /** Default: `png`. */
  readonly format?: "png" | "jpeg" | "webp" | undefined;
  /** The line before the first one of the archive. Default: 0. */
  readonly after_line?: number | undefined;
  /** Lines of the archive, 1 to 500. Default: 500. */
  readonly limit?: number | undefined;
}

/** Query of `GET /v1/transactions`. */
export interface TransactionQuery {
  /** 1 to 100. Default: 20. */
  readonly limit?: number;
  /** `next_cursor` of the previous page. */
  readonly cursor?: string;
}

/** A transfer of the ledger; holds and releases move money between balance and held amount. */
export interface Transfer {
  readonly id: string;
  readonly kind: "top_up" | "withdrawal" | "hold" | "settle" | "release" | "refund";
  readonly created_at: string;
  readonly available_eur: string;
  readonly held_eur: string;
  readonly charged_eur: string;
  readonly job_id: string | null;
  readonly reference: string | null;
}

/** A change of the account by the operator, in an export. */
export interface OperatorAction {
  readonly created_at: string;
  readonly action: string;
  readonly fields: readonly string[];
  readonly values: Readonly<Record<string, string>> | null;
}

/** An archived job in an export. */
export interface ArchivedJob {
  readonly id: string;
  readonly operation: string;
  readonly status: string;
  readonly model: string;
  readonly title: string | null;
  readonly request: Readonly<Record<string, unknown>>;
  readonly metadata: Readonly<Record<string, unknown>>;
  readonly charged_eur: string;
  readonly created_at: string;
  readonly completed_at: string;
}

/** A line of `GET /v1/account/export`. */
export type ExportLine =
  | { readonly type: "account"; readonly account: Account }
  | { readonly type: "key"; readonly key: ApiKey }
  | { readonly type: "webhook"; readonly webhook: Schemas["Webhook"] }
  | {
      readonly type: "batch";
      readonly batch: Batch;
      /** Where its event is sent, as its request says. */
      readonly webhook_url?: string;
    }
  | {
      readonly type: "job";
      readonly job: Job;
      /** Where its events are sent, as its request says. Kept for ten days. */
      readonly webhook?: { readonly url: string; readonly events: readonly string[] };
    }
  /** A job that the operator moved to the archive, without its images. */
  | { readonly type: "archived_job"; readonly job: ArchivedJob }
  | { readonly type: "operator_action"; readonly action: OperatorAction }
  | { readonly type: "transfer"; readonly transfer: Transfer }
  | { readonly type: "end"; readonly lines: number };
