import { createKey } from "@atelier/accounts";
import {
  apiKeyList,
  changedKey,
  mintedKey,
  modelList,
  type ApiKey,
  type ChangedKey,
} from "@atelier/schemas";
import { assertInvariants, startStack, type Stack, type TestAccount } from "@atelier/testing";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import { createClient, image, readError } from "./support/client.ts";

let stack: Stack;

beforeAll(async () => {
  stack = await startStack({
    postgresUrl: inject("postgresUrl"),
    environment: {
      OPENAI_MODEL_ALIASES:
        "pattern-by-another-name=builtin-pattern,blind-by-another-name=fake-blind",
    },
  });
});

afterAll(() => stack.stop());

type Holder = Pick<TestAccount, "key">;

async function mint(holder: Holder, body: object): Promise<ApiKey & { readonly key: string }> {
  const response = await stack.request(holder, "POST", "/v1/keys", { name: "minted", ...body });
  expect(response.status).toBe(201);
  return mintedKey.parse(await response.json());
}

async function change(holder: Holder, id: string, body: object): Promise<ChangedKey> {
  const response = await stack.request(holder, "PATCH", `/v1/keys/${id}`, body);
  expect(response.status).toBe(200);
  return changedKey.parse(await response.json());
}

async function find(holder: Holder, id: string): Promise<ApiKey | undefined> {
  const response = await stack.request(holder, "GET", "/v1/keys");
  const { keys } = apiKeyList.parse(await response.json());
  return keys.find((key) => key.id === id);
}

const generate = (holder: Holder, body: object = image) =>
  stack.request(holder, "POST", "/v1/generate/image", body);

const errorOf = async (response: Response) => {
  const { error, details } = await readError(response);
  return { status: response.status, error, details };
};

describe("a key's budget", () => {
  it("lets three of twelve parallel requests through when it pays for three", async () => {
    const client = await createClient(stack);
    const { account } = client;
    const key = await mint(account, { budget: { eur: "0.15" } });
    const responses = await Promise.all(Array.from({ length: 12 }, () => generate(key)));
    const refused = responses.filter(({ status }) => status !== 200);
    expect(refused).toHaveLength(9);
    for (const response of refused) {
      expect(await errorOf(response)).toEqual({
        status: 402,
        error: "key_budget_exhausted",
        details: { budget_eur: "0.15", spent_eur: "0.15", required_eur: "0.05", resets_at: null },
      });
    }
    expect(await find(account, key.id)).toMatchObject({ spent_eur: "0.15" });
    expect(await client.money()).toEqual({ balance_eur: "9.85", held_eur: "0.00" });
    await assertInvariants(stack.database, undefined, stack.provider.calls);
  });

  it("is refunded when a job fails", async () => {
    const { account } = await createClient(stack);
    const key = await mint(account, { budget: { eur: "0.05" } });
    stack.provider.behave(() => ({ kind: "refuse", categories: ["violence"] }));
    expect((await generate(key)).status).toBe(502);
    stack.provider.behave(() => ({ kind: "image" }));
    expect(await find(account, key.id)).toMatchObject({ spent_eur: "0.00" });
    expect((await generate(key)).status).toBe(200);
  });

  it("resets with the next period", async () => {
    const { account } = await createClient(stack);
    const key = await mint(account, { budget: { eur: "0.05", period: "day" } });
    expect((await generate(key)).status).toBe(200);
    const refused = await errorOf(await generate(key));
    expect(refused).toMatchObject({ status: 402, details: { spent_eur: "0.05" } });
    const midnight = new Date();
    midnight.setUTCHours(24, 0, 0, 0);
    expect(refused.details).toMatchObject({ resets_at: midnight.toISOString() });
    // Simulates the passing of a day.
    await stack.database.query(
      `UPDATE generation SET created_at = created_at - interval '1 day' WHERE key_id = $1`,
      [key.id],
    );
    await stack.database.query(
      `UPDATE api_key SET spent_since = spent_since - interval '1 day' WHERE id = $1`,
      [key.id],
    );
    expect(await find(account, key.id)).toMatchObject({ spent_eur: "0.00" });
    expect((await generate(key)).status).toBe(200);
    expect(await find(account, key.id)).toMatchObject({ spent_eur: "0.05" });
  });

  it("includes earlier spending of the key when it is set later", async () => {
    const { account } = await createClient(stack);
    const key = await mint(account, {});
    expect((await generate(key)).status).toBe(200);
    const changed = await change(account, key.id, { budget: { eur: "0.09", period: "month" } });
    expect(changed).toMatchObject({
      budget: { eur: "0.09", period: "month" },
      spent_eur: "0.05",
    });
    expect((await generate(key)).status).toBe(402);
    expect(await change(account, key.id, { budget: null })).toMatchObject({ budget: null });
    expect((await generate(key)).status).toBe(200);
  });
});

describe("a key's scopes", () => {
  it("generate: it reads and cancels the jobs that it requested, and no others", async () => {
    const owner = await createClient(stack);
    const theirs = await owner.accept();
    const key = await mint(owner.account, { scopes: ["generate"] });
    const own = await generate(key);
    const ownJob = own.headers.get("X-Service-Job-Id");
    const list = await stack.request(key, "GET", "/v1/jobs");
    const { jobs } = (await list.json()) as { jobs: { id: string }[] };
    expect(jobs.map(({ id }) => id)).toEqual([ownJob]);
    expect((await stack.request(key, "GET", `/v1/jobs/${ownJob}`)).status).toBe(200);
    for (const method of ["GET", "DELETE"]) {
      expect(await errorOf(await stack.request(key, method, `/v1/jobs/${theirs}`))).toMatchObject({
        status: 404,
        error: "job_not_found",
      });
    }
    const byKey = await owner.list(`?key=${key.id}`);
    expect(byKey.jobs.map(({ id }) => id)).toEqual([ownJob]);
  });

  it("read: it lists all jobs and requests nothing", async () => {
    const owner = await createClient(stack);
    const job = await owner.accept();
    const key = await mint(owner.account, { scopes: ["read"] });
    expect((await stack.request(key, "GET", `/v1/jobs/${job}`)).status).toBe(200);
    expect((await stack.request(key, "DELETE", `/v1/jobs/${job}`)).status).toBe(403);
    expect(await errorOf(await generate(key))).toEqual({
      status: 403,
      error: "key_not_permitted",
      details: { required_scope: "generate", scopes: ["read"] },
    });
  });

  it("manage: no other key lists or changes keys", async () => {
    const { account } = await createClient(stack);
    const key = await mint(account, { scopes: ["generate", "read"] });
    for (const [method, path, body] of [
      ["GET", "/v1/keys", undefined],
      ["POST", "/v1/keys", { name: "more" }],
      ["PATCH", `/v1/keys/${key.id}`, { scopes: ["manage"] }],
      ["DELETE", `/v1/keys/${account.keyId}`, undefined],
      ["POST", `/v1/keys/${account.keyId}/rotate`, {}],
    ] as const) {
      expect((await stack.request(key, method, path, body)).status).toBe(403);
    }
  });
});

describe("the models of a key", () => {
  const problemsOf = async (holder: Holder, models: readonly string[]) => {
    const body = { name: "misspelt", models };
    const response = await stack.request(holder, "POST", "/v1/keys", body);
    expect(response.status).toBe(400);
    return (await readError(response)).details;
  };
  const problem = (index: number, message: string) => ({
    path: `models.${index}`,
    code: "unknown_model",
    message,
  });

  it("must exist: a misspelt id is refused with the id that was meant", async () => {
    const { account } = await createClient(stack);
    expect(
      await problemsOf(account, [
        "fake-blind",
        "builtin-ilustrator",
        "nothing like it",
        "flux-2-pro",
      ]),
    ).toEqual([
      problem(1, 'is not a model of this service; did you mean "builtin-illustrator"?'),
      problem(2, "is not a model of this service"),
      problem(3, "is not available: the operator has not configured its provider"),
    ]);
    expect(await problemsOf(account, ["blind-by-another-name"])).toEqual([
      problem(0, 'is another name of a model; use its id "fake-blind"'),
    ]);
    const { id } = await mint(account, { models: ["fake-blind"] });
    const response = await stack.request(account, "PATCH", `/v1/keys/${id}`, { models: ["fake"] });
    expect((await readError(response)).details).toMatchObject([{ path: "models.0" }]);
    expect(await find(account, id)).toMatchObject({ models: ["fake-blind"] });
  });

  it("are suggested only from those that the creating key may use", async () => {
    const { account } = await createClient(stack);
    const key = await mint(account, { models: ["fake-resumable"] });
    expect(await problemsOf(key, ["fake-blind1"])).toEqual([
      problem(0, "is not a model of this service"),
    ]);
    expect(await problemsOf(key, ["blind-by-another-name"])).toEqual([
      problem(0, "is not a model of this service"),
    ]);
  });

  it("stay when the operator removes one: the key keeps it and can be changed", async () => {
    const { account } = await createClient(stack);
    const { id, key } = await mint(account, { models: ["fake-blind"] });
    await stack.database.query("UPDATE api_key SET models = '{removed}' WHERE id = $1", [id]);
    const listed: unknown = await (await stack.request({ key }, "GET", "/v1/models")).json();
    expect(modelList.parse(listed).models).toEqual([]);
    const renamed = await change(account, id, { name: "renamed", models: ["removed"] });
    expect(renamed).toMatchObject({ name: "renamed", models: ["removed"] });
    const extended = await change(account, id, { models: ["removed", "fake-blind"] });
    expect(extended.models).toEqual(["removed", "fake-blind"]);
    expect((await generate({ key })).status).toBe(200);
  });
});

describe("a key's other limits", () => {
  it("refuses models that it may not use", async () => {
    const { account } = await createClient(stack);
    const key = await mint(account, { models: ["fake-resumable"] });
    expect(await errorOf(await generate(key))).toEqual({
      status: 403,
      error: "key_not_permitted",
      details: { model: "fake-blind", models: ["fake-resumable"] },
    });
    expect((await generate(key, { ...image, model: "fake-resumable" })).status).toBe(200);
  });

  it("lists only models that it may use, for clients of this service and of OpenAI", async () => {
    const { account } = await createClient(stack);
    const key = await mint(account, { models: ["fake-resumable", "builtin-pattern"] });
    const listed: unknown = await (await stack.request(key, "GET", "/v1/models")).json();
    const ids = modelList.parse(listed).models.map(({ id }) => id);
    expect(ids.toSorted()).toEqual(["builtin-pattern", "fake-resumable"]);
    const { data } = listed as { readonly data: readonly { readonly id: string }[] };
    expect(data.map(({ id }) => id).toSorted()).toEqual([
      "builtin-pattern",
      "fake-resumable",
      "pattern-by-another-name",
    ]);
    const statusOf = async (id: string) =>
      (await stack.request(key, "GET", `/v1/models/${id}`)).status;
    expect(await statusOf("fake-resumable")).toBe(200);
    expect(await statusOf("pattern-by-another-name")).toBe(200);
    expect(await statusOf("fake-blind")).toBe(403);
    expect(await statusOf("blind-by-another-name")).toBe(403);
  });

  it("refuses the key once it has expired or was revoked, and says which", async () => {
    const { account } = await createClient(stack);
    const expired = await mint(account, {});
    await change(account, expired.id, { expires_at: "2026-01-01T00:00:00Z" });
    expect(await errorOf(await generate(expired))).toMatchObject({
      status: 401,
      details: { reason: "expired" },
    });
    const revoked = await mint(account, {});
    const answer = await stack.request(account, "DELETE", `/v1/keys/${revoked.id}`);
    expect(changedKey.parse(await answer.json()).revoked_at).not.toBeNull();
    expect(await errorOf(await generate(revoked))).toMatchObject({
      status: 401,
      details: { reason: "revoked" },
    });
  });

  it("refuses an expiry in the past for a new key", async () => {
    const { account } = await createClient(stack);
    const late = { name: "late", expires_at: "2026-01-01T00:00:00Z" };
    const response = await stack.request(account, "POST", "/v1/keys", late);
    expect(await errorOf(response)).toMatchObject({
      status: 400,
      error: "invalid_request",
      details: [{ path: "expires_at", message: "must be in the future" }],
    });
  });

  it("can't be widened through another key", async () => {
    const { account } = await createClient(stack);
    const limited = await mint(account, { models: ["fake-blind"] });
    for (const [method, path, body] of [
      ["POST", "/v1/keys", { name: "all models", models: null }],
      ["PATCH", `/v1/keys/${limited.id}`, { models: null }],
      ["POST", `/v1/keys/${account.keyId}/rotate`, {}],
    ] as const) {
      expect(await errorOf(await stack.request(limited, method, path, body))).toMatchObject({
        status: 403,
        error: "key_not_permitted",
      });
    }
    expect(await mint(limited, {})).toMatchObject({ models: ["fake-blind"] });
  });
});

describe("a rotated key", () => {
  it("has the same id and limits; the old one works for the grace period", async () => {
    const { account } = await createClient(stack);
    const key = await mint(account, { budget: { eur: "1" }, scopes: ["generate"] });
    const rotate = async (grace_hours: number) => {
      const path = `/v1/keys/${key.id}/rotate`;
      const response = await stack.request(account, "POST", path, { grace_hours });
      expect(response.status).toBe(200);
      return mintedKey.parse(await response.json());
    };
    const second = await rotate(1);
    expect(second).toMatchObject({ id: key.id, scopes: ["generate"], budget: key.budget });
    expect((await generate(key)).status).toBe(200);
    expect((await generate(second)).status).toBe(200);
    expect(await find(account, key.id)).toMatchObject({ spent_eur: "0.10" });
    const third = await rotate(0);
    expect((await generate(second)).status).toBe(401);
    expect((await generate(key)).status).toBe(401);
    expect((await generate(third)).status).toBe(200);
  });

  it("may not manage in its grace period, nor extend it", async () => {
    const { account } = await createClient(stack);
    const key = await mint(account, {});
    const rotate = (holder: Holder) =>
      stack.request(holder, "POST", `/v1/keys/${key.id}/rotate`, { grace_hours: 168 });
    expect((await rotate(account)).status).toBe(200);
    expect((await generate(key)).status).toBe(200);
    for (const response of [
      await stack.request(key, "POST", "/v1/keys", { name: "for ever" }),
      await rotate(key),
      await stack.request(key, "PATCH", "/v1/account", { retention_hours: 1 }),
      await stack.request(key, "GET", "/v1/account/export"),
    ]) {
      expect(await errorOf(response)).toMatchObject({
        status: 403,
        error: "key_not_permitted",
        details: { is_superseded: true },
      });
    }
  });
});

describe("a key that acts on others", () => {
  const act = async (holder: Holder, method: string, path: string, body?: object) =>
    (await stack.request(holder, method, `/v1${path}`, body)).status;

  it.each([
    ["a budget", { budget: { eur: "0.02" } }],
    ["limited models", { models: ["fake-blind"] }],
    ["an expiry", { expires_at: "2999-01-01T00:00:00Z" }],
    ["fewer scopes", { scopes: ["manage"] }],
  ])("can't revoke, rotate or change the owner's when it has %s", async (_, limits) => {
    const { account } = await createClient(stack);
    const pepper = stack.environment["KEY_PEPPER"] ?? "";
    const limited = await createKey(stack.database, {
      accountId: account.accountId,
      name: "limited",
      pepper,
    });
    await change(account, limited.id, limits);
    const owner = `/keys/${account.keyId}`;
    expect(await act(limited, "DELETE", owner)).toBe(403);
    expect(await act(limited, "POST", `${owner}/rotate`, {})).toBe(403);
    expect(await act(limited, "PATCH", owner, { name: "mine" })).toBe(403);
    expect(await act(account, "GET", "/account")).toBe(200);
    expect(await act(limited, "PATCH", `/keys/${limited.id}`, { name: "renamed" })).toBe(200);
    expect(await act(limited, "POST", `/keys/${limited.id}/rotate`, { grace_hours: 1 })).toBe(200);
  });

  it.each([
    ["a budget", { budget: { eur: "0.02" } }],
    ["limited models", { models: ["fake-blind"] }],
    ["an expiry", { expires_at: "2999-01-01T00:00:00Z" }],
  ])("can't change settings of the account when it has %s", async (_, limits) => {
    const { account } = await createClient(stack);
    const limited = await mint(account, limits);
    expect(await act(limited, "PATCH", "/account", { retention_hours: 1 })).toBe(403);
    expect(await act(account, "PATCH", "/account", { retention_hours: 1 })).toBe(200);
  });

  it("can't act on the key that created it, nor change one that it did not create", async () => {
    const { account } = await createClient(stack);
    const [first, second] = [await mint(account, {}), await mint(account, {})];
    expect(await act(first, "DELETE", `/keys/${account.keyId}`)).toBe(403);
    expect(await act(first, "POST", `/keys/${second.id}/rotate`, {})).toBe(403);
    expect(await act(first, "PATCH", `/keys/${second.id}`, { name: "mine" })).toBe(403);
    expect(await act(first, "DELETE", `/keys/${second.id}`)).toBe(200);
  });

  it("can't remove its own budget", async () => {
    const { account } = await createClient(stack);
    const limited = await mint(account, { budget: { eur: "0.02" } });
    for (const budget of [null, { eur: "9.00" }]) {
      expect(await act(limited, "PATCH", `/keys/${limited.id}`, { budget })).toBe(403);
    }
    expect(await find(account, limited.id)).toMatchObject({ budget: { eur: "0.02" } });
  });

  it("can't give more than the key that created the other one has", async () => {
    const { account } = await createClient(stack);
    const parent = await mint(account, { models: ["fake-blind"] });
    const child = await mint(parent, {});
    expect(await act(account, "PATCH", `/keys/${child.id}`, { models: null })).toBe(403);
    expect(await act(account, "PATCH", `/keys/${child.id}`, { name: "renamed" })).toBe(200);
  });
});

describe("keys that a key created", () => {
  const ends = async (response: Response) => changedKey.parse(await response.json()).ended;

  it("end when it is revoked, those of their keys included, and are counted", async () => {
    const { account } = await createClient(stack);
    const parent = await mint(account, {});
    const child = await mint(parent, {});
    const grandchild = await mint(child, {});
    expect(grandchild.created_by).toBe(child.id);
    const other = await mint(account, {});
    const response = await stack.request(account, "DELETE", `/v1/keys/${parent.id}`);
    expect(await ends(response)).toEqual({ keys: 2, webhooks: 0, sessions: 0 });
    for (const key of [parent, child, grandchild]) {
      expect(await errorOf(await generate(key))).toMatchObject({
        status: 401,
        details: { reason: "revoked" },
      });
    }
    expect((await generate(other)).status).toBe(200);
    const again = await stack.request(account, "DELETE", `/v1/keys/${parent.id}`);
    expect(await ends(again)).toEqual({ keys: 0, webhooks: 0, sessions: 0 });
  });

  it("expire with it, and do not come back when it is extended", async () => {
    const { account } = await createClient(stack);
    const parent = await mint(account, {});
    const child = await mint(parent, {});
    const path = `/v1/keys/${parent.id}`;
    const past = { expires_at: "2026-01-01T00:00:00Z" };
    expect(await ends(await stack.request(account, "PATCH", path, past))).toEqual({
      keys: 1,
      webhooks: 0,
      sessions: 0,
    });
    expect(await errorOf(await generate(child))).toMatchObject({
      status: 401,
      details: { reason: "expired" },
    });
    await change(account, parent.id, { expires_at: null });
    expect((await generate(parent)).status).toBe(200);
    expect((await generate(child)).status).toBe(401);
  });

  it("lose the rights that it loses", async () => {
    const { account } = await createClient(stack);
    const parent = await mint(account, {});
    const child = await mint(parent, {});
    await change(account, parent.id, {
      scopes: ["read"],
      models: ["fake-blind"],
      expires_at: "2999-01-01T00:00:00Z",
    });
    expect(await find(account, child.id)).toMatchObject({
      scopes: ["read"],
      models: ["fake-blind"],
      expires_at: "2999-01-01T00:00:00.000Z",
    });
  });

  it("are revoked before it gets a budget, which they would not share", async () => {
    const { account } = await createClient(stack);
    const parent = await mint(account, {});
    const child = await mint(parent, {});
    const path = `/v1/keys/${parent.id}`;
    const budget = { budget: { eur: "1.00" } };
    const refused = await stack.request(account, "PATCH", path, budget);
    expect(await errorOf(refused)).toMatchObject({ status: 400, details: [{ path: "budget" }] });
    await stack.request(account, "DELETE", `/v1/keys/${child.id}`);
    expect((await stack.request(account, "PATCH", path, budget)).status).toBe(200);
  });

  it("stay when it is rotated", async () => {
    const { account } = await createClient(stack);
    const parent = await mint(account, {});
    const child = await mint(parent, {});
    const path = `/v1/keys/${parent.id}/rotate`;
    expect((await stack.request(account, "POST", path, {})).status).toBe(200);
    expect((await generate(child)).status).toBe(200);
  });
});

it.each([
  ["POST", "/v1/keys", { name: "once" }],
  ["POST", "/v1/keys/019a9f30-9c1d-7a55-8e20-5b7c1d2e3f41/rotate", {}],
  ["POST", "/v1/files/image-generation", { format: "curl", key: { budget_eur: "1.00" } }],
  ["POST", "/v1/webhooks", { url: "https://example.org/hook", events: ["job.completed"] }],
  ["POST", "/v1/webhooks/019a9f30-9c1d-7a55-8e20-5b7c1d2e3f41/rotate-secret", {}],
  ["POST", "/v1/webhooks/019a9f30-9c1d-7a55-8e20-5b7c1d2e3f41/test", undefined],
  ["POST", "/v1/deliveries/019a9f30-9c1d-7a55-8e20-5b7c1d2e3f41/retry", undefined],
])("refuses an Idempotency-Key for %s %s and says what to do", async (method, path, body) => {
  const { account } = await createClient(stack);
  const headers = { "Idempotency-Key": crypto.randomUUID() };
  const response = await stack.request(account, method, path, body, headers);
  expect(response.status).toBe(400);
  const { message, details } = await readError(response);
  expect(message).toMatch(/^Idempotency-Key is not supported here\. .+ Omit the header/);
  expect(details).toMatchObject([{ path: "Idempotency-Key", code: "not_supported" }]);
  const listed = await (await stack.request(account, "GET", "/v1/keys")).json();
  expect(apiKeyList.parse(listed).keys).toHaveLength(1);
});

it("hides the keys of other accounts", async () => {
  const [mine, other] = [await createClient(stack), await createClient(stack)];
  const path = `/v1/keys/${other.account.keyId}`;
  expect((await stack.request(mine.account, "DELETE", path)).status).toBe(404);
  expect((await stack.request(other.account, "GET", "/v1/account")).status).toBe(200);
});

it("limits all keys of an account together to three times the requests of one", async () => {
  const { account } = await createClient(stack);
  const limited = await stack.startApi({
    PORT: "0",
    ADMIN_PORT: "0",
    OTHER_REQUESTS_PER_MINUTE: "2",
  });
  const { accountId } = account;
  const pepper = stack.environment["KEY_PEPPER"] ?? "";
  const statuses: number[] = [];
  for (let key = 0; key < 4; key++) {
    const minted = await createKey(stack.database, { accountId, name: "n", pepper });
    for (let request = 0; request < 2; request++) {
      const response = await fetch(`http://127.0.0.1:${limited.ports.main}/v1/account`, {
        headers: { Authorization: `Bearer ${minted.key}` },
      });
      statuses.push(response.status);
    }
  }
  expect(statuses).toEqual([200, 200, 200, 200, 200, 200, 429, 429]);
});
