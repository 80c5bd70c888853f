import * as z from "zod";
import { eurAmount, isUsualTime, modelId, newName, timestamp, usualTime } from "./fields.ts";

/** Permissions of a key; see `docs/keys.md`. */
export const keyScope = z.enum(["generate", "read", "manage"]).meta({
  id: "KeyScope",
  description:
    "`generate`: request images and stories, and read the jobs that this key requested. `read`: read all jobs, usage and files of the account. `manage`: create, change and revoke keys and webhooks, and change the account.",
});
export type KeyScope = z.infer<typeof keyScope>;

/** Roles of the members of an account; see `docs/people.md`. */
export const memberRole = z.enum(["owner", "manager", "maker"]).meta({
  id: "MemberRole",
  description:
    "`owner`: everything, with the settings of the account. `manager`: keys, budgets, webhooks and makers. `maker`: request images and stories, and read its own jobs, or all of them where `makers_read_all` of the account is true.",
});
export type MemberRole = z.infer<typeof memberRole>;

/** A thing of an account that belongs to the key that requested or created it. */
export type OwnedThing = "job" | "batch" | "upload" | "character" | "location" | "share";

/** Whether jobs are charged, or free tests; see `docs/test-keys.md`. */
export const keyMode = z.enum(["live", "test"]).meta({
  id: "KeyMode",
  description: "`test`: free, and drawn by built-in models with a visible mark.",
});
export type KeyMode = z.infer<typeof keyMode>;

export const budgetPeriod = z.enum(["total", "day", "month"]);
export type BudgetPeriod = z.infer<typeof budgetPeriod>;

const budget = z
  .strictObject({
    eur: eurAmount,
    period: budgetPeriod.default("total").meta({
      description: "`day` and `month` begin at midnight UTC. `total` never starts again.",
    }),
  })
  .meta({
    id: "KeyBudget",
    description: "What the jobs of this key may cost in a period, unfinished jobs included.",
  });

const budgetId = z.uuid().toLowerCase().nullable().meta({
  description:
    "The shared budget that the jobs of the key spend from as well, by its id of `GET /v1/budgets`; null for none.",
});

const scopes = z
  .array(keyScope)
  .min(1)
  .max(3)
  .transform((list) => [...new Set(list)])
  .meta({ description: "What the key may do." });

const models = z.array(modelId).min(1).max(100).nullable().meta({
  description:
    "The models that the key may use, by ids of `GET /v1/models`; null for all. An unknown id is refused.",
});

const expiresAt = z.iso
  .datetime({ offset: true })
  .refine(isUsualTime, usualTime)
  .nullable()
  .meta({ description: "From then on the key is refused; null for never." });

/** Body of `POST /v1/keys`. */
export const createKeyRequest = z
  .strictObject({
    name: newName.meta({ description: "Shown in lists.", examples: ["Claude on my laptop"] }),
    mode: keyMode.optional().meta({
      description:
        "`test` for a key that begins with `atl_test_`, accepts any model id and costs nothing. Default: the mode of the key that creates it. It never changes, and a test key creates test keys only.",
    }),
    scopes: scopes.optional(),
    models: models.optional(),
    budget: budget.nullable().optional(),
    budget_id: budgetId.optional(),
    expires_at: expiresAt.optional(),
  })
  .meta({ id: "CreateKeyRequest" });
export type CreateKeyRequest = z.infer<typeof createKeyRequest>;

/** Body of `PATCH /v1/keys/{id}`: omitted properties stay unchanged. */
export const updateKeyRequest = z
  .strictObject({
    name: newName.optional(),
    scopes: scopes.optional(),
    models: models.optional(),
    budget: budget.nullable().optional(),
    budget_id: budgetId.optional(),
    expires_at: expiresAt.optional(),
  })
  .meta({ id: "UpdateKeyRequest" });
export type UpdateKeyRequest = z.infer<typeof updateKeyRequest>;

/** Body of `POST /v1/keys/{id}/rotate`. */
export const rotateKeyRequest = z
  .strictObject({
    grace_hours: z.number().min(0).max(168).default(0).meta({
      description: "How long the old key still works, in hours.",
    }),
  })
  .meta({ id: "RotateKeyRequest" });

const keyFields = {
  id: z.uuid(),
  mode: keyMode,
  name: z.string(),
  last_four: z.string().meta({ description: "The last four characters of the key." }),
  scopes: z.array(keyScope),
  models: z.array(z.string()).nullable(),
  budget: z.strictObject({ eur: z.string(), period: budgetPeriod }).nullable(),
  spent_eur: z.string().meta({
    description:
      "What jobs of this key cost in the current period of its budget, holds of unfinished jobs included.",
  }),
  budget_id: z.uuid().nullable().meta({
    description: "The shared budget that it spends from as well; null for none.",
  }),
  expires_at: timestamp.nullable(),
  created_at: timestamp,
  last_used_at: timestamp.nullable().meta({ description: "Exact to a minute." }),
  revoked_at: timestamp.nullable(),
  created_by: z.uuid().nullable().meta({
    description:
      "The key that created it, which it neither outlives nor exceeds; null for keys of the operator and of members.",
  }),
  member_id: z.uuid().nullable().meta({
    description:
      "The member who acts through it, and is changed with `/v1/members`; null for others.",
  }),
};

export const apiKey = z.strictObject(keyFields).meta({ id: "ApiKey" });
export type ApiKey = z.infer<typeof apiKey>;

/** Response to changing or revoking a key. */
export const changedKey = z
  .strictObject({
    ...keyFields,
    ended: z.strictObject({ keys: z.int(), webhooks: z.int(), sessions: z.int() }).meta({
      description:
        "What ended with this change: keys that it created, directly or through others, and the webhooks and sessions of Studio of all these keys.",
    }),
  })
  .meta({ id: "ChangedKey" });
export type ChangedKey = z.infer<typeof changedKey>;

export const apiKeyList = z
  .strictObject({ keys: z.array(apiKey).meta({ description: "Newest first." }) })
  .meta({ id: "ApiKeyList" });

/** Response to creating or rotating a key: the only one that contains the key. */
export const mintedKey = z
  .strictObject({
    ...keyFields,
    key: z.string().meta({ description: "The key itself. It is shown only once." }),
  })
  .meta({ id: "MintedKey" });
