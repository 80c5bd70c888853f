import { createHash } from "node:crypto";
import { createOpenApiDocument } from "@atelier/openapi";
import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import * as client from "./index.ts";

const baseUrl = "http://atelier.test";
const jobId = "01a1fb00-0000-7000-8000-000000000000";
const request = { model: "m", prompt: "a fox" };
const generation = { id: jobId, model: "m", ai_generated: true, cost_eur: "0.01" };

const blank = { created_at: "", started_at: null, completed_at: null, result: null, error: null };

const job = (status: string, more: object = {}) => ({
  id: jobId,
  kind: "story",
  status,
  model: "m",
  cost_eur: "0.00",
  ...blank,
  ...more,
});

/** The network's reaction to one request: a response or an error. */
type Step = (request: Request) => Response | Error;

const json =
  (status: number, body: object, headers: Record<string, string> = {}): Step =>
  () =>
    Response.json(body, { status, headers });

const refuse = (status: number, error: string, headers: Record<string, string> = {}): Step =>
  json(status, { error, message: `${error}.`, request_id: "r1", details: null }, headers);

const unreachable: Step = () => new TypeError("fetch failed");

/** Creates a client on a network with scripted reactions; the last one repeats. */
function scripted(...steps: [Step, ...Step[]]) {
  const requests: Request[] = [];
  const send: typeof fetch = async (input, init) => {
    init?.signal?.throwIfAborted();
    const sent = new Request(input, init);
    const step = steps[requests.length] ?? steps.at(-1);
    requests.push(sent);
    const outcome = step?.(sent);
    if (outcome === undefined || outcome instanceof Error) throw outcome;
    return outcome;
  };
  return { requests, atelier: client.createAtelier({ baseUrl, apiKey: "k", fetch: send }) };
}

/** Awaits a promise while advancing the timers that it waits for. */
async function settle<T>(promise: Promise<T>): Promise<T> {
  const state = { isOver: false };
  const ended = promise.finally(() => {
    state.isOver = true;
  });
  ended.catch(() => undefined);
  while (!state.isOver) await vi.advanceTimersByTimeAsync(1_000);
  return ended;
}

/** Waits until a timer is set; reading a response may take several turns of the event loop. */
async function untilWaiting(): Promise<void> {
  while (vi.getTimerCount() === 0) await new Promise(setImmediate);
}

const failureOf = (promise: Promise<unknown>): Promise<unknown> =>
  settle(
    promise.then(() => expect.unreachable("the call succeeded")).catch((error: unknown) => error),
  );

beforeEach(() => void vi.useFakeTimers({ toFake: ["setTimeout", "clearTimeout", "Date"] }));
afterEach(() => void vi.useRealTimers());

it("watch adds progress to the job as it was last sent, and resumes behind the last event with an id", async () => {
  const running = job("processing", { renders_completed: 0 });
  const progress = { render: 0, progress: 0.35, step: 7, of: 20 };
  const events = [
    `id: 5\nevent: job.updated\ndata: ${JSON.stringify(running)}`,
    `event: job.progress\ndata: ${JSON.stringify({ job_id: jobId, ...progress })}`,
    `id: 6\nevent: job.completed\ndata: ${JSON.stringify(job("completed"))}`,
  ];
  const stream = (...frames: readonly string[]): Step => {
    const body = frames.map((frame) => `${frame}\n\n`).join("");
    return () => new Response(body, { headers: { "Content-Type": "text/event-stream" } });
  };
  const { atelier, requests } = scripted(
    stream(...events.slice(0, 2)),
    json(200, { ...running, request: {} }),
    stream(...events.slice(2)),
  );
  const received = await settle(Array.fromAsync(atelier.jobs.watch(jobId)));
  expect(received).toMatchObject([
    { id: "5", type: "job.updated", job: running },
    { id: null, type: "job.progress", job: { ...running, progress } },
    { id: "6", type: "job.completed" },
  ]);
  expect(requests[2]?.headers.get("Last-Event-ID")).toBe("5");
});

describe("generate methods", () => {
  it("edit sends bytes as base64, and other images as they are", async () => {
    const { requests, atelier } = scripted(json(200, generation));
    const image = new Uint8Array(100_000).map((_, index) => index % 251);
    await atelier.edit({ ...request, image, mask: { job_id: jobId } });
    expect(requests[0]?.url).toBe(`${baseUrl}/v1/generate/edit`);
    expect(await requests[0]?.json()).toMatchObject({
      image: { base64: Buffer.from(image).toString("base64") },
      mask: { job_id: jobId },
    });
  });

  it("exist for every operation of the API, and send to its path", async () => {
    const { paths = {} } = createOpenApiDocument({ publicUrl: baseUrl });
    const described = Object.entries(paths).filter(([path]) => path.startsWith("/v1/generate/"));
    expect(described.length).toBeGreaterThan(5);
    for (const [path, item] of described) {
      const { requests, atelier } = scripted(json(200, generation));
      const method = item.post?.operationId as keyof client.GenerateCalls;
      await atelier[method](request as never);
      expect(requests.map(({ url }) => url)).toEqual([baseUrl + path]);
    }
  });
});

describe("retries", () => {
  it.each([429, 503])("of a %i wait for Retry-After", async (status) => {
    const { requests, atelier } = scripted(
      refuse(status, "later", { "Retry-After": "3" }),
      json(200, generation),
    );
    const generating = atelier.generateImage(request);
    await untilWaiting();
    await vi.advanceTimersByTimeAsync(2_999);
    expect(requests).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(400);
    expect(requests).toHaveLength(2);
    expect(await generating).toEqual(generation);
  });

  it("follow a lost connection, a truncated response, and a gateway's 502", async () => {
    const cutShort: Step = () =>
      new Response(
        new ReadableStream({
          start(stream) {
            stream.enqueue(new TextEncoder().encode('{"id": '));
            stream.error(new TypeError("terminated"));
          },
        }),
      );
    const gateway: Step = () => new Response("<h1>Bad Gateway</h1>", { status: 502 });
    const { requests, atelier } = scripted(unreachable, cutShort, gateway, json(200, generation));
    expect(await settle(atelier.generateImage(request))).toEqual(generation);
    expect(requests).toHaveLength(4);
  });

  it("send the same idempotency key; another call sends another", async () => {
    const { requests, atelier } = scripted(unreachable, unreachable, json(200, generation));
    await settle(atelier.generateImage(request));
    await settle(atelier.generateImage(request));
    const keys = requests.map(({ headers }) => headers.get("Idempotency-Key"));
    expect(keys).toHaveLength(4);
    expect(keys[0]).toMatch(/^[0-9a-f]{32}$/);
    expect(new Set(keys.slice(0, 3)).size).toBe(1);
    expect(keys[3]).not.toBe(keys[0]);
  });

  it("send the caller's idempotency key", async () => {
    const { requests, atelier } = scripted(json(200, generation));
    await atelier.generateScene(request, { idempotencyKey: "order-7" });
    expect(requests[0]?.headers.get("Idempotency-Key")).toBe("order-7");
  });

  it("end after four with the last error", async () => {
    const { requests, atelier } = scripted(unreachable);
    const failure = await failureOf(atelier.account.get());
    expect(failure).toBeInstanceOf(client.ConnectionError);
    expect(failure).toMatchObject({
      code: "connection_failed",
      message: expect.stringContaining(baseUrl),
    });
    expect(requests).toHaveLength(5);
  });

  it("are not made if Retry-After exceeds one minute", async () => {
    const { requests, atelier } = scripted(refuse(429, "too_many_jobs", { "Retry-After": "600" }));
    expect(await failureOf(atelier.generateImage(request))).toMatchObject({
      code: "too_many_jobs",
      retryAfterMs: 600_000,
    });
    expect(requests).toHaveLength(1);
  });
});

describe("errors", () => {
  it.each([
    [400, "invalid_request", client.InvalidRequestError],
    [401, "unauthorized", client.NotAuthorizedError],
    [402, "insufficient_credit", client.InsufficientCreditError],
    [403, "account_suspended", client.NotAuthorizedError],
    [404, "model_not_found", client.NotFoundError],
    [409, "job_cancelled", client.ConflictError],
    [422, "model_not_capable", client.InvalidRequestError],
    [422, "content_policy_violation", client.RefusedError],
    [429, "rate_limited", client.RateLimitError],
    [451, "content_illegal", client.RefusedError],
    [500, "internal_error", client.ServiceError],
    [502, "provider_error", client.ServiceError],
    [502, "provider_refused", client.RefusedError],
    [503, "overloaded", client.ServiceError],
  ])("%i %s has its class and code", async (status, code, expected) => {
    const { atelier } = scripted(refuse(status, code));
    const failure = await failureOf(atelier.models.list());
    expect(failure).toBeInstanceOf(expected);
    expect(failure).toBeInstanceOf(client.AtelierError);
    expect(failure).toMatchObject({ name: expected.name, code, status, requestId: "r1" });
  });

  it("of moderation have the refused fields, with the words of an uncertain match", async () => {
    const refusal = {
      path: "scenes.2.prompt",
      category: "sexual_minors",
      strictness: "normal",
      certainty: "uncertain",
      quoted: [{ written: "bras", read_as: "bra" }],
    };
    const code = "content_policy_violation";
    const body = { error: code, message: "", request_id: "r1", details: [refusal] };
    const { atelier } = scripted(() => Response.json(body, { status: 422 }));
    const failure = await failureOf(atelier.generateImage(request));
    expect((failure as client.RefusedError).refusals).toEqual([refusal]);
    expect(new client.RefusedError("provider_refused", "").refusals).toEqual([]);
  });

  it("that are permanent are not retried", async () => {
    const { requests, atelier } = scripted(refuse(402, "insufficient_credit"));
    await failureOf(atelier.generateImage(request));
    expect(requests).toHaveLength(1);
  });

  it("report a response that is not from Atelier", async () => {
    const { atelier } = scripted(() => new Response("<h1>Welcome</h1>", { status: 200 }));
    expect(await failureOf(atelier.account.get())).toMatchObject({
      name: "ConnectionError",
      code: "unexpected_answer",
    });
  });
});

describe("a job", () => {
  const accepted = json(202, { job_id: jobId, poll_url: "", status: "pending" });

  it("is polled until it is completed, and reports each change once", async () => {
    const { requests, atelier } = scripted(
      accepted,
      json(200, job("pending", { scenes_completed: 0 })),
      json(200, job("processing", { scenes_completed: 0 })),
      json(200, job("processing", { scenes_completed: 0 })),
      json(200, job("processing", { scenes_completed: 1 })),
      unreachable,
      json(200, job("completed", { scenes_completed: 2, result: generation })),
    );
    const statuses: string[] = [];
    const story = atelier.generateStory(
      { model: "m", characters: [], scenes: [] },
      {
        onProgress: ({ status, scenes_completed }) =>
          statuses.push(`${status} ${scenes_completed}`),
      },
    );
    expect(await settle(story)).toEqual(generation);
    expect(statuses).toEqual(["pending 0", "processing 0", "processing 1", "completed 2"]);
    expect(requests[1]?.url).toBe(`${baseUrl}/v1/jobs/${jobId}`);
    expect(requests[0]?.headers.get("Prefer")).toBe("respond-async");
  });

  it("is polled through an outage, and named in the error after a long one", async () => {
    const duringOutage = scripted(
      unreachable,
      ...Array.from({ length: 40 }, () => unreachable),
      json(200, job("completed", { result: generation })),
    );
    expect(await settle(duringOutage.atelier.jobs.wait(jobId))).toMatchObject({
      status: "completed",
    });
    const { atelier } = scripted(unreachable);
    expect(await failureOf(atelier.jobs.wait(jobId))).toMatchObject({
      code: "connection_failed",
      jobId,
    });
  });

  it("fails with the class of its error", async () => {
    const error = { error: "provider_refused", message: "Not this.", details: { category: "x" } };
    const { atelier } = scripted(json(200, job("failed", { error })));
    const failure = await failureOf(atelier.jobs.wait(jobId));
    expect(failure).toBeInstanceOf(client.RefusedError);
    expect(failure).toMatchObject({ jobId, status: null, details: { category: "x" } });
  });

  it("that was cancelled rejects with a ConflictError", async () => {
    const { atelier } = scripted(json(200, job("cancelled")));
    expect(await failureOf(atelier.jobs.wait(jobId))).toMatchObject({
      name: "ConflictError",
      code: "job_cancelled",
    });
  });

  it.each([
    ["whose first request is still being processed", 409, "idempotency_in_progress"],
    ["whose response failed", 503, "overloaded"],
  ])("%s is polled instead of requested again", async (_, status, code) => {
    const { requests, atelier } = scripted(
      unreachable,
      refuse(status, code, { "X-Service-Job-Id": jobId }),
      json(200, job("completed", { result: generation })),
    );
    expect(await settle(atelier.generateImage(request))).toEqual(generation);
    expect(requests.map(({ method }) => method)).toEqual(["POST", "POST", "GET"]);
  });

  it("counts as cancelled if only the response to the cancellation was lost", async () => {
    const { requests, atelier } = scripted(
      unreachable,
      refuse(409, "job_not_cancellable"),
      json(200, job("cancelled")),
    );
    expect(await settle(atelier.jobs.cancel(jobId))).toMatchObject({ status: "cancelled" });
    expect(requests.map(({ method }) => method)).toEqual(["DELETE", "DELETE", "GET"]);
  });
});

describe("a signal", () => {
  it("that is already aborted prevents the request", async () => {
    const { requests, atelier } = scripted(json(200, generation));
    const signal = AbortSignal.abort(new Error("no need"));
    await expect(atelier.generateImage(request, { signal })).rejects.toThrow("no need");
    expect(requests).toHaveLength(0);
  });

  it.each([
    ["a wait for Retry-After", refuse(503, "overloaded", { "Retry-After": "30" })],
    ["a wait for a job", json(200, job("processing"))],
  ])("ends %s at once with its reason", async (_, step) => {
    const { requests, atelier } = scripted(step);
    const abort = new AbortController();
    const waiting = atelier.jobs.wait(jobId, { signal: abort.signal });
    waiting.catch(() => undefined);
    await untilWaiting();
    expect(requests).toHaveLength(1);
    abort.abort(new Error("enough"));
    await expect(waiting).rejects.toThrow("enough");
    expect(vi.getTimerCount()).toBe(0);
  });

  it("ends a pending request", async () => {
    const hanging: typeof fetch = (_input, init) =>
      new Promise((_resolve, reject) => {
        init?.signal?.addEventListener("abort", () => reject(init.signal?.reason as Error));
      });
    const atelier = client.createAtelier({ baseUrl, apiKey: "k", fetch: hanging });
    const abort = new AbortController();
    const waiting = atelier.models.list({ signal: abort.signal });
    abort.abort(new Error("enough"));
    await expect(waiting).rejects.toThrow("enough");
  });
});

describe("downloads", () => {
  const bytes = new TextEncoder().encode("an image");
  const hash = createHash("sha256").update(bytes).digest("hex");
  const image: Step = () => new Response(bytes);

  it("of images compare the hash and never send the key", async () => {
    const { requests, atelier } = scripted(image);
    const url = "http://storage.test/1.png?signature=s";
    expect(await atelier.images.download({ url, hash })).toEqual(bytes);
    expect(requests[0]?.headers.get("Authorization")).toBeNull();
    const other = atelier.images.download({ url, hash: hash.replace(/./g, "0") });
    expect(await failureOf(other)).toBeInstanceOf(client.IntegrityError);
  });

  it("of images do not time out while data arrives", async () => {
    const parts = [...bytes].map((byte) => Uint8Array.of(byte));
    const slowly = () =>
      new ReadableStream<Uint8Array>({
        async pull(controller) {
          await new Promise((resolve) => setTimeout(resolve, 50_000));
          const part = parts.shift();
          if (part === undefined) controller.close();
          else controller.enqueue(part);
        },
      });
    const { requests, atelier } = scripted(() => new Response(slowly()));
    const url = "http://storage.test/1.png";
    expect(await settle(atelier.images.download({ url, hash }))).toEqual(bytes);
    expect(requests).toHaveLength(1);
  });

  it("of images work with a fetch without streams", async () => {
    const withoutStream = () =>
      Object.defineProperty(new Response(bytes), "body", { value: undefined });
    const { atelier } = scripted(withoutStream);
    const url = "http://storage.test/1.png";
    expect(await settle(atelier.images.download({ url, hash }))).toEqual(bytes);
  });

  it("of images report an expired URL", async () => {
    const { atelier } = scripted(() => new Response("<Error>", { status: 403 }));
    const failure = await failureOf(atelier.images.download({ url: "http://storage.test/1.png" }));
    expect(failure).toMatchObject({ code: "download_failed", status: 403 });
  });

  it.each([
    ['attachment; filename="image-generation.zip"', "image-generation.zip"],
    ["attachment; filename=AGENTS.md", "AGENTS.md"],
    ['attachment; filename="../../etc/passwd"', "passwd"],
    ['attachment; filename=".."', "skill"],
    ["attachment", "skill"],
  ])("of skill files with the header %s are named %s", async (header, name) => {
    const { requests, atelier } = scripted(
      () => new Response(bytes, { headers: { "Content-Disposition": header } }),
    );
    const file = await atelier.files.download("skill", { format: "agents-md" });
    expect(file).toMatchObject({ name, bytes });
    expect(await requests[0]?.json()).toEqual({ format: "agents-md" });
  });
});

it("requests skill files with a new key of that name, or without a key", async () => {
  const { requests, atelier } = scripted(() => new Response("text"));
  const key = { name: "Laptop", budget_eur: "2.00", expires_in_days: 30 };
  await atelier.files.download("skill", { key });
  await atelier.files.download("skill", { embed_key: false });
  const bodies = await Promise.all(requests.map((one) => one.json()));
  expect(bodies).toEqual([{ key }, { embed_key: false }]);
});

describe("an invalid argument is rejected without a request", () => {
  it.each(["", ".", ".."])("the id %j", async (id) => {
    const { requests, atelier } = scripted(json(200, { jobs: [], next_cursor: null }));
    const calls = [
      () => atelier.jobs.get(id),
      () => atelier.jobs.wait(id),
      () => atelier.jobs.cancel(id),
      () => atelier.files.download(id),
    ];
    for (const call of calls) {
      const failure = await failureOf(call());
      expect(failure).toBeInstanceOf(client.InvalidRequestError);
      expect(failure).toMatchObject({ code: "invalid_argument", status: null });
    }
    expect(requests).toHaveLength(0);
  });

  it.each(["", "x", "/1.png"])("the image URL %j", async (url) => {
    const { requests, atelier } = scripted(() => new Response());
    expect(await failureOf(atelier.images.download({ url }))).toMatchObject({
      name: "InvalidRequestError",
      code: "invalid_argument",
      message: expect.stringContaining(`"${url}"`),
    });
    expect(requests).toHaveLength(0);
  });

  it.each(["", "localhost:3000", "atelier.test", "http://"])("the base URL %j", (wrong) => {
    const create = () => client.createAtelier({ baseUrl: wrong, apiKey: "k" });
    expect(create).toThrow(client.InvalidRequestError);
    expect(create).toThrow(
      /must start with http:\/\/ or https:\/\/, such as http:\/\/localhost:3000/,
    );
  });

  it.each(["http://atelier.test/?a=b", "http://atelier.test/#top", "http://atelier.test?"])(
    "the base URL %j",
    (wrong) => {
      const create = () => client.createAtelier({ baseUrl: wrong, apiKey: "k" });
      expect(create).toThrow(client.InvalidRequestError);
      expect(create).toThrow(/^baseUrl must not contain a query or fragment\./);
    },
  );

  it.each(["http://mira@atelier.test", "http://mira:secret@atelier.test/v1"])(
    "the base URL %j, without repeating the password",
    (wrong) => {
      const create = () => client.createAtelier({ baseUrl: wrong, apiKey: "k" });
      expect(create).toThrow(client.InvalidRequestError);
      expect(create).toThrow(/^baseUrl must not contain a user name or password\. [^:]*$/);
    },
  );

  it.each(["atl_live_…", "atl_live_1\natl_live_2", "atl_live_\u0001"])(
    "the key %j, without repeating it",
    (apiKey) => {
      const create = () => client.createAtelier({ baseUrl, apiKey });
      expect(create).toThrow(client.InvalidRequestError);
      expect(create).toThrow(/^apiKey contains characters that HTTP headers cannot carry/);
      expect(create).not.toThrow(/atl_live/);
    },
  );

  it("an idempotency key that cannot be sent in a header", async () => {
    const { requests, atelier } = scripted(json(200, generation));
    expect(await failureOf(atelier.generateImage(request, { idempotencyKey: "夏" }))).toMatchObject(
      {
        name: "InvalidRequestError",
        code: "invalid_argument",
        message: expect.stringMatching(/^idempotencyKey contains characters/),
      },
    );
    expect(requests).toHaveLength(0);
  });
});

describe("a redirect", () => {
  const movedTo =
    (location: string): Step =>
    () =>
      new Response(null, { status: 308, headers: { Location: location } });

  it("is not followed, and its target is named", async () => {
    const { requests, atelier } = scripted(movedTo("https://images.test/atelier/v1/account?a=b"));
    expect(await failureOf(atelier.account.get())).toMatchObject({
      name: "ConnectionError",
      code: "unexpected_answer",
      status: 308,
      message:
        "http://atelier.test redirects to https://images.test/atelier/v1/account, and redirects are not followed. " +
        "The API key was sent without encryption. Use the https:// address as baseUrl.",
    });
    expect(requests).toHaveLength(1);
    expect(requests[0]?.redirect).toBe("manual");
  });

  it("without a readable target is an error", async () => {
    const { atelier } = scripted(() => new Response(null, { status: 302 }));
    expect(await failureOf(atelier.generateImage(request))).toMatchObject({
      message: expect.stringContaining("redirects to another address"),
    });
  });

  it("of an image is followed, because no key is sent", async () => {
    const { requests, atelier } = scripted(() => new Response("bytes"));
    await atelier.images.download({ url: "https://images.test/1.png" });
    expect(requests[0]?.redirect).toBe("follow");
    expect(requests[0]?.headers.has("Authorization")).toBe(false);
  });
});

it("accepts a key with a trailing line break", async () => {
  const authorizations: (string | null)[] = [];
  const send: typeof fetch = (input, init) => {
    authorizations.push(new Request(input, init).headers.get("Authorization"));
    return Promise.resolve(Response.json({ models: [] }));
  };
  await client.createAtelier({ baseUrl, apiKey: "k\n", fetch: send }).models.list();
  expect(authorizations).toEqual(["Bearer k"]);
});

it.each([
  "https://example.com/atelier",
  "https://example.com/atelier//",
  "https://example.com/atelier/v1",
  "https://example.com/atelier/v1/",
  " https://example.com/atelier\n",
])("accepts the base URL %s", async (given) => {
  const sent: unknown[] = [];
  const atelier = client.createAtelier({
    baseUrl: given,
    apiKey: "k",
    fetch: (input) => {
      sent.push(input);
      return Promise.resolve(Response.json({ models: [] }));
    },
  });
  await atelier.models.list();
  expect(sent).toEqual(["https://example.com/atelier/v1/models"]);
});
