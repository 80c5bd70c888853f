import { beginErasure } from "@atelier/accounts";
import {
  account as accountSchema,
  batch,
  budget,
  budgetList,
  mintedKey,
  quote,
  usage,
  type Budget,
  type KeyScope,
} from "@atelier/schemas";
import { assertInvariants, shareStack, type Stack, type TestAccount } from "@atelier/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createClient, image, readError } from "./support/client.ts";
import { eventually } from "./support/eventually.ts";
import { addPerson } from "./support/people.ts";

let stack: Stack;

beforeAll(async () => {
  stack = await shareStack();
});

afterAll(() => stack.stop());

type Holder = Pick<TestAccount, "key">;

async function create(holder: Holder, body: object = {}, status = 201): Promise<Budget> {
  const full = { name: "Team", eur: "0.10", period: "month", ...body };
  const response = await stack.request(holder, "POST", "/v1/budgets", full);
  expect(response.status).toBe(status);
  return budget.parse(await response.json());
}

async function mint(holder: Holder, body: object = {}) {
  const response = await stack.request(holder, "POST", "/v1/keys", { name: "member", ...body });
  expect(response.status).toBe(201);
  return mintedKey.parse(await response.json());
}

async function read(holder: Holder, id: string): Promise<Budget> {
  return budget.parse(await (await stack.request(holder, "GET", `/v1/budgets/${id}`)).json());
}

const errorOf = async (response: Promise<Response>) => {
  const { error, details } = await readError(await response);
  return { status: (await response).status, error, details };
};

const generate = (holder: Holder, body: object = image) =>
  stack.request(holder, "POST", "/v1/generate/image", body);

describe("/v1/budgets", () => {
  it("creates, lists, reads, changes and deletes budgets; an equal one is created once", async () => {
    const { account } = await createClient(stack);
    const made = await create(account);
    expect(made).toMatchObject({ eur: "0.10", spent_eur: "0.00", held_eur: "0.00", keys: 0 });
    expect((await create(account, {}, 200)).id).toBe(made.id);
    const taken = { status: 400, error: "invalid_request", details: [{ path: "name" }] };
    const again = stack.request(account, "POST", "/v1/budgets", { name: "Team", eur: "5" });
    expect(await errorOf(again)).toMatchObject(taken);
    const other = await create(account, { name: "Other", period: "week", eur: "7" });
    const path = `/v1/budgets/${made.id}`;
    expect(await errorOf(stack.request(account, "PATCH", path, { name: "Other" }))).toMatchObject(
      taken,
    );
    const changed = await stack.request(account, "PATCH", path, { name: "Design", eur: "1" });
    expect(budget.parse(await changed.json())).toMatchObject({ name: "Design", eur: "1.00" });
    expect(await read(account, made.id)).toMatchObject({ name: "Design", period: "month" });
    const list = async () =>
      budgetList
        .parse(await (await stack.request(account, "GET", "/v1/budgets")).json())
        .budgets.map(({ id }) => id);
    expect(await list()).toEqual([other.id, made.id]);
    expect((await stack.request(account, "DELETE", path)).status).toBe(204);
    expect(await list()).toEqual([other.id]);
    for (const method of ["GET", "PATCH", "DELETE"]) {
      const body = method === "PATCH" ? { eur: "1" } : undefined;
      const response = stack.request(account, method, path, body);
      expect(await errorOf(response)).toMatchObject({ status: 404, error: "budget_not_found" });
    }
  });

  it("is in the export of its account, and erased with it", async () => {
    const { account } = await createClient(stack);
    const made = await create(account);
    await stack.request(account, "PATCH", `/v1/keys/${account.keyId}`, { budget_id: made.id });
    const response = await stack.request(account, "GET", "/v1/account/export");
    const lines = (await response.text()).trimEnd().split("\n");
    expect(lines).toContain(JSON.stringify({ type: "budget", budget: { ...made, keys: 1 } }));
    await beginErasure(stack.database, account.accountId);
    const left = await stack.database.query("SELECT FROM budget WHERE account_id = $1", [
      account.accountId,
    ]);
    expect(left).toEqual([]);
  });

  it("belongs to one account; another account may give one the same name", async () => {
    const [first, second] = [await createClient(stack), await createClient(stack)];
    const { id } = await create(first.account);
    await create(second.account);
    const foreign = stack.request(second.account, "GET", `/v1/budgets/${id}`);
    expect(await errorOf(foreign)).toMatchObject({ status: 404 });
    const { keyId } = second.account;
    const move = stack.request(second.account, "PATCH", `/v1/keys/${keyId}`, { budget_id: id });
    expect(await errorOf(move)).toMatchObject({ status: 400, details: [{ path: "budget_id" }] });
  });

  it("is changed only by live keys that manage, without budgets, limited models or an expiry", async () => {
    const { account } = await createClient(stack);
    const { id } = await create(account);
    const all: KeyScope[] = ["generate", "read", "manage"];
    const limited = await Promise.all([
      mint(account, { scopes: ["generate", "read"] }),
      mint(account, { budget: { eur: "1" } }),
      mint(account, { scopes: all, budget_id: id }),
      mint(account, { models: ["fake-blind"] }),
      mint(account, { expires_at: "2999-01-01T00:00:00Z" }),
      mint(account, { mode: "test" }),
    ]);
    for (const holder of limited) {
      for (const [method, path, body] of [
        ["POST", "/v1/budgets", { name: "More", eur: "1" }],
        ["PATCH", `/v1/budgets/${id}`, { eur: "1000" }],
        ["DELETE", `/v1/budgets/${id}`, undefined],
      ] as const) {
        const response = stack.request(holder, method, path, body);
        expect(await errorOf(response)).toMatchObject({ status: 403, error: "key_not_permitted" });
      }
    }
    const [, , , , , test] = limited;
    const seen = await stack.request(test, "GET", "/v1/budgets");
    expect(await seen.json()).toEqual({ budgets: [] });
  });
});

describe("a key in a shared budget", () => {
  it("cannot leave it, and what it creates is in it and cannot leave either", async () => {
    const { account } = await createClient(stack);
    const { id: budget_id } = await create(account);
    const other = await create(account, { name: "Other" });
    const maker = await mint(account, { budget_id });
    const made = await mint(maker);
    expect(made.budget_id).toBe(budget_id);
    const refused = { status: 403, error: "key_not_permitted", details: { budget_id } };
    for (const target of [maker, made]) {
      for (const wanted of [null, other.id]) {
        const body = { budget_id: wanted };
        const move = stack.request(maker, "PATCH", `/v1/keys/${target.id}`, body);
        expect(await errorOf(move)).toMatchObject(refused);
      }
    }
    const free = stack.request(maker, "POST", "/v1/keys", { name: "free", budget_id: null });
    expect(await errorOf(free)).toMatchObject(refused);
    const outside = stack.request(maker, "DELETE", `/v1/keys/${account.keyId}`);
    expect(await errorOf(outside)).toMatchObject({ status: 403 });

    const body = { budget_id: other.id };
    await stack.request(account, "PATCH", `/v1/keys/${maker.id}`, body);
    expect(await read(account, budget_id)).toMatchObject({ keys: 0 });
    expect(await read(account, other.id)).toMatchObject({ keys: 2 });
  });

  it("sees what it may still spend, in its account, quotes and results", async () => {
    const { account } = await createClient(stack);
    const { id: budget_id } = await create(account, { eur: "0.12" });
    const key = await mint(account, { budget_id });
    const [first, second] = [
      await generate(key),
      await generate(await mint(account, { budget_id })),
    ];
    expect(await first.json()).toMatchObject({ cost_eur: "0.05", balance_eur: "0.07" });
    expect(await second.json()).toMatchObject({ balance_eur: "0.02" });
    const shown = accountSchema.parse(
      await (await stack.request(key, "GET", "/v1/account")).json(),
    );
    expect(shown).toMatchObject({ balance_eur: "0.02" });
    expect(shown.held_eur).toBeUndefined();
    const request = { operation: "image", request: image };
    const quoted = await stack.request(key, "POST", "/v1/quotes", request);
    expect(quote.parse(await quoted.json())).toMatchObject({
      balance_eur: "0.02",
      affordable: false,
    });
  });

  it("is refused with the limit that is exhausted: the balance, its budget or the shared one", async () => {
    const { account } = await createClient(stack, "0.12");
    const { id: budget_id } = await create(account, { eur: "0.06" });
    const own = await mint(account, { budget_id, budget: { eur: "0.01" } });
    const shared = await mint(account, { budget_id });
    expect(await errorOf(generate(own))).toMatchObject({
      status: 402,
      error: "key_budget_exhausted",
    });
    await generate(shared);
    const { resets_at } = await read(account, budget_id);
    expect(await errorOf(generate(shared))).toMatchObject({
      status: 402,
      error: "budget_exhausted",
      details: { budget_name: "Team", spent_eur: "0.05", resets_at },
    });
    await generate(account);
    expect(await errorOf(generate(account))).toMatchObject({ error: "insufficient_credit" });
  });

  it("is limited in every way to request an image: stories, edits, batches and OpenAI's routes", async () => {
    const { account } = await createClient(stack);
    const { id: budget_id } = await create(account, { eur: "0.00" });
    const key = await mint(account, { budget_id });
    const characters = [{ name: "Mira", description: "a girl with red hair" }];
    const story = {
      model: "fake-blind",
      characters,
      scenes: [{ prompt: "Mira wakes up" }, { prompt: "Mira reads" }],
    };
    const exhausted = { status: 402, error: "budget_exhausted" };
    const told = stack.request(key, "POST", "/v1/generate/story", story);
    expect(await errorOf(told)).toMatchObject(exhausted);
    const facade = await stack.request(key, "POST", "/v1/images/generations", image);
    expect(facade.status).toBe(402);
    expect(await facade.text()).toContain("budget_exhausted");
    const requests = [{ operation: "image", body: image }];
    const made = await stack.request(key, "POST", "/v1/batches", { requests });
    const { id } = batch.parse(await made.json());
    const readBatch = async () =>
      batch.parse(await (await stack.request(key, "GET", `/v1/batches/${id}`)).json());
    const waiting = await eventually(readBatch, ({ waiting_for }) => waiting_for !== null);
    expect(waiting.waiting_for).toMatchObject({ error: "budget_exhausted" });
    await stack.request(account, "PATCH", `/v1/budgets/${budget_id}`, { eur: "0.05" });
    await eventually(readBatch, ({ status }) => status === "completed");
    expect(await read(account, budget_id)).toMatchObject({ spent_eur: "0.05", held_eur: "0.00" });
  });

  it("has usage by budget, in which a job keeps the budget that it was accepted in", async () => {
    const { account } = await createClient(stack);
    const { id: budget_id } = await create(account, { eur: "1" });
    const key = await mint(account, { budget_id });
    await generate(key);
    await stack.request(account, "PATCH", `/v1/keys/${key.id}`, { budget_id: null });
    await generate(key);
    await generate(key);
    const response = await stack.request(account, "GET", "/v1/usage?group_by=budget");
    expect(usage.parse(await response.json()).rows).toMatchObject([
      { budget: null, budget_name: null, jobs: 2, cost_eur: "0.10" },
      { budget: budget_id, budget_name: "Team", jobs: 1, cost_eur: "0.05" },
    ]);
    const csv = await stack.request(account, "GET", "/v1/usage?group_by=budget&format=csv");
    expect(await csv.text()).toContain(`"${budget_id}",1,1,0,0.05,"Team"`);
  });

  it("keeps the budget from being deleted also while it is expired or its member is disabled", async () => {
    const { account } = await createClient(stack);
    const { id: budget_id } = await create(account);
    const person = await addPerson(stack, account, "maker");
    const key = await mint(account, { budget_id });
    await stack.request(account, "PATCH", `/v1/keys/${person.keyId}`, { budget_id });
    await stack.database.query("UPDATE api_key SET expires_at = now() WHERE id = $1", [key.id]);
    const ask = async (method: string, path: string, body?: object) => {
      const response = await stack.request(account, method, path, body);
      return response.status;
    };
    const member = `/v1/members/${person.id}`;
    expect(await ask("POST", `${member}/disable`)).toBe(200);
    const path = `/v1/budgets/${budget_id}`;
    const inUse = (keys: number) => ({
      status: 409,
      error: "budget_in_use",
      details: { keys, members: 1 },
    });
    expect(await errorOf(stack.request(account, "DELETE", path))).toEqual(inUse(2));
    expect(await ask("DELETE", `/v1/keys/${key.id}`)).toBe(200);
    expect(await errorOf(stack.request(account, "DELETE", path))).toEqual(inUse(1));
    expect(await ask("POST", `${member}/enable`)).toBe(200);
    expect(await read(account, budget_id)).toMatchObject({ keys: 1 });
    expect(await ask("POST", `${member}/disable`)).toBe(200);
    expect(await ask("DELETE", member)).toBe(200);
    expect(await ask("DELETE", path)).toBe(204);
  });

  it("keeps all invariants", async () => {
    await expect(assertInvariants(stack.database)).resolves.toBeUndefined();
  });
});
