import { account, mintedKey } from "@atelier/schemas";
import { shareStack, type Stack, type TestAccount } from "@atelier/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createClient, readError } from "./support/client.ts";

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
    };
    expect(account.parse(await (await change(own, settings)).json())).toMatchObject({
      strictness: "liberal",
      retention_hours: 12,
      max_retention_hours: 24,
      low_balance_eur: "2.50",
      language: "de",
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
