import * as z from "zod";
import { cursor, eur, eurAmount, newName, nextCursor, timestamp } from "../fields.ts";
import { apiKey, createKeyRequest } from "../keys.ts";
import { strictness } from "../request-fields.ts";
import { endpoint, json } from "../endpoints/endpoint.ts";
import { member } from "../endpoints/members.ts";
import { listTransactions } from "../endpoints/usage.ts";
import { listTransactionsQuery } from "../transactions.ts";
import { booking, isConfirmed, unconfirmed } from "./fields.ts";

const tag = "Accounts";

export const accountStatus = z.enum(["active", "suspended", "erased"]);

const adminAccount = z
  .strictObject({
    id: z.uuid(),
    name: z.string(),
    external_id: z.string().nullable().meta({ description: "The operator's own id of it." }),
    status: accountStatus,
    strictness,
    retention_hours: z
      .int()
      .nullable()
      .meta({ description: "Of its images; null for the retention of the service." }),
    balance_eur: eur,
    held_eur: eur.meta({ description: "Set aside for unfinished jobs." }),
    unfinished_jobs: z.int(),
    last_30_days: z
      .strictObject({
        charged_eur: eur.meta({ description: "For jobs that ended in that time." }),
        refunded_eur: eur,
        failed_jobs: z.int().meta({ description: "Live jobs that were accepted and failed." }),
        is_complete: z.boolean().meta({
          description:
            "False for an account with more jobs than are read for this: the values are at least these.",
        }),
      })
      .meta({ description: "The last 30 times 24 hours." }),
    last_used_at: timestamp.nullable().meta({
      description: "When one of its keys was used last, exact to a minute; null for never.",
    }),
    suspended_at: timestamp.nullable(),
    suspension: z
      .strictObject({
        actor: z.string().meta({ description: "Who requested it, as in the operator log." }),
        reason: z.string().nullable().meta({ description: "Null from the command." }),
      })
      .nullable()
      .meta({
        description:
          "The line of the operator log about it; null for an active account, and for a line that is not among the newest 100 about the account.",
      }),
    erased_at: timestamp.nullable(),
    created_at: timestamp,
  })
  .meta({ id: "AdminAccount" });
export type AdminAccount = z.infer<typeof adminAccount>;

const adminAccountList = z
  .strictObject({
    accounts: z.array(adminAccount).meta({ description: "The newest first." }),
    next_cursor: nextCursor,
  })
  .meta({ id: "AdminAccountList" });

const accountDetails = z
  .strictObject({
    account: adminAccount,
    members: z.array(member).meta({
      description: "Those that are not disabled first, by name; at most 200.",
    }),
    keys: z.array(apiKey).meta({ description: "Without secrets. The newest first, at most 200." }),
  })
  .meta({ id: "AdminAccountDetails" });

const sample: AdminAccount = {
  id: "019a9f57-2b40-7f15-8c9a-4d7e10b3a6f2",
  name: "Marzipan Ltd",
  external_id: "C-1207",
  status: "active",
  strictness: "normal",
  retention_hours: null,
  balance_eur: "41.20",
  held_eur: "0.04",
  unfinished_jobs: 1,
  last_30_days: {
    charged_eur: "18.84",
    refunded_eur: "0.04",
    failed_jobs: 3,
    is_complete: true,
  },
  last_used_at: "2026-11-30T10:14:00.000Z",
  suspended_at: null,
  suspension: null,
  erased_at: null,
  created_at: "2026-06-02T09:30:00.000Z",
};

const params = {
  id: z
    .uuid()
    .toLowerCase()
    .meta({ description: "The id of an account.", examples: [sample.id] }),
};
const one = (description: string, value = sample) =>
  json(description, adminAccount, { account: ["An account", value] });

export const listAccounts = endpoint({
  id: "listAccounts",
  route: "GET /admin/v1/accounts",
  tag,
  summary: "Find accounts",
  description:
    "Accounts, the newest first. `q` is an id, an external id, or the beginnings of words of the name.",
  scope: [],
  query: z.strictObject({
    q: newName.optional().meta({ examples: ["marzipan"] }),
    limit: z.coerce.number().int().min(1).max(50).default(25).meta({
      description: "Maximum number of accounts per page.",
    }),
    cursor,
  }),
  results: {
    200: json("A page of accounts.", adminAccountList, {
      accounts: ["One account", { accounts: [sample], next_cursor: null }],
    }),
  },
});

export const readAdminAccount = endpoint({
  id: "readAdminAccount",
  route: "GET /admin/v1/accounts/{id}",
  tag,
  summary: "Read an account",
  description: "The account with its members and keys.",
  scope: [],
  params,
  results: {
    200: json("The account.", accountDetails, {
      account: ["Without members and keys", { account: sample, members: [], keys: [] }],
    }),
  },
  errors: ["account_not_found"],
});

export const listAccountTransactions = endpoint({
  id: "listAccountTransactions",
  route: "GET /admin/v1/accounts/{id}/transactions",
  tag,
  summary: "List the transactions of an account",
  description:
    "Its top-ups, charges, withdrawals and refunds, newest first, as `GET /v1/transactions` lists them. Holds are no transactions: they move money between the balance and the held amount.",
  scope: [],
  params,
  query: listTransactionsQuery,
  results: listTransactions.results,
  errors: ["account_not_found"],
});

export const createAdminAccount = endpoint({
  id: "createAdminAccount",
  route: "POST /admin/v1/accounts",
  tag,
  summary: "Create an account",
  description:
    "Creates an account without keys. One with the same external id is returned as it is, with 200.",
  scope: [],
  body: {
    schema: z
      .strictObject({
        name: newName,
        external_id: newName.optional(),
        strictness: strictness.optional(),
        credit_eur: eurAmount.optional().meta({
          description: "Initial credit, which needs an `external_id`: it is booked once for each.",
        }),
        confirm: booking.confirm,
      })
      .refine((body) => isConfirmed(body.credit_eur, body.confirm), unconfirmed)
      .refine((body) => body.credit_eur === undefined || body.external_id !== undefined, {
        path: ["external_id"],
        error: "must be given with credit_eur: a repeated request books it once",
      })
      .meta({ id: "CreateAccountRequest" }),
    examples: { request: [null, { name: sample.name, external_id: "C-1207", credit_eur: "20" }] },
  },
  results: { 200: one("The account that exists."), 201: one("The new account.") },
  errors: ["change_refused"],
  recorded: { action: "accounts create", byItself: true },
});

export const changeAdminAccount = endpoint({
  id: "changeAdminAccount",
  route: "PATCH /admin/v1/accounts/{id}",
  tag,
  summary: "Change an account",
  description:
    "Changes what the body names. A shorter retention deletes images that are older. Limits and models belong to keys.",
  scope: [],
  params,
  body: {
    schema: z
      .strictObject({
        strictness: strictness.optional(),
        retention_hours: z.int().min(1).max(1_000_000).nullable().optional().meta({
          description: "At most `RETENTION_HOURS`; null for that.",
        }),
      })
      .refine((body) => Object.keys(body).length > 0, "must name what to change")
      .meta({ id: "ChangeAccountRequest" }),
    examples: { request: [null, { strictness: "liberal" }] },
  },
  results: { 200: one("The account as it is now.", { ...sample, strictness: "liberal" }) },
  errors: ["account_not_found", "change_refused"],
  recorded: { action: "accounts change", alone: { strictness: "accounts strictness" } },
});

const moved = z
  .strictObject({
    account_id: z.uuid(),
    booked: z.boolean().meta({ description: "False if the reference was booked before." }),
    reference: z.string(),
    balance_eur: eur,
  })
  .meta({ id: "BookedMovement" });

const movement = (kind: "top up" | "withdraw") =>
  ({
    params,
    body: {
      schema: z
        .strictObject(booking)
        .refine((body) => isConfirmed(body.eur, body.confirm), unconfirmed)
        .meta({ id: kind === "top up" ? "TopUpRequest" : "WithdrawalRequest" }),
      examples: {
        request: [null, { eur: "20", reference: "invoice 2026-117", reason: "Bank transfer" }],
      },
    },
    results: {
      200: json("The outcome.", moved, {
        booked: [
          "Booked",
          {
            account_id: sample.id,
            booked: true,
            reference: "invoice 2026-117",
            balance_eur: "61.20",
          },
        ],
      }),
    },
    errors: ["account_not_found", "change_refused"],
  }) as const;

export const topUpAccount = endpoint({
  id: "topUpAccount",
  route: "POST /admin/v1/accounts/{id}/top-ups",
  tag,
  summary: "Add credit",
  description: "Adds credit to the account, once for each reference.",
  scope: [],
  ...movement("top up"),
  recorded: { action: "accounts top-up", fields: ["balance"], values: ["reason"] },
});

export const withdrawFromAccount = endpoint({
  id: "withdrawFromAccount",
  route: "POST /admin/v1/accounts/{id}/withdrawals",
  tag,
  summary: "Remove credit",
  description: "Removes available credit from the account, once for each reference.",
  scope: [],
  ...movement("withdraw"),
  recorded: { action: "accounts withdraw", fields: ["balance"], values: ["reason"] },
});

const reasoned = {
  params,
  body: {
    schema: z.strictObject({ reason: booking.reason }).meta({ id: "ReasonRequest" }),
    examples: { request: [null, { reason: "Unpaid since October" }] },
  },
  errors: ["account_not_found", "change_refused"],
} as const;

export const suspendAccount = endpoint({
  id: "suspendAccount",
  route: "POST /admin/v1/accounts/{id}/suspend",
  tag,
  summary: "Suspend an account",
  description:
    "Refuses all requests of the account with 403, and ends its shared links for good. Accepted jobs are finished.",
  scope: [],
  ...reasoned,
  results: { 200: one("The account as it is now.", { ...sample, status: "suspended" }) },
  recorded: { action: "accounts suspend", fields: ["suspended_at"], values: ["reason"] },
});

export const resumeAccount = endpoint({
  id: "resumeAccount",
  route: "POST /admin/v1/accounts/{id}/resume",
  tag,
  summary: "Resume an account",
  description: "Accepts requests of a suspended account again.",
  scope: [],
  ...reasoned,
  results: { 200: one("The account as it is now.") },
  recorded: { action: "accounts resume", fields: ["suspended_at"], values: ["reason"] },
});

export const createAccountKey = endpoint({
  id: "createAccountKey",
  route: "POST /admin/v1/accounts/{id}/keys",
  tag,
  summary: "Create a key for an account",
  description:
    "Creates a key that no other key created, with these limits. It is shown only in this response.",
  scope: [],
  params,
  body: {
    schema: createKeyRequest.omit({ budget_id: true }).meta({ id: "CreateAccountKeyRequest" }),
    examples: { request: [null, { name: "website", scopes: ["generate"] }] },
  },
  results: {
    201: json(
      "The key.",
      z
        .strictObject({ id: z.uuid(), account_id: z.uuid(), key: z.string() })
        .meta({ id: "AccountKey" }),
      {
        key: [
          "A key, shown once",
          {
            id: "019aa1c2-4b5d-7a55-8e20-5b7c1d2e3f41",
            account_id: sample.id,
            key: "atl_live_5kP2vXq9mT4wZ8yB1cN7hJ3fR6gS0dLaEuVoYiKx",
          },
        ],
      },
    ),
  },
  errors: ["account_not_found", "change_refused"],
  recorded: { action: "accounts keys create", fields: ["key"], values: ["name"] },
});

export const revokeAccountKey = endpoint({
  id: "revokeAccountKey",
  route: "POST /admin/v1/keys/{id}/revoke",
  tag,
  summary: "Revoke a key",
  description: "Revokes a key permanently, with what it created.",
  scope: [],
  params: {
    id: z
      .uuid()
      .toLowerCase()
      .meta({
        description: "The id of a key.",
        examples: ["019aa1c2-4b5d-7a55-8e20-5b7c1d2e3f41"],
      }),
  },
  results: {
    200: json(
      "What ended.",
      z
        .strictObject({ keys: z.int(), webhooks: z.int(), sessions: z.int() })
        .meta({ id: "EndedWithKey", description: "What ended with the key, and itself." }),
      { ended: ["One key and its session", { keys: 1, webhooks: 0, sessions: 1 }] },
    ),
  },
  errors: ["key_not_found", "change_refused"],
  recorded: { action: "accounts keys revoke", fields: ["revoked_at"] },
});

/** `/admin/v1/accounts` and `/admin/v1/keys`. */
export const accountEndpoints = [
  listAccounts,
  createAdminAccount,
  readAdminAccount,
  listAccountTransactions,
  changeAdminAccount,
  topUpAccount,
  withdrawFromAccount,
  suspendAccount,
  resumeAccount,
  createAccountKey,
  revokeAccountKey,
] as const;
