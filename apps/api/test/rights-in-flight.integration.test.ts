import { createKey, revokeKey, setSuspended } from "@atelier/accounts";
import { listUploads } from "@atelier/generations/uploads";
import { whitePng } from "@atelier/guarded-fetch/testing/images";
import { mintedKey } from "@atelier/schemas";
import { assertInvariants, shareStack, type Stack, type TestAccount } from "@atelier/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { image } from "./support/client.ts";
import { openConnection, type Connection } from "./support/connection.ts";
import { addPerson } from "./support/people.ts";

/** Requests whose headers have arrived before the change, and their bodies after it. */
const inFlight = 200;
const body = JSON.stringify(image);

let stack: Stack;

beforeAll(async () => {
  stack = await shareStack({ workers: 0 });
});

afterAll(() => stack.stop());

/** Sends the headers of requests and waits until each was admitted with its key. */
async function beginRequests(
  count: number,
  {
    key,
    credential = `Authorization: Bearer ${key}`,
    method = "POST",
    path = "/v1/generate/image",
    type = "application/json",
    length = Buffer.byteLength(body),
  }: {
    readonly key?: string;
    /** Headers that sign in. Default: those of the key. */
    readonly credential?: string;
    readonly method?: string;
    readonly path?: string;
    readonly type?: string;
    readonly length?: number;
  },
): Promise<Connection[]> {
  return Promise.all(
    Array.from({ length: count }, async () => {
      const connection = await openConnection(stack.url);
      connection.send(
        `${method} ${path} HTTP/1.1\r\nHost: atelier\r\n${credential}\r\n` +
          `Content-Type: ${type}\r\nPrefer: respond-async\r\nExpect: 100-continue\r\n` +
          `Content-Length: ${length}\r\n\r\n`,
      );
      // Sent when the body is wanted, which is after admission.
      await connection.received("HTTP/1.1 100 Continue\r\n\r\n");
      return connection;
    }),
  );
}

/** Sends the bodies and counts the responses by status and error code. */
async function finish(
  connections: readonly Connection[],
  content: string | Buffer = body,
): Promise<Record<string, number>> {
  const outcomes: Record<string, number> = {};
  await Promise.all(
    connections.map(async (connection) => {
      connection.send(content);
      const response = await connection.answer();
      const { error = "" } = (await response.json()) as { error?: string };
      const outcome = `${response.status} ${error}`.trim();
      outcomes[outcome] = (outcomes[outcome] ?? 0) + 1;
      connection.end();
    }),
  );
  return outcomes;
}

async function addKey({ accountId }: TestAccount) {
  const pepper = stack.environment["KEY_PEPPER"] ?? "";
  return createKey(stack.database, { accountId, name: "in flight", pepper });
}

async function jobsOf({ accountId }: TestAccount): Promise<number | undefined> {
  const [row] = await stack.database.query<{ jobs: number }>(
    "SELECT count(*)::int AS jobs FROM generation WHERE account_id = $1",
    [accountId],
  );
  return row?.jobs;
}

describe("requests whose headers arrived before a change", () => {
  it("0 of 200 are accepted after the key was revoked", async () => {
    const account = await stack.createAccount("100");
    const { id, key } = await addKey(account);
    const connections = await beginRequests(inFlight, { key });
    const path = `/v1/keys/${id}`;
    expect((await stack.request(account, "DELETE", path)).status).toBe(200);
    expect(await finish(connections)).toEqual({ "401 unauthorized": inFlight });
    expect(await jobsOf(account)).toBe(0);
    await assertInvariants(stack.database);
  });

  it("0 of 200 are accepted after the account was suspended", async () => {
    const account = await stack.createAccount("100");
    const connections = await beginRequests(inFlight, account);
    await setSuspended(stack.database, account.accountId, true);
    expect(await finish(connections)).toEqual({ "403 account_suspended": inFlight });
    expect(await jobsOf(account)).toBe(0);
  });

  it("0 of 200 are accepted after the member was disabled, with its session and a key that it created", async () => {
    const account = await stack.createAccount("100");
    const { id, cookie, ask } = await addPerson(stack, account, "manager");
    const minted = await ask("POST", "/v1/keys", { name: "made" });
    const { key } = mintedKey.parse(await minted.json());
    const credential = `Cookie: ${cookie}\r\nX-Atelier-Studio: 1`;
    const connections = await Promise.all([
      beginRequests(inFlight / 2, { credential }),
      beginRequests(inFlight / 2, { key }),
    ]);
    const path = `/v1/members/${id}/disable`;
    expect((await stack.request(account, "POST", path)).status).toBe(200);
    expect(await finish(connections.flat())).toEqual({ "401 unauthorized": inFlight });
    expect(await jobsOf(account)).toBe(0);
    await assertInvariants(stack.database);
  });

  it("none is accepted when the key that created theirs was revoked", async () => {
    const account = await stack.createAccount();
    const parent = await addKey(account);
    const minted = await stack.request(parent, "POST", "/v1/keys", { name: "child" });
    const { key } = mintedKey.parse(await minted.json());
    const connections = await beginRequests(10, { key });
    await revokeKey(stack.database, parent.id);
    expect(await finish(connections)).toEqual({ "401 unauthorized": 10 });
  });

  it.each([
    ["has expired", { expires_at: "2026-01-01T00:00:00Z" }, "401 unauthorized"],
    ["lost the scope generate", { scopes: ["read"] }, "403 key_not_permitted"],
    ["lost the model", { models: ["fake-resumable"] }, "403 key_not_permitted"],
  ])("none is accepted when the key %s", async (_, change, outcome) => {
    const account = await stack.createAccount();
    const { id, key } = await addKey(account);
    const connections = await beginRequests(10, { key });
    const changed = await stack.request(account, "PATCH", `/v1/keys/${id}`, change);
    expect(changed.status).toBe(200);
    expect(await finish(connections)).toEqual({ [outcome]: 10 });
    expect(await jobsOf(account)).toBe(0);
  });

  it("none is accepted with a secret that was replaced without a grace period", async () => {
    const account = await stack.createAccount();
    const { id, key } = await addKey(account);
    const connections = await beginRequests(10, { key });
    const rotate = (grace_hours: number) =>
      stack.request(account, "POST", `/v1/keys/${id}/rotate`, { grace_hours });
    expect((await rotate(0)).status).toBe(200);
    expect(await finish(connections)).toEqual({ "401 unauthorized": 10 });
  });

  it("are accepted with a secret in its grace period", async () => {
    const account = await stack.createAccount();
    const { id, key } = await addKey(account);
    const connections = await beginRequests(10, { key });
    const path = `/v1/keys/${id}/rotate`;
    expect((await stack.request(account, "POST", path, { grace_hours: 1 })).status).toBe(200);
    expect(await finish(connections)).toEqual({ "202": 10 });
  });

  it.each([
    ["the key was revoked", (id: string) => revokeKey(stack.database, id), "401 unauthorized"],
    [
      "the account was suspended",
      (_: string, accountId: string) => setSuspended(stack.database, accountId, true),
      "403 account_suspended",
    ],
  ])("none stores an upload after %s", async (_, change, outcome) => {
    const account = await stack.createAccount();
    const { id, key } = await addKey(account);
    const bytes = whitePng(8, 8);
    const upload = { path: "/v1/uploads", type: "image/png", length: bytes.byteLength };
    const connections = await beginRequests(10, { key, ...upload });
    await change(id, account.accountId);
    expect(await finish(connections, bytes)).toEqual({ [outcome]: 10 });
    expect(await listUploads(stack.database, account.accountId)).toEqual([]);
  });

  it("none creates or changes a key, a webhook or the account after the key was revoked", async () => {
    const account = await stack.createAccount();
    const hook = { url: "https://example.com/hook", events: ["job.completed"] };
    for (const [method, path, change] of [
      ["POST", "/v1/keys", { name: "late" }],
      ["PATCH", `/v1/keys/${account.keyId}`, { name: "late" }],
      ["POST", "/v1/webhooks", hook],
      ["PATCH", "/v1/account", { strictness: "liberal" }],
    ] as const) {
      const { id, key } = await addKey(account);
      const text = JSON.stringify(change);
      const length = Buffer.byteLength(text);
      const connections = await beginRequests(1, { key, method, path, length });
      await revokeKey(stack.database, id);
      expect([path, await finish(connections, text)]).toEqual([path, { "401 unauthorized": 1 }]);
    }
  });
});
