import {
  changeKey,
  endKey,
  findKey,
  listKeys,
  makeSecretKey,
  manage,
  rotateKey,
  type ApiKeyInfo,
  type Ended,
  type Managing,
  type KeyLimits,
  type KeySettings,
} from "@atelier/accounts";
import { sumSettledSpending, writeKeyBudget } from "@atelier/billing";
import {
  AppError,
  createKeyRequest,
  describeProblems,
  parseEur,
  parseRequest,
  rotateKeyRequest,
  updateKeyRequest,
  type ApiKey,
  type ChangedKey,
  type UpdateKeyRequest,
  quotas,
} from "@atelier/schemas";
import type { Response } from "express";
import * as z from "zod";
import type { ApiDependencies } from "../dependencies.ts";
import { readBody, readOptionalBody } from "../http/body/read-body.ts";
import { contextOf } from "../http/context.ts";
import type { Routes } from "../http/routes.ts";
import { assertModelsExist } from "../keys/assert-models-exist.ts";
import { keyShownOnce, mintKey } from "../keys/mint-key.ts";
import { presentKeys } from "../keys/present-keys.ts";

/** Number of listed keys: valid ones and the most recently revoked ones. */
const listLimit = 2 * (quotas.keys.live + quotas.keys.test);

/** `/v1/keys`: the keys of the account, for keys with the scope `manage`. */
export function serveKeys(routes: Routes, dependencies: ApiDependencies): void {
  const { accountGate, config, database } = dependencies;
  const policy = { limit: "other", scope: "manage" } as const;

  routes.get("/keys", policy, async (_request, response) => {
    const { accountId, mode } = contextOf(response).caller;
    const keys = await listKeys(database, accountId, {
      ...(mode === "test" && { mode }),
      limit: listLimit,
    });
    response.json({ keys: await presentKeys(keys, database) });
  });

  const showing = { ...policy, keyRefusal: keyShownOnce };
  routes.post("/keys", { ...showing, body: readBody }, async (request, response) => {
    const body = parseRequest(createKeyRequest, request.body);
    const settings = { ...readSettings(body), ...readBudget(body.budget ?? null), name: body.name };
    assertFuture(settings.expiresAt);
    assertModelsExist(settings.models, [], contextOf(response).caller, dependencies);
    const { caller } = contextOf(response);
    const minted = await mintKey(caller, { ...settings, mode: body.mode }, dependencies);
    response.status(201).json({ ...(await read(minted.id, response)), key: minted.key });
  });

  routes.patch("/keys/:id", { ...policy, body: readBody }, async (request, response) => {
    const body = parseRequest(updateKeyRequest, request.body);
    const { id, models } = await find(request.params["id"], response);
    const limits = readSettings(body);
    assertModelsExist(limits.models, models, contextOf(response).caller, dependencies);
    const budget = body.budget === undefined ? undefined : readBudget(body.budget);
    const period = budget?.budgetPeriod;
    const settled =
      period === undefined ? null : await sumSettledSpending(database.repeatable, id, period);
    const { caller } = contextOf(response);
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
    response.json(await readChanged(id, ended, response));
  });

  routes.delete("/keys/:id", policy, async (request, response) => {
    const { id } = await find(request.params["id"], response);
    const ended = await manage(
      database,
      contextOf(response).caller,
      (managing) => {
        if (managing.target === null) throw keyNotFound();
        return endKey(managing, managing.target);
      },
      id,
    );
    response.json(await readChanged(id, ended, response));
  });

  routes.post(
    "/keys/:id/rotate",
    { ...showing, body: readOptionalBody },
    async (request, response) => {
      const { grace_hours } = parseRequest(rotateKeyRequest, request.body);
      const { id, mode } = await find(request.params["id"], response);
      const secret = makeSecretKey(config.KEY_PEPPER, mode);
      await manage(
        database,
        contextOf(response).caller,
        async (managing) => {
          const { target } = managing;
          if (target === null) throw keyNotFound();
          const graceMs = grace_hours * 3_600_000;
          if (!(await rotateKey(managing, target, { secret, graceMs }))) throw keyNotFound();
        },
        id,
      );
      response.json({ ...(await read(id, response)), key: secret.key });
    },
  );

  /** @throws AppError `key_not_found`, also for keys of other accounts. */
  async function find(id: unknown, response: Response): Promise<ApiKeyInfo> {
    const keyId = z.uuid().safeParse(id);
    const { accountId } = contextOf(response).caller;
    const key = keyId.success ? await findKey(database, { accountId, keyId: keyId.data }) : null;
    if (key === null) throw keyNotFound();
    return key;
  }

  /** Reads the current state of a key for the response. */
  async function read(keyId: string, response: Response): Promise<ApiKey> {
    const [key] = await presentKeys([await find(keyId, response)], database);
    if (key === undefined) throw keyNotFound();
    return key;
  }

  async function readChanged(keyId: string, ended: Ended, response: Response): Promise<ChangedKey> {
    return { ...(await read(keyId, response)), ended };
  }
}

/** The settings in a body, without omitted ones. */
function readSettings({ name, scopes, models, expires_at }: UpdateKeyRequest): KeyLimits {
  return {
    ...(name !== undefined && { name }),
    ...(scopes !== undefined && { scopes }),
    ...(models !== undefined && { models: models ?? [] }),
    ...(expires_at !== undefined && {
      expiresAt: expires_at === null ? null : new Date(expires_at),
    }),
  };
}

/** A new key that has already expired is a mistake; a change may expire a key at once. */
function assertFuture(expiresAt: Date | null | undefined): void {
  if (expiresAt == null || expiresAt.getTime() > Date.now()) return;
  const problems = [
    { path: "expires_at", code: "invalid_range", message: "must be in the future" },
  ];
  throw new AppError("invalid_request", describeProblems(problems), { details: problems });
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
