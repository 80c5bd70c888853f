import { setSuspended } from "@atelier/accounts";
import { createDatabase } from "@atelier/database";
import { startStack, type Stack, type TestAccount } from "@atelier/testing";
import { afterAll, beforeAll, expect, inject, it, onTestFinished } from "vitest";
import { eventually } from "./support/eventually.ts";
import { startSecondApi } from "./support/second-api.ts";

let stack: Stack;
let secondUrl: string;

beforeAll(async () => {
  stack = await startStack({ postgresUrl: inject("postgresUrl"), workers: 0 });
  secondUrl = (await startSecondApi(stack, {})).url;
});

afterAll(() => stack.stop());

async function read({ key }: Pick<TestAccount, "key">, url: string): Promise<number> {
  const response = await fetch(`${url}/v1/jobs`, { headers: { Authorization: `Bearer ${key}` } });
  await response.arrayBuffer();
  return response.status;
}

/** Creates a key that both processes remember. */
async function createRememberedKey() {
  const owner = await stack.createAccount();
  const created = await stack.request(owner, "POST", "/v1/keys", { name: "second" });
  const { id, key } = (await created.json()) as { id: string; key: string };
  for (let sent = 0; sent < 6; sent++) {
    expect([await read({ key }, stack.url), await read({ key }, secondUrl)]).toEqual([200, 200]);
  }
  return { owner, id, key };
}

/** Reads until a process refuses a key with a status. Returns when the last request was sent that it served. */
async function lastServed(
  account: Pick<TestAccount, "key">,
  url: string,
  refusal: number,
): Promise<number> {
  for (let servedAt = 0; ;) {
    const sentAt = performance.now();
    const status = await read(account, url);
    if (status === refusal) return servedAt;
    expect(status).toBe(200);
    servedAt = sentAt;
  }
}

/** Revokes a key without a notification. */
const revokeInSilence = (id: string) =>
  stack.database.transaction(async (sql) => {
    await sql.query("SET LOCAL session_replication_role = replica");
    await sql.query("UPDATE api_key SET revoked_at = now() WHERE id = $1", [id]);
  });

it.each([
  [
    "revoked",
    (owner: TestAccount, id: string) => stack.request(owner, "DELETE", `/v1/keys/${id}`),
    401,
  ],
  [
    "rotated",
    (owner: TestAccount, id: string) =>
      stack.request(owner, "POST", `/v1/keys/${id}/rotate`, { grace_hours: 0 }),
    401,
  ],
])(
  "a key that was %s is refused at once by the process that answered, and soon by others",
  async (_case, change, status) => {
    const { owner, id, key } = await createRememberedKey();
    const { status: answered } = await change(owner, id);
    const answeredAt = performance.now();
    expect(answered).toBe(200);
    expect(await read({ key }, stack.url)).toBe(status);
    expect(await lastServed({ key }, secondUrl, status)).toBeLessThanOrEqual(answeredAt + 1_000);
  },
);

it("an account that an operator suspends is refused soon by all processes", async () => {
  const { owner, key } = await createRememberedKey();
  await setSuspended(stack.database, owner.accountId, true);
  const suspendedAt = performance.now();
  for (const url of [stack.url, secondUrl]) {
    expect(await lastServed({ key }, url, 403)).toBeLessThanOrEqual(suspendedAt + 1_000);
  }
});

it("a process whose notifications are lost looks at the rows of each request", async () => {
  const { id, key } = await createRememberedKey();
  const server = createDatabase({
    url: inject("postgresUrl"),
    poolSize: 1,
    applicationName: "test",
  });
  const name = new URL(stack.environment["DATABASE_URL"] ?? "").pathname.slice(1);
  const allow = (allowed: boolean) =>
    server.query(`ALTER DATABASE "${name}" ALLOW_CONNECTIONS ${allowed}`);
  onTestFinished(async () => {
    await allow(true);
    await server.close();
  });
  await allow(false);
  const listeners = `pg_stat_activity WHERE datname = '${name}' AND application_name LIKE 'atelier-listen%'`;
  await server.query(`SELECT pg_terminate_backend(pid) FROM ${listeners}`);
  await eventually(
    () => server.query(`SELECT FROM ${listeners}`),
    (rows) => rows.length === 0,
  );
  // After the responses, the processes have seen that their connections ended.
  expect([await read({ key }, stack.url), await read({ key }, secondUrl)]).toEqual([200, 200]);
  await revokeInSilence(id);
  expect([await read({ key }, stack.url), await read({ key }, secondUrl)]).toEqual([401, 401]);
});
