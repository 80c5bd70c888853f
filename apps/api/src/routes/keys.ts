import {
  assertMayMint,
  findKey,
  listKeys,
  maxLiveKeys,
  revokeKey,
  rotateKey,
  updateKey,
  type ApiKeyInfo,
  type KeySettings,
} from "@atelier/accounts";
import { setKeyBudget } from "@atelier/billing";
import {
  AppError,
  createKeyRequest,
  describeProblems,
  parseEur,
  parseRequest,
  rotateKeyRequest,
  updateKeyRequest,
  type ApiKey,
  type UpdateKeyRequest,
} from "@atelier/schemas";
import express, { type Response, type Router } from "express";
import * as z from "zod";
import type { ApiDependencies } from "../dependencies.ts";
import { requireScope } from "../http/authenticate.ts";
import { contextOf } from "../http/context.ts";
import { readBody, readOptionalBody } from "../http/read-body.ts";
import { mintKey } from "../keys/mint-key.ts";
import { presentKeys } from "../keys/present-keys.ts";

/** Number of listed keys: live ones and the most recently revoked ones. */
const listLimit = 2 * maxLiveKeys;

/** `/v1/keys`: the keys of the account, for keys with the scope `manage`. */
export function serveKeys(dependencies: ApiDependencies): Router {
  const { accountGate, config, database } = dependencies;
  const router = express.Router();
  router.use("/keys", requireScope("manage"));

  router.get("/keys", async (_request, response) => {
    const { accountId } = contextOf(response).caller;
    const keys = await listKeys(database, accountId, listLimit);
    response.json({ keys: await presentKeys(keys, database) });
  });

  router.post("/keys", readBody, async (request, response) => {
    const body = parseRequest(createKeyRequest, request.body);
    const settings = { ...readSettings(body), ...readBudget(body.budget ?? null), name: body.name };
    assertFuture(settings.expiresAt);
    const minted = await mintKey(contextOf(response).caller, settings, dependencies);
    response.status(201).json({ ...(await read(minted.id, response)), key: minted.key });
  });

  router.patch("/keys/:id", readBody, async (request, response) => {
    const body = parseRequest(updateKeyRequest, request.body);
    const key = await find(request.params["id"], response);
    const { caller } = contextOf(response);
    const settings = readSettings(body);
    assertMayMint(caller, key);
    assertMayMint(caller, { ...key, ...settings });
    if (key.revokedAt !== null) throw keyNotFound();
    await updateKey(database, key.id, settings);
    if (body.budget !== undefined) {
      const { budgetMicroEur, budgetPeriod: period } = readBudget(body.budget);
      await accountGate.run(caller.accountId, () =>
        setKeyBudget(database, key.id, { budgetMicroEur, period }),
      );
    }
    response.json(await read(key.id, response));
  });

  router.delete("/keys/:id", async (request, response) => {
    const key = await find(request.params["id"], response);
    await revokeKey(database, key.id);
    response.json(await read(key.id, response));
  });

  router.post("/keys/:id/rotate", readOptionalBody, async (request, response) => {
    const { grace_hours } = parseRequest(rotateKeyRequest, request.body);
    const key = await find(request.params["id"], response);
    assertMayMint(contextOf(response).caller, key);
    const rotated = await rotateKey(database, {
      keyId: key.id,
      pepper: config.KEY_PEPPER,
      graceMs: grace_hours * 3_600_000,
    });
    if (rotated === null) throw keyNotFound();
    response.json({ ...(await read(key.id, response)), key: rotated });
  });

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

  return router;
}

/** The settings in a body, without omitted ones. */
function readSettings({
  name,
  scopes,
  models,
  expires_at,
}: UpdateKeyRequest): Partial<Omit<KeySettings, "budgetMicroEur" | "budgetPeriod">> {
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
