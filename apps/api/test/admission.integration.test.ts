import { makeSecretKey } from "@atelier/accounts";
import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { shareStack, type Stack } from "@atelier/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startSecondApi } from "./support/second-api.ts";
import { createClient, image, readError, type Client } from "./support/client.ts";
import { openConnection, sendByHand } from "./support/connection.ts";

const generationsPerMinute = 40;
const otherRequestsPerMinute = 30;

let stack: Stack;
/** Another API with low limits on the same data. */
let strictUrl: string;

beforeAll(async () => {
  stack = await shareStack({ workers: 0 });
  const strict = await startSecondApi(stack, {
    GENERATIONS_PER_MINUTE: String(generationsPerMinute),
    OTHER_REQUESTS_PER_MINUTE: String(otherRequestsPerMinute),
  });
  strictUrl = strict.url;
});

afterAll(() => stack.stop());

/** The raw head of a request with a JSON body. */
function head({ account }: Client, path: string, ...lines: readonly string[]): string {
  const all = [
    `POST ${path} HTTP/1.1`,
    "Host: atelier",
    `Authorization: Bearer ${account.key}`,
    "Content-Type: application/json",
    ...lines,
  ];
  return `${all.join("\r\n")}\r\n\r\n`;
}

function post(client: Client, path: string, body: string, url = strictUrl): Promise<Response> {
  return fetch(url + path, {
    method: "POST",
    headers: {
      Authorization: `Bearer ${client.account.key}`,
      "Content-Type": "application/json",
      Accept: "application/json, text/event-stream",
    },
    body,
  });
}

/** Remaining requests of a limit, from the headers of a response. */
const leftOf = (response: Response) =>
  Number(/r=(\d+)/.exec(response.headers.get("RateLimit") ?? "")?.[1]);

/** Operations with a body, and the error code of an exhausted limit. */
const operations = [
  ["/v1/generate/image", generationsPerMinute],
  ["/v1/files/image-generation", otherRequestsPerMinute],
  ["/mcp", otherRequestsPerMinute],
] as const;

describe.each(operations)("POST %s", (path, perMinute) => {
  it("refuses a request without a valid key before its body arrives", async () => {
    const client = await createClient(stack);
    const answer = await sendByHand(
      strictUrl,
      head(client, path, "Content-Length: 9").replace("atl_live_", "atl_lost_"),
    );
    expect(answer.status).toBe(401);
  });

  it("counts malformed bodies, and refuses the next before its body arrives", async () => {
    const client = await createClient(stack);
    const startedAt = performance.now();
    const statuses = await Promise.all(
      Array.from({ length: perMinute + 5 }, async () => (await post(client, path, "[]")).status),
    );
    // A busy machine takes long enough for the bucket to refill by some requests.
    const refilled = Math.floor(((performance.now() - startedAt) * perMinute) / 60_000);
    const counted = statuses.filter((status) => status === 400).length;
    expect(counted).toBeGreaterThanOrEqual(perMinute);
    expect(counted).toBeLessThanOrEqual(perMinute + refilled);
    while ((await post(client, path, "[]")).status !== 429);
    const unsent = await sendByHand(strictUrl, head(client, path, "Content-Length: 9"));
    expect(unsent.status).toBe(429);
  });

  it.each(["Expect: 100-continue", "Connection: keep-alive"])(
    "refuses 99 MB by Content-Length (%s), and closes the connection",
    async (line) => {
      const client = await createClient(stack);
      const connection = await openConnection(strictUrl);
      connection.send(head(client, path, "Content-Length: 99000000", line));
      const answer = await connection.answer();
      expect(answer.status).toBe(400);
      expect(answer.headers.get("Connection")).toBe("close");
      expect(await readError(answer)).toMatchObject({ error: "request_too_large" });
      await connection.closed;
    },
  );

  it.each([
    ["values", JSON.stringify(Array.from({ length: 20_000 }, () => 1)), "too_big"],
    ["levels", "[".repeat(65) + "]".repeat(65), "too_deep"],
  ])("refuses a body of too many %s", async (_what, body, code) => {
    const response = await post(await createClient(stack), path, body);
    expect(response.status).toBe(400);
    expect((await readError(response)).details).toMatchObject([{ code }]);
  });

  it("charges a refused body of 1 MB as 16 requests", async () => {
    const client = await createClient(stack);
    const response = await post(client, path, `["${"x".repeat(1_048_000)}", }`);
    expect(response.status).toBe(400);
    expect(leftOf(response)).toBe(perMinute - 16);
    const next = await post(client, path, "{}");
    expect(leftOf(next)).toBe(perMinute - 17);
  });
});

it("a key that repeats large refused bodies waits longer than one with small requests", async () => {
  const client = await createClient(stack);
  const megabyte = `["${"x".repeat(1_048_000)}", }`;
  const statuses: number[] = [];
  for (let sent = 0; sent < 4; sent += 1) {
    const response = await post(client, "/v1/generate/image", megabyte);
    statuses.push(response.status);
    // 48 of 40 were taken: 8 too many, plus one for the next request, at 1.5 s each.
    if (response.status !== 429) continue;
    expect(Number(response.headers.get("Retry-After"))).toBeGreaterThan(5);
  }
  expect(statuses).toEqual([400, 400, 400, 429]);
});

it("charges a refused upload of 6 MB as 7 requests, without reading its parts", async () => {
  const client = await createClient(stack);
  const part = '--x\r\nContent-Disposition: form-data; name="f"; filename="f"\r\n\r\n1\r\n';
  const response = await fetch(`${strictUrl}/v1/uploads`, {
    method: "POST",
    headers: {
      Authorization: `Bearer ${client.account.key}`,
      "Content-Type": "multipart/form-data; boundary=x",
    },
    body: `${part.repeat(90_000)}--x--`,
  });
  expect(await readError(response)).toMatchObject({
    message: expect.stringContaining("at most 8 parts"),
  });
  // One request may have come back meanwhile for each 1.5 s.
  expect(leftOf(response)).toBeLessThan(generationsPerMinute - 3);
});

it("sends 100 Continue when the body will be read", async () => {
  const client = await createClient(stack);
  const connection = await openConnection(stack.url);
  const lines = ["Content-Length: 2", "Expect: 100-continue"];
  connection.send(head(client, "/v1/generate/image", ...lines));
  await connection.received("HTTP/1.1 100 Continue\r\n\r\n");
  connection.send("{}");
  const answer = await connection.answer();
  expect(answer.status).toBe(400);
  expect(await readError(answer)).toMatchObject({ error: "invalid_request" });
  connection.end();
});

it("refuses an account more than 8 MB of bodies at once, and no other account", async () => {
  const [slow, neighbour] = await Promise.all([createClient(stack), createClient(stack)]);
  const lines = ["Content-Length: 1048576", "Expect: 100-continue"];
  const connections = await Promise.all(Array.from({ length: 8 }, () => openConnection(stack.url)));
  for (const connection of connections) {
    connection.send(head(slow, "/v1/generate/image", ...lines));
    await connection.received("HTTP/1.1 100 Continue\r\n\r\n");
  }
  const refused = await sendByHand(stack.url, head(slow, "/v1/generate/image", ...lines));
  expect(refused.status).toBe(503);
  expect(await readError(refused)).toMatchObject({ error: "overloaded" });
  const large = JSON.stringify({ ...image, prompt: "x".repeat(1_000_000) });
  expect((await post(neighbour, "/v1/generate/image", large, stack.url)).status).toBe(400);
  for (const connection of connections) connection.end();
});

describe("requests without a valid key", () => {
  const perMinute = 5;
  let url: string;

  beforeAll(async () => {
    const secondApi = await startSecondApi(stack, {
      FAILED_AUTHENTICATIONS_PER_MINUTE: String(perMinute),
      TRUSTED_PROXIES: "127.0.0.1",
    });
    ({ url } = secondApi);
  });

  /** Sends a request through a trusted proxy. */
  const ask = (address: string, key: string, path = "/v1/account", method = "GET") =>
    fetch(url + path, {
      method,
      headers: { Authorization: `Bearer ${key}`, "X-Forwarded-For": address },
    });

  const unknownKey = () => makeSecretKey("a pepper that no installation has").key;

  async function useUp(address: string, makeKey = () => "atl_live_wrong"): Promise<void> {
    for (let sent = 0; sent < perMinute; sent++) {
      expect((await ask(address, makeKey())).status).toBe(401);
    }
  }

  it.each([
    ["GET", "/v1/account"],
    ["POST", "/v1/generate/image"],
    ["POST", "/v1/images/generations"],
    ["POST", "/mcp"],
  ])("meet the limit of their client's address: %s %s", async (method, path) => {
    const address = `198.51.100.${path.length}`;
    await useUp(address);
    const refused = await ask(address, "atl_live_wrong", path, method);
    expect(refused.status).toBe(429);
    expect(refused.headers.get("Retry-After")).toBe("12");
    expect(JSON.stringify(await refused.json())).toContain("rate_limited");
    expect((await ask("192.0.2.1", "atl_live_wrong", path, method)).status).toBe(401);
  });

  it("do not affect clients at the same address whose key was valid before", async () => {
    const [known, fresh] = await Promise.all([createClient(stack), createClient(stack)]);
    expect((await ask("192.0.2.2", known.account.key)).status).toBe(200);
    await useUp("192.0.2.3", unknownKey);
    expect((await ask("192.0.2.3", known.account.key)).status).toBe(200);
    expect((await ask("192.0.2.3", fresh.account.key)).status).toBe(429);
    expect((await ask("192.0.2.4", fresh.account.key)).status).toBe(200);
  });

  it("do not lock out new keys behind the same address when they are malformed", async () => {
    const fresh = await createClient(stack);
    await useUp("192.0.2.10");
    expect((await ask("192.0.2.10", "")).status).toBe(429);
    expect((await ask("192.0.2.10", unknownKey())).status).toBe(401);
    expect((await ask("192.0.2.10", fresh.account.key)).status).toBe(200);
  });

  it("include revoked keys and suspended accounts, which take from no other limit", async () => {
    const [revoked, suspended] = await Promise.all([createClient(stack), createClient(stack)]);
    for (const client of [revoked, suspended]) {
      expect((await ask("192.0.2.5", client.account.key)).status).toBe(200);
    }
    await stack.database.query("UPDATE api_key SET revoked_at = now() WHERE id = $1", [
      revoked.account.keyId,
    ]);
    await stack.database.query("UPDATE account SET suspended_at = now() WHERE id = $1", [
      suspended.account.accountId,
    ]);
    for (const [address, client, status] of [
      ["192.0.2.6", revoked, 401],
      ["192.0.2.7", suspended, 403],
    ] as const) {
      const statuses: number[] = [];
      for (let sent = 0; sent <= perMinute; sent++) {
        statuses.push((await ask(address, client.account.key)).status);
      }
      expect(statuses).toEqual([...Array<number>(perMinute).fill(status), 429]);
    }
  });

  it("are counted by the connection's address when no proxy is trusted", async () => {
    const direct = await startSecondApi(stack, { FAILED_AUTHENTICATIONS_PER_MINUTE: "1" });
    const statuses: number[] = [];
    for (const address of ["192.0.2.8", "192.0.2.9"]) {
      const headers = { "X-Forwarded-For": address };
      statuses.push((await fetch(`${direct.url}/v1/jobs`, { headers })).status);
    }
    expect(statuses).toEqual([401, 429]);
  });
});

describe("a body that is not read", () => {
  it("keeps the connection open when it is small", async () => {
    const connection = await openConnection(stack.url);
    const request =
      "POST /v1/generate/image HTTP/1.1\r\nHost: atelier\r\nContent-Length: 2\r\n\r\n{}";
    for (let sent = 0; sent < 2; sent += 1) {
      connection.send(request);
      expect((await connection.answer()).status).toBe(401);
    }
    connection.end();
  });

  it.each([
    ["GET", "/healthz", 200],
    ["POST", "/v1/generate/image", 401],
    ["PUT", "/nowhere", 404],
  ])("is not waited for while a client goes on sending: %s %s", async (method, path, status) => {
    const { hostname, port } = new URL(stack.url);
    const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
    const answered = once(socket, "data");
    socket.write(
      `${method} ${path} HTTP/1.1\r\nHost: atelier\r\nContent-Length: 1000000000\r\n\r\n`,
    );
    await sendUntilClosed(socket);
    const [answer] = (await answered) as [Buffer];
    expect(answer.toString()).toContain(`HTTP/1.1 ${status}`);
  });

  it("is dropped for a client that sends all of it before it reads the response", async () => {
    const { hostname, port } = new URL(stack.url);
    const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
    const body = Buffer.alloc(20_000_000, " ");
    const line = "POST /v1/generate/image HTTP/1.1\r\nHost: atelier";
    socket.write(`${line}\r\nContent-Length: ${body.length}\r\n\r\n`);
    await new Promise((resolve) => socket.write(body, resolve));
    const [answer] = (await once(socket, "data")) as [Buffer];
    expect(answer.toString()).toContain("HTTP/1.1 401");
    socket.destroy();
  });
});

/** Writes until the server closes the connection, also after its last byte. */
async function sendUntilClosed(socket: Socket): Promise<void> {
  const chunk = Buffer.alloc(1_000, " ");
  const sending = setInterval(() => socket.write(chunk), 10);
  socket.on("error", () => undefined);
  await new Promise((resolve) => socket.once("close", resolve));
  clearInterval(sending);
}

describe("a key whose rate limit is locked by another transaction", () => {
  it("does not delay requests of other keys", async () => {
    const [locked, neighbour] = await Promise.all([createClient(stack), createClient(stack)]);
    const ask = (client: Client) => stack.request(client.account, "GET", "/v1/account");
    await Promise.all([ask(locked), ask(neighbour)]);
    const waiting = await stack.database.transaction(async (sql) => {
      await sql.query(
        `SELECT FROM rate_limit JOIN api_key ON key = 'other:' || api_key.id
          WHERE account_id = $1 FOR UPDATE OF rate_limit`,
        [locked.account.accountId],
      );
      const waits = Array.from({ length: 50 }, () => ask(locked));
      const statuses = await Promise.all(
        Array.from({ length: 20 }, async () => (await ask(neighbour)).status),
      );
      expect(new Set(statuses)).toEqual(new Set([200]));
      const [first] = await Promise.all(waits);
      expect(first?.status).toBe(503);
      expect(first?.headers.get("Retry-After")).toBe("1");
      expect(first && (await readError(first))).toMatchObject({ error: "overloaded" });
      return waits;
    });
    const statuses = await Promise.all(waiting.map(async (answer) => (await answer).status));
    expect(new Set(statuses)).toEqual(new Set([503]));
    expect((await ask(locked)).status).toBe(200);
  });

  it("is served as soon as the lock is released", async () => {
    const locked = await createClient(stack);
    const ask = () =>
      stack.request(locked.account, "POST", "/v1/generate/image", { ...image, n: 0 });
    await ask();
    let waits: Promise<Response>[] = [];
    await stack.database.transaction(async (sql) => {
      await sql.query(
        `SELECT FROM rate_limit JOIN api_key ON key = 'generate:' || api_key.id
          WHERE account_id = $1 FOR UPDATE OF rate_limit`,
        [locked.account.accountId],
      );
      waits = Array.from({ length: 10 }, ask);
      await fetch(`${stack.url}/healthz`);
    });
    const statuses = await Promise.all(waits.map(async (answer) => (await answer).status));
    expect(new Set(statuses)).toEqual(new Set([400]));
  });
});
