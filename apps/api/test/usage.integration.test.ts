import { transactionList, usage } from "@atelier/schemas";
import { shareStack, type Stack, type TestAccount } from "@atelier/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createClient, image, readError, type Client } from "./support/client.ts";

let stack: Stack;
/** An account with an image by each of two keys, and a failed job. */
let client: Client;
let second: Pick<TestAccount, "key"> & { readonly id: string };

beforeAll(async () => {
  stack = await shareStack();
  client = await createClient(stack);
  const minted = await stack.request(client.account, "POST", "/v1/keys", { name: "second" });
  second = (await minted.json()) as typeof second;
  await client.generate();
  const cheap = { ...image, model: "builtin-pattern" };
  await stack.request(second, "POST", "/v1/generate/image", cheap);
  stack.provider.behave(() => ({ kind: "refuse", categories: ["violence"] }));
  await client.generate();
  stack.provider.behave(() => ({ kind: "image" }));
});

afterAll(() => stack.stop());

const get = (path: string, holder: Pick<TestAccount, "key"> = client.account) =>
  stack.request(holder, "GET", path);

async function readUsage(query: string) {
  return usage.parse(await (await get(`/v1/usage?${query}`)).json());
}

describe("GET /v1/usage", () => {
  it("sums today's jobs by model, most expensive first", async () => {
    const { rows, total } = await readUsage("group_by=model");
    expect(rows).toEqual([
      { model: "fake-blind", jobs: 2, images: 1, failed: 1, cost_eur: "0.05" },
      { model: "builtin-pattern", jobs: 1, images: 1, failed: 0, cost_eur: rows[1]?.cost_eur },
    ]);
    const { balance_eur } = await client.money();
    expect(total).toMatchObject({ jobs: 3, images: 2, failed: 1 });
    expect(Number(total.cost_eur)).toBeCloseTo(10 - Number(balance_eur), 6);
  });

  it("sums by key and by kind", async () => {
    const byKey = await readUsage("group_by=key");
    expect(byKey.rows.map(({ key, key_name, jobs }) => [key, key_name, jobs])).toEqual([
      [client.account.keyId, "test", 2],
      [second.id, "second", 1],
    ]);
    expect((await readUsage("group_by=kind")).rows).toMatchObject([{ kind: "image", jobs: 3 }]);
  });

  it("is an attachment in CSV, with the same sums", async () => {
    const { rows, from, to } = await readUsage("");
    const response = await get("/v1/usage?format=csv");
    expect(response.headers.get("Content-Type")).toBe("text/csv; charset=utf-8");
    expect(response.headers.get("Content-Disposition")).toBe(
      `attachment; filename="usage-${from}-${to}.csv"`,
    );
    const [row] = rows;
    expect(await response.text()).toBe(
      `day,jobs,images,failed,cost_eur\r\n"${to}",3,2,1,${row?.cost_eur}\r\n`,
    );
  });

  it("names keys in CSV, never as a formula of a spreadsheet", async () => {
    const rename = (name: string) =>
      stack.request(client.account, "PATCH", `/v1/keys/${second.id}`, { name });
    await rename('=HYPERLINK("https://example.org")');
    const lines = (await (await get("/v1/usage?group_by=key&format=csv")).text()).split("\r\n");
    await rename("second");
    expect(lines[0]).toBe("key,jobs,images,failed,cost_eur,key_name");
    expect(lines[1]).toMatch(/,"test"$/);
    expect(lines[2]).toMatch(/,"'=HYPERLINK\(""https:\/\/example.org""\)"$/);
  });

  it("has no rows for a range without jobs", async () => {
    expect(await readUsage("from=2020-01-01&to=2020-12-31")).toEqual({
      from: "2020-01-01",
      to: "2020-12-31",
      rows: [],
      total: { jobs: 0, images: 0, failed: 0, cost_eur: "0.00" },
    });
  });

  it("sums more archived jobs than a request may read, which are stored as sums", async () => {
    const { account } = await createClient(stack);
    await stack.database.query(
      `INSERT INTO archived_usage (account_id, ended_on, accepted_on, key_id, mode, kind, model, jobs, images,
                                   failed, charged_micro_eur)
       VALUES ($1, '2021-05-01', '2021-05-01', $2, 'live', 'image', 'm', 2000000, 2000000, 0, 10000)`,
      [account.accountId, account.keyId],
    );
    const path = "/v1/usage?from=2021-05-01&to=2021-05-31";
    const response = await stack.request(account, "GET", path);
    expect(usage.parse(await response.json()).total.jobs).toBe(2_000_000);
    // The work for them counts as no further requests.
    expect((await stack.request(account, "GET", path)).status).toBe(200);
  });

  it.each([
    ["from=2026-02-01&to=2026-01-31", "from must not be after to."],
    ["from=2024-01-01&to=2025-01-02", "from must be at most 366 days before to."],
    ["from=2026-02-30", "from"],
    ["from=-4713-01-01", "from"],
    ["group_by=colour", "group_by"],
    ["groupby=day", 'groupby is not a known property; did you mean "group_by"?'],
  ])("refuses %s", async (query, message) => {
    const response = await get(`/v1/usage?${query}`);
    expect(response.status).toBe(400);
    const error = await readError(response);
    expect(error).toMatchObject({ error: "invalid_request" });
    expect(error.message).toContain(message);
  });

  it("needs the scope read", async () => {
    const minted = await stack.request(client.account, "POST", "/v1/keys", {
      name: "blind",
      scopes: ["generate", "manage"],
    });
    const blind = (await minted.json()) as typeof second;
    for (const path of ["/v1/usage", "/v1/transactions"]) {
      const response = await get(path, blind);
      expect(response.status).toBe(403);
      expect(await readError(response)).toMatchObject({ error: "key_not_permitted" });
    }
  });
});

describe("GET /v1/transactions", () => {
  it("lists top-ups and charges in pages, newest first", async () => {
    const all = transactionList.parse(await (await get("/v1/transactions")).json());
    expect(all.next_cursor).toBeNull();
    expect(all.transactions).toMatchObject([
      { kind: "charge", key_id: second.id, reference: null },
      { kind: "charge", key_id: client.account.keyId, amount_eur: "-0.05" },
      { kind: "top_up", amount_eur: "10.00", job_id: null, key_id: null },
    ]);
    const paged: unknown[] = [];
    let cursor: string | null = "";
    while (cursor !== null) {
      const query = cursor === "" ? "limit=1" : `limit=1&cursor=${cursor}`;
      const page = transactionList.parse(await (await get(`/v1/transactions?${query}`)).json());
      expect(page.transactions).toHaveLength(1);
      paged.push(...page.transactions);
      cursor = page.next_cursor;
    }
    expect(paged).toEqual(all.transactions);
  });

  it("shows nothing of another account", async () => {
    const stranger = await createClient(stack, "0");
    const page = await get("/v1/transactions", stranger.account);
    expect(transactionList.parse(await page.json()).transactions).toEqual([]);
    const other = usage.parse(await (await get("/v1/usage", stranger.account)).json());
    expect(other.rows).toEqual([]);
  });

  it("refuses a malformed cursor", async () => {
    const response = await get("/v1/transactions?cursor=zzz");
    expect(response.status).toBe(400);
    expect(await readError(response)).toMatchObject({ error: "invalid_request" });
  });
});
