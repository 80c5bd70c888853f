import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createKey } from "@atelier/accounts";
import { startInternet, type Internet } from "@atelier/guarded-fetch/testing/internet";
import { webhookWithSecret, type WebhookDelivery } from "@atelier/schemas";
import { startStack, type Stack, type TestAccount } from "@atelier/testing";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, beforeEach, describe, expect, inject, it } from "vitest";
import { createClient, image, readError, type Client } from "./support/client.ts";
import { eventually } from "./support/eventually.ts";

/** A request that a receiver got. */
interface Received {
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: string;
  /** In milliseconds, on the clock of `performance`. */
  readonly at: number;
}

interface Payload {
  readonly type: string;
  readonly timestamp: string;
  readonly data: { readonly id: string; readonly status: string; readonly result: object | null };
}

const received: Received[] = [];
type Respond = (request: IncomingMessage, response: ServerResponse) => void;
const accept: Respond = (_request, response) => void response.writeHead(204).end();
/** Responses by path; other paths accept. */
const responses = new Map<string, Respond>();
const receiver = createServer((request, response) => {
  let body = "";
  request.on("data", (chunk) => (body += String(chunk)));
  request.on("end", () => {
    const path = request.url ?? "";
    const headers = request.headers as Received["headers"];
    received.push({ path, headers, body, at: performance.now() });
    (responses.get(path) ?? accept)(request, response);
  });
});

let internet: Internet;
let stack: Stack;
let client: Client;
let base: string;
/** A webhook that did not answer its first request, which was sent at the start, and its account. */
let silent: { readonly id: string; readonly account: TestAccount };

beforeAll(async () => {
  const receive = (request: IncomingMessage, response: ServerResponse) =>
    void receiver.emit("request", request, response);
  internet = await startInternet({
    "hooks.example.org": { http: receive },
    "private.example.org": { http: receive, addresses: [["10.0.0.7"]] },
    "mixed.example.org": { http: receive, addresses: [["93.184.215.14", "169.254.169.254"]] },
  });
  receiver.listen(0, "127.0.0.1");
  await once(receiver, "listening");
  const host = `127.0.0.1:${(receiver.address() as AddressInfo).port}`;
  base = `http://${host}`;
  stack = await startStack({
    postgresUrl: inject("postgresUrl"),
    workers: 2,
    environment: {
      WORKER_LANES: "builtin,fake-blind",
      WEBHOOK_PRIVATE_HOSTS: host,
      TEST_INTERNET: JSON.stringify(internet.address),
    },
  });
  client = await createClient(stack);
  let requests = 0;
  responses.set("/silent", (request, response) => {
    if (requests++ > 0) accept(request, response);
  });
  silent = { id: (await create("/silent")).id, account: client.account };
  await client.generate();
});

afterAll(async () => {
  receiver.closeAllConnections();
  receiver.close();
  await stack.stop();
  await internet.close();
});

beforeEach(async () => {
  client = await createClient(stack);
});

const ask = (
  method: string,
  path: string,
  body?: object,
  as: Pick<TestAccount, "key"> = client.account,
) => stack.request(as, method, path, body);

/** @param target a path of the receiver, or a URL. */
async function create(target: string, events: readonly string[] = ["job.completed"]) {
  const { href: url } = new URL(target, base);
  const response = await ask("POST", "/v1/webhooks", { url, events });
  expect(response.status).toBe(201);
  return webhookWithSecret.parse(await response.json());
}

const requestsTo = (path: string) => received.filter((request) => request.path === path);
const untilReceived = (path: string, count: number) =>
  eventually(
    () => Promise.resolve(requestsTo(path)),
    (requests) => requests.length >= count,
  );
const parse = ({ body }: Received) => JSON.parse(body) as Payload;

async function deliveriesOf(
  { id }: { readonly id: string },
  account = client.account,
): Promise<WebhookDelivery[]> {
  const response = await ask("GET", `/v1/webhooks/${id}/deliveries`, undefined, account);
  return ((await response.json()) as { deliveries: WebhookDelivery[] }).deliveries;
}

const untilDeliveries = (
  webhook: { readonly id: string },
  isGood: (deliveries: readonly WebhookDelivery[]) => boolean,
  account = client.account,
) => eventually(() => deliveriesOf(webhook, account), isGood);

/** Ends the delays after failures, so that tests do not wait for them. */
async function skipDelays(): Promise<void> {
  await stack.database.query("UPDATE webhook_delivery SET next_attempt_at = now()");
  await stack.database.query("UPDATE webhook SET paused_until = NULL");
}

describe("a webhook", () => {
  it("receives the events of a story in order, signed and without the prompt", async () => {
    const types = ["job.updated", "job.image_completed", "job.completed"];
    const { secret } = await create("/story", types);
    const prompt = "Mira finds a golden kite";
    const story = {
      model: "fake-blind",
      characters: [{ name: "Mira", description: "a girl with red hair" }],
      scenes: [{ prompt }, { prompt: "Mira goes home" }],
    };
    await ask("POST", "/v1/generate/story", story);
    const requests = await untilReceived("/story", 6);
    expect(requests.map((request) => parse(request).type)).toEqual([
      "job.updated",
      "job.updated",
      ...Array.from({ length: 3 }, () => "job.image_completed"),
      "job.completed",
    ]);
    for (const { body, headers } of requests) {
      expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
      expect(body).not.toContain(prompt);
    }
    const last = parse(requests.at(-1)!);
    expect(last.data).toMatchObject({ status: "completed" });
    const [url = ""] = (last.data.result as { image_urls: string[] }).image_urls;
    expect((await fetch(url)).status).toBe(200);
    const ids = requests.map(({ headers }) => headers["webhook-id"]);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it("is retried after a failure with the same id, and other jobs are not delayed", async () => {
    const webhook = await create("/flaky", ["job.completed"]);
    let failures = 1;
    responses.set("/flaky", (_request, response) =>
      response.writeHead(failures-- > 0 ? 500 : 200).end(),
    );
    await client.generate();
    await untilReceived("/flaky", 1);
    const [failed] = await untilDeliveries(webhook, ([first]) => first?.attempts === 1);
    expect(failed).toMatchObject({
      status: "pending",
      response_status: 500,
      error: "status 500",
      next_attempt_at: expect.any(String) as unknown,
      attempt_log: [
        { at: expect.any(String) as unknown, response_status: 500, error: "status 500" },
      ],
    });
    await skipDelays();
    const [first, second] = await untilReceived("/flaky", 2);
    expect(second?.headers["webhook-id"]).toBe(first?.headers["webhook-id"]);
    await untilDeliveries(webhook, ([one]) => one?.status === "delivered" && one.attempts === 2);
  });

  it("does not delay other webhooks while its receiver hangs", async () => {
    responses.set("/hanging", () => undefined);
    const hanging = await create("/hanging");
    await create("/quick");
    await client.generate();
    await untilReceived("/hanging", 1);
    await untilReceived("/quick", 1);
    expect(await deliveriesOf(hanging)).toMatchObject([{ status: "pending", attempts: 0 }]);
  });

  it("is tried at once by a resend or a test event, although it is paused after failures", async () => {
    responses.set("/mended", (_request, response) => response.writeHead(500).end());
    const webhook = await create("/mended");
    await client.generate();
    const [failed] = await untilDeliveries(webhook, ([one]) => one?.attempts === 1);
    responses.set("/mended", accept);
    const pause = (seconds: number) =>
      stack.database.query(
        `WITH paused AS (UPDATE webhook SET paused_until = now() + $2 * interval '1 s' WHERE id = $1)
         UPDATE webhook_delivery SET next_attempt_at = now() + $2 * interval '1 s'
          WHERE webhook_id = $1`,
        [webhook.id, seconds],
      );
    await pause(3_600);
    await ask("POST", `/v1/deliveries/${failed?.id}/retry`);
    const [sent] = await untilDeliveries(webhook, ([one]) => one?.status === "delivered");
    expect(sent?.attempt_log).toMatchObject([
      { response_status: 500, error: "status 500" },
      { response_status: 204, error: null },
    ]);
    await pause(3_600);
    await ask("POST", `/v1/webhooks/${webhook.id}/test`);
    await untilDeliveries(webhook, ([one]) => one?.type === "webhook.test" && one.attempts === 1);
  });

  it("is sent 4, 8, 16 and then 32 requests at the same time while all succeed", async () => {
    const webhook = await create("/wide");
    let open: ServerResponse[] = [];
    const widths: number[] = [];
    // Responds to the requests of a round together, once all of them are there.
    responses.set("/wide", (_request, response) => {
      open.push(response);
      if (open.length < 4 * 2 ** widths.length) return;
      widths.push(open.length);
      for (const one of open) one.writeHead(204).end();
      open = [];
    });
    await stack.database.query(
      `INSERT INTO webhook_delivery (webhook_id, event_id, type, data)
       SELECT $1, number, 'webhook.test', '{}' FROM generate_series(1, 60) AS number`,
      [webhook.id],
    );
    await untilDeliveries(webhook, (page) => page.every(({ status }) => status === "delivered"));
    await untilReceived("/wide", 60);
    expect(widths).toEqual([4, 8, 16, 32]);
    const response = await ask("GET", `/v1/webhooks/${webhook.id}`);
    expect(await response.json()).toMatchObject({ dropped_deliveries: 0 });
  });

  it("does not follow redirects", async () => {
    responses.set("/moved", (_request, response) =>
      response.writeHead(302, { location: `${base}/elsewhere` }).end(),
    );
    const webhook = await create("/moved");
    await client.generate();
    const [failed] = await untilDeliveries(webhook, ([one]) => one?.attempts === 1);
    expect(failed?.error).toBe("status 302: redirects are not followed");
    expect(requestsTo("/elsewhere")).toEqual([]);
  });

  it("with a public HTTPS address receives signed events", async () => {
    const { secret } = await create("https://hooks.example.org/public");
    await client.generate();
    const [request] = await untilReceived("/public", 1);
    const payload = new Webhook(secret).verify(request?.body ?? "", request?.headers ?? {});
    expect(payload).toMatchObject({ type: "job.completed", data: { status: "completed" } });
  });

  it.each(["private.example.org", "mixed.example.org"])(
    "is not connected to while its name %s has a private address, and is retried",
    async (host) => {
      const connections = internet.connectionCount();
      const webhook = await create(`https://${host}/private`);
      await client.generate();
      const [failed] = await untilDeliveries(webhook, ([one]) => one?.attempts === 1);
      expect(failed).toMatchObject({
        status: "pending",
        response_status: null,
        error: "no connection: address refused",
      });
      await skipDelays();
      await untilDeliveries(webhook, ([one]) => one?.attempts === 2);
      expect(internet.connectionCount()).toBe(connections);
      expect(requestsTo("/private")).toEqual([]);
    },
  );

  it("is signed with both secrets while the old one is rotated out", async () => {
    const webhook = await create("/rotated");
    const rotated = await ask("POST", `/v1/webhooks/${webhook.id}/rotate-secret`, {});
    const { secret } = webhookWithSecret.parse(await rotated.json());
    expect(secret).not.toBe(webhook.secret);
    const sent = await ask("POST", `/v1/webhooks/${webhook.id}/test`);
    expect(sent.status).toBe(202);
    const [request] = await untilReceived("/rotated", 1);
    for (const one of [webhook.secret, secret]) {
      const payload = new Webhook(one).verify(request?.body ?? "", request?.headers ?? {});
      expect(payload).toMatchObject({ type: "webhook.test" });
    }
    const [stored] = await stack.database.query<{ secret: Buffer }>(
      "SELECT secret FROM webhook WHERE id = $1",
      [webhook.id],
    );
    expect(stored?.secret.toString("latin1")).not.toContain(secret);
  });

  it("sends a delivery again on request", async () => {
    const webhook = await create("/again");
    await client.generate();
    const [first] = await untilDeliveries(webhook, ([one]) => one?.status === "delivered");
    const retried = await ask("POST", `/v1/deliveries/${first?.id}/retry`);
    expect(await retried.json()).toMatchObject({ id: first?.id, status: "pending" });
    const requests = await untilReceived("/again", 2);
    expect(requests[1]?.headers["webhook-id"]).toBe(requests[0]?.headers["webhook-id"]);
  });

  it("is disabled after five days without a success, and the account shows it", async () => {
    const webhook = await create("/dead");
    responses.set("/dead", (_request, response) => response.writeHead(503).end());
    await client.generate();
    await untilDeliveries(webhook, ([one]) => one?.attempts === 1);
    await stack.database.query(
      "UPDATE webhook SET failing_since = now() - interval '6 days' WHERE id = $1",
      [webhook.id],
    );
    await skipDelays();
    await untilDeliveries(webhook, ([one]) => one?.status === "failed");
    const account = (await (await ask("GET", "/v1/account")).json()) as object;
    expect(account).toMatchObject({ disabled_webhooks: [webhook.id] });
    await client.generate();
    expect(await deliveriesOf(webhook)).toHaveLength(1);

    responses.delete("/dead");
    const enabled = await ask("PATCH", `/v1/webhooks/${webhook.id}`, { enabled: true });
    expect(await enabled.json()).toMatchObject({ enabled: true, failing_since: null });
    await client.generate();
    await untilReceived("/dead", 3);
  });

  it("receives nothing more once it is deleted", async () => {
    const webhook = await create("/deleted");
    expect((await ask("DELETE", `/v1/webhooks/${webhook.id}`)).status).toBe(200);
    await client.generate();
    const left = await stack.database.query(
      "SELECT 1 FROM webhook_delivery WHERE webhook_id = $1 AND status = 'pending'",
      [webhook.id],
    );
    expect(left).toEqual([]);
    expect((await ask("GET", `/v1/webhooks/${webhook.id}`)).status).toBe(404);
  });
});

describe("the URL of a webhook", () => {
  it.each([
    "http://example.com/hook",
    "https://example.com:8443/hook",
    "https://user:secret@example.com/hook",
    "https://10.0.0.1/hook",
    "https://localhost/hook",
    "http://127.0.0.1:1/hook",
  ])("may not be %s", async (url) => {
    const response = await ask("POST", "/v1/webhooks", { url, events: ["job.completed"] });
    const error = await readError(response);
    expect(error).toMatchObject({ error: "invalid_request", details: [{ path: "url" }] });
  });
});

it("refuses webhooks of other accounts, and keys without the scope manage", async () => {
  const webhook = await create("/own");
  const stranger = await createClient(stack);
  for (const [method, path] of [
    ["GET", `/v1/webhooks/${webhook.id}`],
    ["PATCH", `/v1/webhooks/${webhook.id}`],
    ["DELETE", `/v1/webhooks/${webhook.id}`],
    ["POST", `/v1/webhooks/${webhook.id}/test`],
    ["POST", `/v1/webhooks/${webhook.id}/rotate-secret`],
    ["GET", `/v1/webhooks/${webhook.id}/deliveries`],
  ] as const) {
    const body = method === "PATCH" ? { enabled: false } : undefined;
    const response = await ask(method, path, body, stranger.account);
    expect((await readError(response)).error).toBe("webhook_not_found");
  }
  const { accountId } = client.account;
  const pepper = stack.environment["KEY_PEPPER"] ?? "";
  const scopes = ["generate", "read"] as const;
  const limited = await createKey(stack.database, { accountId, name: "limited", pepper, scopes });
  const refused = await ask("GET", "/v1/webhooks", undefined, limited);
  expect((await readError(refused)).error).toBe("key_not_permitted");
  await client.generate(image);
});

it("a request that hangs is given up after ten seconds and sent again with the same id", async () => {
  await untilDeliveries(silent, ([one]) => one?.status === "delivered", silent.account);
  const [first, second] = requestsTo("/silent");
  expect(second?.headers["webhook-id"]).toBe(first?.headers["webhook-id"]);
  expect(Number(second?.at) - Number(first?.at)).toBeGreaterThan(9_900);
});
