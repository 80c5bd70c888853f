import {
  changeKey,
  endKey,
  findKey,
  listKeys,
  makeSecretKey,
  manage,
  rotateKey,
  type ApiKeyInfo,
  type Caller,
  type Ended,
  type Managing,
  type KeyLimits,
  type KeySettings,
} from "@atelier/accounts";
import { sumSettledSpending, writeKeyBudget } from "@atelier/billing";
import {
  AppError,
  invalidRequest,
  parseEur,
  type ApiKey,
  type UpdateKeyRequest,
  quotas,
} from "@atelier/schemas";
import * as endpoints from "@atelier/schemas/endpoints";
import type { Needs } from "../dependencies.ts";
import type { Routes } from "../http/routes.ts";
import { assertModelsExist } from "../keys/assert-models-exist.ts";
import { keyShownOnce, mintKey } from "../keys/mint-key.ts";
import { presentKeys } from "../keys/present-keys.ts";

/** Number of listed keys: valid ones and the most recently revoked ones. */
const listLimit = 2 * (quotas.keys.live + quotas.keys.test);

const options = { notFound: keyNotFound };
const showing = { keyRefusal: keyShownOnce };

/** `/v1/keys`: the keys of the account, for keys with the scope `manage`. */
export function serveKeys(
  routes: Routes,
  dependencies: Needs<"accountGate" | "catalogue" | "config" | "database" | "modelAliases">,
): void {
  const { accountGate, config, database } = dependencies;

  routes.add(endpoints.listKeys, async ({ caller: { accountId, mode } }) => {
    const keys = await listKeys(database, accountId, {
      ...(mode === "test" && { mode }),
      limit: listLimit,
    });
    return { keys: await presentKeys(keys, database) };
  });

  routes.add(
    endpoints.createKey,
    async ({ caller, body }) => {
      const budget = readBudget(body.budget ?? null);
      const settings = { ...readSettings(body), ...budget, name: body.name };
      assertFuture(settings.expiresAt);
      assertModelsExist(settings.models, [], caller, dependencies);
      const minted = await mintKey(caller, { ...settings, mode: body.mode }, dependencies);
      return { ...(await read(caller, minted.id)), key: minted.key };
    },
    showing,
  );

  routes.add(
    endpoints.updateKey,
    async ({ caller, params, body }) => {
      const { id, models } = await find(caller, params.id);
      const limits = readSettings(body);
      assertModelsExist(limits.models, models, caller, dependencies);
      const budget = body.budget === undefined ? undefined : readBudget(body.budget);
      const period = budget?.budgetPeriod;
      const settled =
        period === undefined ? null : await sumSettledSpending(database.repeatable, id, period);
      const change = async (managing: Managing): Promise<Ended> => {
        const { sql, target } = managing;
        if (target === null || target.isRevoked) throw keyNotFound();
        const ends = await changeKey(managing, target, {
          limits,
          hasBudget: budget === undefined ? undefined : budget.budgetMicroEur !== null,
        });
        if (budget !== undefined && settled !== null) {
          const { budgetMicroEur, budgetPeriod } = budget;
          await writeKeyBudget(sql, target.id, { budgetMicroEur, period: budgetPeriod }, settled);
        }
        return ends;
      };
      const ended = await accountGate.run(caller.accountId, () =>
        manage(database, caller, change, id),
      );
      return { ...(await read(caller, id)), ended };
    },
    options,
  );

  routes.add(
    endpoints.revokeKey,
    async ({ caller, params }) => {
      const { id } = await find(caller, params.id);
      const end = (managing: Managing) => {
        if (managing.target === null) throw keyNotFound();
        return endKey(managing, managing.target);
      };
      const ended = await manage(database, caller, end, id);
      return { ...(await read(caller, id)), ended };
    },
    options,
  );

  routes.add(
    endpoints.rotateKey,
    async ({ caller, params, body: { grace_hours } }) => {
      const { id, mode } = await find(caller, params.id);
      const secret = makeSecretKey(config.KEY_PEPPER, mode);
      const rotate = async (managing: Managing) => {
        const { target } = managing;
        if (target === null) throw keyNotFound();
        const graceMs = grace_hours * 3_600_000;
        if (!(await rotateKey(managing, target, { secret, graceMs }))) throw keyNotFound();
      };
      await manage(database, caller, rotate, id);
      return { ...(await read(caller, id)), key: secret.key };
    },
    { ...options, ...showing },
  );

  /** @throws AppError `key_not_found`, also for keys of other accounts. */
  async function find({ accountId }: Caller, keyId: string): Promise<ApiKeyInfo> {
    const key = await findKey(database, { accountId, keyId });
    if (key === null) throw keyNotFound();
    return key;
  }

  /** Reads the current state of a key for the response. */
  async function read(caller: Caller, keyId: string): Promise<ApiKey> {
    const [key] = await presentKeys([await find(caller, keyId)], database);
    if (key === undefined) throw keyNotFound();
    return key;
  }
}

/** The settings in a body, without omitted ones. */
function readSettings(body: UpdateKeyRequest): KeyLimits {
  const { name, scopes, models, budget_id, expires_at } = body;
  return {
    ...(budget_id !== undefined && { budgetId: budget_id }),
    ...(name !== undefined && { name }),
    ...(scopes !== undefined && { scopes }),
    ...(models !== undefined && { models: models ?? [] }),
    ...(expires_at !== undefined && {
      expiresAt: expires_at === null ? null : new Date(expires_at),
    }),
  };
}

/** A new key that has already expired is a mistake; a change may expire a key at once. */
export function assertFuture(expiresAt: Date | null | undefined): void {
  if (expiresAt == null || expiresAt.getTime() > Date.now()) return;
  throw invalidRequest({
    path: "expires_at",
    code: "invalid_range",
    message: "must be in the future",
  });
}

function readBudget(
  budget: NonNullable<UpdateKeyRequest["budget"]> | null,
): Pick<KeySettings, "budgetMicroEur" | "budgetPeriod"> {
  if (budget === null) return { budgetMicroEur: null, budgetPeriod: "total" };
  return { budgetMicroEur: parseEur(budget.eur), budgetPeriod: budget.period };
}

function keyNotFound(): AppError {
  return new AppError(
    "key_not_found",
    "This key does not exist. GET /v1/keys lists the keys of the account with their ids.",
  );
}
