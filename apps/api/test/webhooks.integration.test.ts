import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { createKey, type KeySettings } from "@atelier/accounts";
import { dropDeliveries } from "@atelier/events";
import { startInternet, type Internet } from "@atelier/guarded-fetch/testing/internet";
import {
  accountWebhookSecret,
  changedKey,
  webhook as webhookSchema,
  webhookDeliveryList,
  webhookWithSecret,
  type Account,
  type WebhookDelivery,
} from "@atelier/schemas";
import { assertInvariants, startStack, type Stack, type TestAccount } from "@atelier/testing";
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
const parse = ({ body }: Pick<Received, "body">) => JSON.parse(body) as Payload;

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

/** Waits until what followed the last attempts is recorded as well: the pauses and failures of webhooks. */
async function untilReleased({ id }: { readonly id: string }): Promise<void> {
  await eventually(
    () => stack.database.query("SELECT FROM webhook WHERE id = $1 AND claimed_until > now()", [id]),
    (claimed) => claimed.length === 0,
  );
}

/** The same for all webhooks of the account. */
async function untilAllReleased(): Promise<void> {
  const { accountId } = client.account;
  await eventually(
    () =>
      stack.database.query("SELECT FROM webhook WHERE account_id = $1 AND claimed_until > now()", [
        accountId,
      ]),
    (claimed) => claimed.length === 0,
  );
}

/** Ends the delays after failures, so that tests do not wait for them. */
async function skipDelays(webhook: { readonly id: string }): Promise<void> {
  await untilReleased(webhook);
  const { id } = webhook;
  await stack.database.query(
    "UPDATE webhook_delivery SET next_attempt_at = now() WHERE webhook_id = $1",
    [id],
  );
  await stack.database.query("UPDATE webhook SET paused_until = NULL WHERE id = $1", [id]);
}

describe("a webhook", () => {
  it("receives the events of a story in order, signed and without text of its request", async () => {
    const types = ["job.updated", "job.image_completed", "job.completed"];
    const { secret } = await create("/story", types);
    const prompt = "Mira finds a golden kite";
    const story = {
      model: "fake-blind",
      metadata: { order: "A-17" },
      characters: [
        {
          name: "Mira",
          description: "a girl with red hair",
          states: { wet: { description: "soaked hair" } },
        },
      ],
      locations: [{ name: "Gullhaven", description: "a harbour" }],
      scenes: [{ prompt, location: "Gullhaven" }, { prompt: "Mira goes home" }],
    };
    await ask("POST", "/v1/generate/story", story);
    const requests = await untilReceived("/story", 8);
    expect(requests.map((request) => parse(request).type)).toEqual([
      "job.updated",
      "job.updated",
      ...Array.from({ length: 5 }, () => "job.image_completed"),
      "job.completed",
    ]);
    for (const { body, headers } of requests) {
      expect(new Webhook(secret).verify(body, headers)).toEqual(JSON.parse(body));
      expect(body).not.toMatch(/mira|kite|home|gullhaven|harbour|hair/i);
      expect(parse({ body }).data).toMatchObject({ metadata: story.metadata });
    }
    const last = parse(requests.at(-1)!);
    expect(last.data).toMatchObject({
      status: "completed",
      result: {
        scenes: [{ scene: 1 }, { scene: 2 }],
        characters: [{}, { state: "wet" }],
        locations: [{}],
      },
    });
    const [url = ""] = (last.data.result as { image_urls: string[] }).image_urls;
    expect((await fetch(url)).status).toBe(200);
    const ids = requests.map(({ headers }) => headers["webhook-id"]);
    expect(new Set(ids).size).toBe(ids.length);
  });

  it("receives a title that was given, and no message of an error, which can quote the request", async () => {
    await create("/titles", ["job.completed", "job.failed"]);
    const story = {
      model: "fake-blind",
      title: "Otto's Day",
      characters: [{ name: "Otto", description: "a dog" }],
      scenes: [{ prompt: "He wakes up" }, { prompt: "He sleeps" }],
    };
    await ask("POST", "/v1/generate/story", story);
    const [completed] = await untilReceived("/titles", 1);
    expect(JSON.parse(completed?.body ?? "")).toMatchObject({
      data: { result: { title: "Otto's Day" } },
    });
    stack.provider.behave(() => ({ kind: "refuse", categories: ["violence"] }));
    await client.generate();
    stack.provider.behave(() => ({ kind: "image" }));
    const [, failed] = await untilReceived("/titles", 2);
    const message = "Read the job for the message.";
    expect(JSON.parse(failed?.body ?? "")).toMatchObject({
      data: { status: "failed", error: { error: "provider_refused", message, details: null } },
    });
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
    await skipDelays(webhook);
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
  });

  it("shows how many of its deliveries were dropped", async () => {
    const webhook = await create("/dropped");
    const countDropped = async () => {
      const response = await ask("GET", `/v1/webhooks/${webhook.id}`);
      return webhookSchema.parse(await response.json()).dropped_deliveries;
    };
    expect(await countDropped()).toBe(0);
    await stack.database.query(
      `INSERT INTO webhook_delivery (webhook_id, event_id, type, data, next_attempt_at, give_up_at)
       SELECT $1, number, 'webhook.test', '{}', now() - interval '25 hours', now()
         FROM generate_series(1, 3) AS number`,
      [webhook.id],
    );
    await dropDeliveries(stack.database, async () => true);
    expect(await countDropped()).toBe(3);
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
        error: "no connection: the host is unknown or has no public address",
      });
      await skipDelays(webhook);
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

  it("is tested at most ten times a minute, and once at a time", async () => {
    const { id } = await create("/tested");
    const test = () => ask("POST", `/v1/webhooks/${id}/test`);
    responses.set("/tested", (_request, response) => response.writeHead(503).end());
    const first = await Promise.all(Array.from({ length: 20 }, test));
    expect(new Set(first.map(({ status }) => status))).toEqual(new Set([202]));
    expect(await deliveriesOf({ id })).toHaveLength(1);
    for (let times = 1; times < 10; times++) {
      await stack.database.query(
        "UPDATE webhook_delivery SET status = 'failed' WHERE webhook_id = $1",
        [id],
      );
      expect((await test()).status).toBe(202);
    }
    await stack.database.query(
      "UPDATE webhook_delivery SET status = 'failed' WHERE webhook_id = $1",
      [id],
    );
    const refused = await test();
    expect(refused.headers.get("Retry-After")).toBe("6");
    expect(refused.headers.get("RateLimit")).toBe('"webhook-test";r=0;t=6');
    expect((await readError(refused)).error).toBe("rate_limited");
    expect(await deliveriesOf({ id })).toHaveLength(10);
  });

  it("gets deliveries again at most sixty times a minute, whatever the key", async () => {
    const webhook = await create("/retried");
    const other = await create("/not-retried");
    await client.generate();
    const [delivery] = await untilDeliveries(webhook, ([one]) => one?.status === "delivered");
    const [kept] = await untilDeliveries(other, ([one]) => one?.status === "delivered");
    const retry = (id: string | undefined) => ask("POST", `/v1/deliveries/${id}/retry`);
    const tries = await Promise.all(Array.from({ length: 80 }, () => retry(delivery?.id)));
    const accepted = tries.filter(({ status }) => status === 202);
    expect(accepted.length).toBeGreaterThanOrEqual(60);
    // The bucket refills by one each second.
    expect(accepted.length).toBeLessThan(75);
    const refused = tries.find(({ status }) => status === 429);
    expect(refused?.headers.get("RateLimit")).toBe('"webhook-retry";r=0;t=1');
    expect(refused?.headers.get("Retry-After")).toBe("1");
    expect((await readError(refused ?? expect.unreachable())).message).toContain(
      "This webhook may send 60 such requests a minute.",
    );
    expect((await retry(kept?.id)).status).toBe(202);
  });

  it("is disabled after five days without a success, and the account shows it", async () => {
    const webhook = await create("/dead");
    responses.set("/dead", (_request, response) => response.writeHead(503).end());
    await client.generate();
    await untilDeliveries(webhook, ([one]) => one?.attempts === 1);
    await untilReleased(webhook);
    await stack.database.query(
      "UPDATE webhook SET failing_since = now() - interval '6 days' WHERE id = $1",
      [webhook.id],
    );
    await skipDelays(webhook);
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

describe("the key of a webhook", () => {
  const all = ["generate", "read", "manage"] as const;

  async function addKey(settings: Partial<KeySettings> = {}) {
    const { accountId } = client.account;
    const pepper = stack.environment["KEY_PEPPER"] ?? "";
    return createKey(stack.database, { accountId, name: "hooks", pepper, ...settings });
  }

  async function createWith(key: Pick<TestAccount, "key">, path: string) {
    const body = { url: `${base}${path}`, events: ["job.completed"] };
    const response = await ask("POST", "/v1/webhooks", body, key);
    expect(response.status).toBe(201);
    return webhookWithSecret.parse(await response.json());
  }

  const read = async (id: string) =>
    webhookSchema.parse(await (await ask("GET", `/v1/webhooks/${id}`)).json());

  it("needs the scope read for events of jobs, when it is created and changed", async () => {
    const manager = await addKey({ scopes: ["manage"] });
    const url = `${base}/spy`;
    const refused = await ask("POST", "/v1/webhooks", { url, events: ["job.completed"] }, manager);
    expect((await readError(refused)).details).toMatchObject({ required_scope: "read" });
    const events = ["account.balance_low"];
    const created = await ask("POST", "/v1/webhooks", { url, events }, manager);
    expect(created.status).toBe(201);
    const { id } = webhookWithSecret.parse(await created.json());
    const wider = { events: ["job.completed"] };
    expect((await ask("PATCH", `/v1/webhooks/${id}`, wider, manager)).status).toBe(403);
    expect((await ask("PATCH", `/v1/webhooks/${id}`, wider)).status).toBe(403);
  });

  it("has no fewer rights than one that changes it", async () => {
    const hook = await createWith(client.account, "/owners");
    const path = `/v1/webhooks/${hook.id}`;
    const expires = new Date(Date.now() + 3_600_000);
    for (const key of [
      await addKey({ scopes: ["manage"] }),
      await addKey({ expiresAt: expires }),
    ]) {
      for (const [method, action, body] of [
        ["PATCH", "", { url: `${base}/spy` }],
        ["POST", "/rotate-secret", {}],
        ["POST", "/test", undefined],
        ["DELETE", "", undefined],
      ] as const) {
        expect((await ask(method, path + action, body, key)).status).toBe(403);
      }
    }
    expect(await read(hook.id)).toMatchObject({ url: hook.url, key_id: client.account.keyId });
  });

  it.each([
    ["revoked", "DELETE", undefined, "key_revoked"],
    ["expired", "PATCH", { expires_at: "2026-01-01T00:00:00Z" }, "key_expired"],
    ["limited to other scopes", "PATCH", { scopes: ["generate", "manage"] }, "key_not_permitted"],
  ])("ends it when it is %s, visibly and counted", async (_, method, body, reason) => {
    const key = await addKey();
    const path = `/ended-${reason}`;
    const hook = await createWith(key, path);
    await client.generate();
    await untilReceived(path, 1);
    responses.set(path, (_request, response) => response.writeHead(503).end());
    await client.generate();
    await untilDeliveries(hook, ([one]) => one?.attempts === 1);
    const changed = await ask(method, `/v1/keys/${key.id}`, body);
    expect(changedKey.parse(await changed.json()).ended).toMatchObject({ webhooks: 1 });
    expect(await read(hook.id)).toMatchObject({ enabled: false, disabled_reason: reason });
    expect((await deliveriesOf(hook))[0]).toMatchObject({ status: "failed" });
    const account = (await (await ask("GET", "/v1/account")).json()) as Account;
    expect(account.disabled_webhooks).toContain(hook.id);
    const enabling = await ask("PATCH", `/v1/webhooks/${hook.id}`, { enabled: true });
    expect((await readError(enabling)).details).toEqual({ disabled_reason: reason });

    await client.generate();
    expect(await deliveriesOf(hook)).toHaveLength(2);
    expect((await ask("DELETE", `/v1/webhooks/${hook.id}`)).status).toBe(200);
  });

  it("ends it at its expiry, without a request", async () => {
    const key = await addKey({ expiresAt: new Date(Date.now() + 3_600_000) });
    const hook = await createWith(key, "/expiring");
    await stack.database.query("UPDATE api_key SET expires_at = now() WHERE id = $1", [key.id]);
    expect(await read(hook.id)).toMatchObject({ enabled: false, disabled_reason: "key_expired" });
    await client.generate();
    expect(await deliveriesOf(hook)).toEqual([]);
    const [stored] = await eventually(
      () =>
        stack.database.query<{ ended: boolean }>(
          "SELECT disabled_at IS NOT NULL AS ended FROM webhook WHERE id = $1",
          [hook.id],
        ),
      ([one]) => one?.ended === true,
    );
    expect(stored).toEqual({ ended: true });
  });

  it("is not recorded for earlier webhooks, which stay when a key is revoked", async () => {
    const key = await addKey({ scopes: all });
    const hook = await createWith(key, "/earlier");
    await stack.database.query("UPDATE webhook SET key_id = NULL WHERE id = $1", [hook.id]);
    expect((await ask("DELETE", `/v1/keys/${key.id}`)).status).toBe(200);
    await client.generate();
    await untilReceived("/earlier", 1);
    expect(await read(hook.id)).toMatchObject({ enabled: true, key_id: null });
    expect((await ask("DELETE", `/v1/webhooks/${hook.id}`)).status).toBe(200);
  });
});

describe("the webhook_url of a request", () => {
  async function makeSecret(body: object = {}, as: Pick<TestAccount, "key"> = client.account) {
    const response = await ask("POST", "/v1/account/webhook-secret", body, as);
    return accountWebhookSecret.parse(await response.json());
  }

  const generateTo = (path: string, body: object = {}) =>
    client.generate({ ...image, webhook_url: new URL(path, base).href, ...body });

  async function deliveriesOfJob(jobId: string): Promise<WebhookDelivery[]> {
    const response = await ask("GET", `/v1/jobs/${jobId}/deliveries`);
    return webhookDeliveryList.parse(await response.json()).deliveries;
  }
  const jobIdOf = (response: Response) => response.headers.get("X-Service-Job-Id") ?? "";

  it("receives the end of its job only, signed with the secret of the account", async () => {
    const { secret, previous_valid_until } = await makeSecret();
    expect(previous_valid_until).toBeNull();
    await client.generate();
    const made = await generateTo("/request?order=7");
    expect(made.status).toBe(200);
    const [request] = await untilReceived("/request?order=7", 1);
    const payload = new Webhook(secret).verify(request?.body ?? "", request?.headers ?? {});
    expect(payload).toMatchObject({ type: "job.completed", data: { id: jobIdOf(made) } });
    expect(request?.body).not.toContain(image.prompt);
    const [delivery, ...others] = await eventually(
      () => deliveriesOfJob(jobIdOf(made)),
      ([one]) => one?.status === "delivered",
    );
    expect(others).toEqual([]);
    const job = await client.read(jobIdOf(made));
    expect(JSON.stringify(job)).not.toContain("/request");
    expect(await (await ask("GET", "/v1/webhooks")).json()).toEqual({ webhooks: [] });
    await ask("POST", `/v1/deliveries/${delivery?.id}/retry`);
    await untilReceived("/request?order=7", 2);
  });

  it("receives the events that the request names, in order", async () => {
    const webhook_events = ["job.updated", "job.image_completed", "job.completed"];
    await makeSecret();
    await ask("POST", "/v1/generate/story", {
      model: "fake-blind",
      characters: [{ name: "Otto", description: "a dog" }],
      scenes: [{ prompt: "He wakes up" }, { prompt: "He sleeps" }],
      webhook_url: `${base}/request-story`,
      webhook_events,
    });
    const requests = await untilReceived("/request-story", 6);
    expect(requests.map((request) => parse(request).type)).toEqual([
      "job.updated",
      "job.updated",
      ...Array.from({ length: 3 }, () => "job.image_completed"),
      "job.completed",
    ]);
  });

  it("receives the end of its batch only, also for a file and a key that only generates", async () => {
    const { secret } = await makeSecret();
    const { accountId } = client.account;
    const pepper = stack.environment["KEY_PEPPER"] ?? "";
    const key = await createKey(stack.database, {
      accountId,
      name: "batches",
      pepper,
      scopes: ["generate"],
    });
    const line = { operation: "image", body: image };
    const body = { requests: [line], webhook_url: `${base}/request-batch?1` };
    const created = await ask("POST", "/v1/batches", body, key);
    expect(created.status).toBe(202);
    const address = new URL("/v1/batches", stack.url);
    address.searchParams.set("webhook_url", `${base}/request-batch?2`);
    const fromFile = await fetch(address, {
      method: "POST",
      headers: { Authorization: `Bearer ${key.key}`, "Content-Type": "application/jsonl" },
      body: JSON.stringify(line),
    });
    expect(fromFile.status).toBe(202);
    for (const [path, response] of [
      ["/request-batch?1", created],
      ["/request-batch?2", fromFile],
    ] as const) {
      const [request] = await untilReceived(path, 1);
      const payload = new Webhook(secret).verify(request?.body ?? "", request?.headers ?? {});
      const { id } = (await response.json()) as { readonly id: string };
      expect(payload).toMatchObject({ type: "batch.completed", data: { id } });
    }
    await untilAllReleased();
    expect(requestsTo("/request-batch?1")).toHaveLength(1);
    await assertInvariants(stack.database);
  });

  it("is signed with both secrets of the account until the grace period ends", async () => {
    const old = await makeSecret();
    const current = await makeSecret({ grace_hours: 1 });
    expect(Date.parse(current.previous_valid_until ?? "")).toBeGreaterThan(Date.now());
    await generateTo("/request-rotated?1");
    const [both] = await untilReceived("/request-rotated?1", 1);
    for (const { secret } of [old, current]) {
      new Webhook(secret).verify(both?.body ?? "", both?.headers ?? {});
    }
    const last = await makeSecret({ grace_hours: 0 });
    await generateTo("/request-rotated?2");
    const [one] = await untilReceived("/request-rotated?2", 1);
    new Webhook(last.secret).verify(one?.body ?? "", one?.headers ?? {});
    expect(() => new Webhook(current.secret).verify(one?.body ?? "", one?.headers ?? {})).toThrow();
    const stored = await stack.database.query<{ secret: Buffer }>(
      "SELECT secret FROM webhook_secret",
    );
    expect(stored.some((row) => row.secret.toString("latin1").includes(last.secret))).toBe(false);
  });

  it("is signed with a secret of tests for test keys, which they and keys with manage read", async () => {
    const { secret: liveSecret } = await makeSecret();
    const { accountId } = client.account;
    const pepper = stack.environment["KEY_PEPPER"] ?? "";
    const settings = { accountId, name: "tests", pepper };
    const test = await createKey(stack.database, {
      ...settings,
      mode: "test",
      scopes: ["generate"],
    });
    const body = { ...image, webhook_url: `${base}/request-test` };
    await ask("POST", "/v1/generate/image", body, test);
    const [delivery] = await untilReceived("/request-test", 1);
    const read = async (key?: typeof test) =>
      (await (await ask("GET", "/v1/account/webhook-secret", undefined, key)).json()) as object;
    const answer = await read(test);
    expect(answer).toMatchObject({ mode: "test", secret: expect.stringMatching(/^whsec_test/) });
    expect(await read()).toEqual(answer);
    const { secret } = answer as { readonly secret: string };
    expect(new Webhook(secret).verify(delivery?.body ?? "", delivery?.headers ?? {})).toMatchObject(
      { data: { mode: "test" } },
    );
    const verifyAsLive = () =>
      new Webhook(liveSecret).verify(delivery?.body ?? "", delivery?.headers ?? {});
    expect(verifyAsLive).toThrow();
    const narrow = await createKey(stack.database, { ...settings, scopes: ["generate", "read"] });
    expect(await read(narrow)).toMatchObject({ error: "key_not_permitted" });
  });

  it("is refused without a secret, without a URL for its events, and for a private host", async () => {
    const missing = await generateTo("/request-refused");
    expect(missing.status).toBe(422);
    expect((await readError(missing)).error).toBe("webhook_secret_missing");
    const requests = [{ operation: "image", body: image }];
    const ofBatch = { requests, webhook_url: `${base}/request-refused` };
    expect((await readError(await ask("POST", "/v1/batches", ofBatch))).error).toBe(
      "webhook_secret_missing",
    );
    await makeSecret();
    const withoutUrl = await client.generate({ ...image, webhook_events: ["job.completed"] });
    expect((await readError(withoutUrl)).details).toMatchObject([{ path: "webhook_events" }]);
    const inside = await client.generate({ ...image, webhook_url: "https://10.0.0.1/hook" });
    expect((await readError(inside)).details).toMatchObject([{ path: "webhook_url" }]);
    expect((await client.list()).jobs).toEqual([]);
  });

  it("has a secret that only keys without limits make, and is for keys that only generate", async () => {
    const { accountId } = client.account;
    const pepper = stack.environment["KEY_PEPPER"] ?? "";
    const addKey = (settings: Partial<KeySettings>) =>
      createKey(stack.database, { accountId, name: "limited", pepper, ...settings });
    const limited = await addKey({ budgetMicroEur: 1_000_000n });
    const refused = await ask("POST", "/v1/account/webhook-secret", {}, limited);
    expect((await readError(refused)).error).toBe("key_not_permitted");
    await makeSecret();
    const generator = await addKey({ scopes: ["generate"] });
    const body = { ...image, webhook_url: `${base}/request-of-key` };
    await ask("POST", "/v1/generate/image", body, generator);
    await untilReceived("/request-of-key", 1);

    responses.set("/request-of-key", (_request, response) => response.writeHead(503).end());
    const made = await ask("POST", "/v1/generate/image", body, generator);
    await untilReceived("/request-of-key", 2);
    await untilAllReleased();
    await ask("DELETE", `/v1/keys/${generator.id}`);
    expect(await deliveriesOfJob(jobIdOf(made))).toMatchObject([{ status: "failed" }]);
  });

  it("does not delay others of the account when it is dead", async () => {
    await makeSecret();
    await generateTo("/request-alive?1");
    await untilReceived("/request-alive?1", 1);
    await untilAllReleased();
    for (const dead of [1, 2, 3, 4]) {
      responses.set(`/request-dead-${dead}`, () => undefined);
      await generateTo(`/request-dead-${dead}`);
    }
    const reached = () =>
      [1, 2, 3, 4].filter((dead) => requestsTo(`/request-dead-${dead}`).length > 0);
    await eventually(
      async () => reached(),
      (some) => some.length > 0,
    );
    await generateTo("/request-alive?2");
    await untilReceived("/request-alive?2", 1);
    // The dead ones never had all places of the account.
    expect(reached().length).toBeLessThan(4);
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
