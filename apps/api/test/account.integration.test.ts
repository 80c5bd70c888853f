import { account, generationResponse, mintedKey } from "@atelier/schemas";
import { shareStack, type Stack, type TestAccount } from "@atelier/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { clientOf, createClient, readError } from "./support/client.ts";

let stack: Stack;

beforeAll(async () => {
  stack = await shareStack();
});

afterAll(() => stack.stop());

const change = (holder: Pick<TestAccount, "key">, body: object) =>
  stack.request(holder, "PATCH", "/v1/account", body);

describe("PATCH /v1/account", () => {
  it("changes what the body names; null stands for the default", async () => {
    const { account: own } = await createClient(stack);
    const settings = {
      strictness: "liberal",
      retention_hours: 12,
      low_balance_eur: "2.5",
      language: "de",
      keep_starred: true,
    };
    expect(account.parse(await (await change(own, settings)).json())).toMatchObject({
      strictness: "liberal",
      retention_hours: 12,
      max_retention_hours: 24,
      low_balance_eur: "2.50",
      language: "de",
      keep_starred: true,
    });
    const body = { low_balance_eur: null, retention_hours: null, language: null };
    expect(account.parse(await (await change(own, body)).json())).toMatchObject({
      strictness: "liberal",
      retention_hours: 24,
      low_balance_eur: null,
      language: null,
    });
  });

  it("sets the strictness of later requests", async () => {
    const client = await createClient(stack);
    await change(client.account, { strictness: "liberal" });
    const id = await client.accept();
    const [row] = await stack.database.query<{ strictness: string }>(
      "SELECT strictness FROM generation WHERE id = $1",
      [id],
    );
    expect(row).toEqual({ strictness: "liberal" });
    await client.untilFinal(id);
  });

  it.each([
    [{ retention_hours: 25 }, "retention_hours must be at most 24, the limit of this server."],
    [{ retention_hours: 0 }, "retention_hours"],
    [{ low_balance_eur: 5 }, "low_balance_eur"],
    [{ low_balance_eur: "-1" }, "low_balance_eur"],
    [{ strictness: "none" }, "strictness"],
    [{ language: "xx" }, "language"],
    [{ name: "x" }, "name is not a known property"],
  ])("refuses %j", async (body, message) => {
    const { account: own } = await createClient(stack);
    const response = await change(own, body);
    expect(response.status).toBe(400);
    expect((await readError(response)).message).toContain(message);
  });

  it("needs the scope manage", async () => {
    const { account: own } = await createClient(stack);
    const minted = await stack.request(own, "POST", "/v1/keys", {
      name: "x",
      scopes: ["generate", "read"],
    });
    const key = mintedKey.parse(await minted.json());
    expect((await change(key, { strictness: "liberal" })).status).toBe(403);
    expect((await stack.request(key, "GET", "/v1/account")).status).toBe(200);
  });
});

describe("a key with a budget or without the scope read", () => {
  const image = { model: "builtin-pattern", prompt: "a lighthouse" };

  async function mint(settings: object) {
    const client = await createClient(stack);
    const body = { name: "narrow", ...settings };
    const response = await stack.request(client.account, "POST", "/v1/keys", body);
    const { id, key } = mintedKey.parse(await response.json());
    const own = clientOf(stack, { ...client.account, keyId: id, key });
    const read = async () =>
      account.parse(await (await stack.request(own.account, "GET", "/v1/account")).json());
    return { client, own, read };
  }

  it("sees what it may still spend, in its account, quotes and results, and no more", async () => {
    const { own, read } = await mint({ budget: { eur: "0.05" } });
    const before = await read();
    expect(before).toMatchObject({ balance_eur: "0.05" });
    const quoted = { operation: "image", request: image };
    const quote = await stack.request(own.account, "POST", "/v1/quotes", quoted);
    expect(await quote.json()).toMatchObject({ balance_eur: "0.05" });
    const generated = await stack.request(own.account, "POST", "/v1/generate/image", image);
    const result = generationResponse.parse(await generated.json());
    const after = await read();
    expect(Number(after.balance_eur)).toBeCloseTo(0.05 - Number(result.cost_eur));
    expect(result.balance_eur).toBe(after.balance_eur);
    for (const seen of [before, after]) {
      expect(seen.name).toBeUndefined();
      expect(seen.held_eur).toBeUndefined();
    }
  });

  it("sees the balance without a budget, which it may spend", async () => {
    const { client, read } = await mint({ scopes: ["generate"] });
    const { balance_eur } = await client.money();
    const seen = await read();
    expect(seen).toMatchObject({ balance_eur });
    expect([seen.name, seen.held_eur]).toEqual([undefined, undefined]);
  });
});
