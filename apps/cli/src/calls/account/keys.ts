import type { ApiKey, ChangedKey, CreateKeyRequest, UpdateKeyRequest } from "@atelier/client";
import { UsageError } from "@atelier/configuration";
import type { KeyMode } from "@atelier/schemas";
import { properties, table, withSecret, type Answer } from "../../answer.ts";
import { periodOf, type KeyFlags } from "../../key-limits.ts";
import type { Caller } from "../call.ts";

/** Flags of a new key. */
export interface CreateKeyFlags extends KeyFlags {
  readonly mode?: KeyMode;
  /** The id of a budget. */
  readonly sharedBudget?: string;
}

/** Flags that change a key; `no…` flags remove a limit. */
export interface UpdateKeyFlags extends Omit<KeyFlags, "models" | "budget" | "expires"> {
  readonly name?: string;
  readonly models?: readonly string[] | false;
  readonly budget?: string | false;
  readonly sharedBudget?: string | false;
  readonly expires?: string | false;
}

export async function list({ atelier, follow }: Caller): Promise<Answer> {
  const keys = await atelier.keys.list({ signal: follow.signal });
  const headings = [
    "ID",
    "NAME",
    "MODE",
    "ENDS WITH",
    "SCOPES",
    "SPENT",
    "BUDGET",
    "STATUS",
    "LAST USED",
  ];
  const rows = keys.map((key) => [
    key.id,
    key.name,
    key.mode,
    key.last_four,
    key.scopes.join(","),
    key.spent_eur,
    describeBudget(key),
    statusOf(key),
    key.last_used_at ?? "never",
  ]);
  return { json: { keys }, text: table(headings, rows) };
}

export async function create(
  { atelier, follow }: Caller,
  name: string,
  { mode, ...flags }: CreateKeyFlags,
): Promise<Answer> {
  const request = {
    name,
    ...(mode !== undefined && { mode }),
    ...limitsOf(flags),
  } satisfies CreateKeyRequest;
  const minted = await atelier.keys.create(request, { signal: follow.signal });
  return withSecret(describe(minted), minted.key);
}

/** @throws UsageError without a change. */
export async function update(
  { atelier, follow }: Caller,
  keyId: string,
  flags: UpdateKeyFlags,
): Promise<Answer> {
  const request: UpdateKeyRequest = {
    ...(flags.name !== undefined && { name: flags.name }),
    ...limitsOf(flags),
  };
  if (Object.keys(request).length === 0) {
    throw new UsageError(
      "Nothing to change. Pass --name, --scopes, --models, --budget, --shared-budget or --expires.",
    );
  }
  return describeChanged(await atelier.keys.update(keyId, request, { signal: follow.signal }));
}

export async function revoke({ atelier, follow }: Caller, keyId: string): Promise<Answer> {
  return describeChanged(await atelier.keys.revoke(keyId, { signal: follow.signal }));
}

export async function rotate(
  { atelier, follow }: Caller,
  keyId: string,
  graceHours: number | undefined,
): Promise<Answer> {
  const minted = await atelier.keys.rotate(keyId, { graceHours, signal: follow.signal });
  return withSecret(describe(minted), minted.key);
}

function limitsOf(flags: CreateKeyFlags | UpdateKeyFlags) {
  const { scopes, models, budget, sharedBudget, expires } = flags;
  const period = periodOf(flags);
  return {
    ...(scopes !== undefined && { scopes }),
    ...(models !== undefined && { models: models === false ? null : models }),
    ...(budget !== undefined && {
      budget: budget === false ? null : { eur: budget, period },
    }),
    ...(sharedBudget !== undefined && {
      budget_id: sharedBudget === false ? null : sharedBudget,
    }),
    ...(expires !== undefined && { expires_at: expires === false ? null : expires }),
  };
}

function describe(key: ApiKey): Answer {
  const text = properties([
    ["Key", key.id],
    ["Name", key.name],
    ["Mode", key.mode],
    ["Scopes", key.scopes.join(", ")],
    ["Models", key.models?.join(", ") ?? "all"],
    ["Budget", describeBudget(key)],
    ["Shared budget", key.budget_id ?? "none"],
    ["Spent", `${key.spent_eur} EUR`],
    ["Expires", key.expires_at ?? "never"],
    ["Status", statusOf(key)],
  ]);
  return { json: key, text };
}

/** A key with what ended with its earlier rights. */
function describeChanged(key: ChangedKey): Answer {
  const { keys, webhooks, sessions } = key.ended;
  const { text } = describe(key);
  const ended = `${keys} keys, ${webhooks} webhooks, ${sessions} sessions`;
  return {
    json: key,
    text: keys + webhooks + sessions === 0 ? text : `${text}\nEnded with it: ${ended}`,
  };
}

function describeBudget({ budget }: ApiKey): string {
  if (budget === null) return "none";
  return budget.period === "total" ? `${budget.eur} EUR` : `${budget.eur} EUR a ${budget.period}`;
}

function statusOf({ revoked_at, expires_at }: ApiKey): string {
  if (revoked_at !== null) return "revoked";
  return expires_at !== null && Date.parse(expires_at) <= Date.now() ? "expired" : "active";
}
