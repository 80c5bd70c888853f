import { randomBytes } from "node:crypto";
import { acceptGeneration } from "@atelier/generations/accept";
import { makeImagePlan } from "@atelier/generations/testing";
import { describeStacks, type Stack } from "@atelier/testing";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { createClient, image, type Client } from "./support/client.ts";
import { sendByHand } from "./support/connection.ts";
import { eventually } from "./support/eventually.ts";
import { holdCalls } from "./support/hold-calls.ts";
import { startOtlpReceiver, type ReceivedSpan } from "./support/otlp-receiver.ts";

const receiver = await startOtlpReceiver();
afterAll(() => receiver.close());

const metricsToken = "a token that only opens the metrics";
const canary = "canaryprompt9052";

/** Waits for asynchronous output: a last log line, a batch of spans, cached totals. */
const soon = (check: () => Promise<void>) => vi.waitFor(check, { timeout: 50_000, interval: 50 });

const slowOptions = { concurrent: false, timeout: 60_000 };

const environment = {
  METRICS_TOKEN: metricsToken,
  OTEL_EXPORTER_OTLP_ENDPOINT: receiver.url,
  // Any free port; the log contains it.
  WORKER_ADMIN_PORT: "0",
  // Long enough that nothing is retried on a slow machine.
  PROVIDER_TIMEOUT_SECONDS: "60",
  WORKER_LOCK_SECONDS: "60",
};

describeStacks("what operators see", { processes: true, environment }, (stackOf) => {
  let stack: Stack;
  let client: Client;
  let workerAdminUrl: string;

  beforeAll(async () => {
    stack = stackOf();
    client = await createClient(stack);
    const ready = await eventually(
      async () => linesOf(await stack.workers[0]?.log(), "worker ready")[0],
      (line) => line !== undefined,
    );
    workerAdminUrl = `http://127.0.0.1:${Number(ready?.["adminPort"])}`;
  });

  /** Samples of our own metrics, by name and labels. */
  async function scrape(adminUrl: string): Promise<ReadonlyMap<string, number>> {
    const headers = { Authorization: `Bearer ${metricsToken}` };
    const response = await fetch(`${adminUrl}/metrics`, { headers });
    expect(response.status).toBe(200);
    expect(response.headers.get("Content-Type")).toMatch(/^text\/plain; version=0\.0\.4/);
    const lines = (await response.text()).split("\n");
    const samples = lines.filter((line) => line.startsWith("atelier_"));
    return new Map(
      samples.map((line) => {
        const space = line.lastIndexOf(" ");
        return [line.slice(0, space), Number(line.slice(space + 1))];
      }),
    );
  }

  const expectSamples = (adminUrl: string, expected: Readonly<Record<string, number>>) =>
    soon(async () => {
      const samples = await scrape(adminUrl);
      const found = Object.keys(expected).map((name) => [name, samples.get(name)]);
      expect(Object.fromEntries(found)).toEqual(expected);
    });

  describe("metrics", slowOptions, () => {
    it("count requests, images and charges exactly", async () => {
      stack.provider.behave(() => ({ kind: "image" }));
      for (let sent = 0; sent < 2; sent++) expect((await client.generate(image)).status).toBe(200);
      stack.provider.behave(() => ({ kind: "refuse", categories: ["violence"] }));
      expect((await client.generate(image)).status).toBe(502);
      for (let sent = 0; sent < 3; sent++) {
        await stack.request(client.account, "GET", `/v1/jobs/${crypto.randomUUID()}`);
        await fetch(`${stack.url}/${crypto.randomUUID()}`);
      }
      await fetch(`${stack.url}/v1/jobs/${crypto.randomUUID()}`);

      const requests = (method: string, route: string, status: number) =>
        `atelier_http_requests_total{method="${method}",route="${route}",status="${status}"}`;
      await expectSamples(stack.adminUrl, {
        [requests("POST", "/v1/generate/image", 200)]: 2,
        [requests("POST", "/v1/generate/image", 502)]: 1,
        [requests("GET", "/v1/jobs/:id", 404)]: 3,
        [requests("GET", "/v1/jobs/:id", 401)]: 1,
        [requests("GET", "unmatched", 404)]: 3,
        'atelier_errors_total{code="job_not_found"}': 3,
        'atelier_errors_total{code="not_found"}': 3,
        'atelier_errors_total{code="provider_refused"}': 1,
        'atelier_errors_total{code="unauthorized"}': 1,
        'atelier_http_request_duration_seconds_count{method="POST",route="/v1/generate/image"}': 3,
        'atelier_jobs_accepted_total{kind="image"}': 3,
        'atelier_jobs_ended_total{status="cancelled"}': 0,
        atelier_charged_micro_eur_total: 100_000,
        atelier_held_micro_eur: 0,
        atelier_held_mismatch_micro_eur: 0,
        atelier_jobs_overdue: 0,
        'atelier_lane_circuit_open{lane="fake-blind"}': 0,
        atelier_database_up: 1,
        'atelier_jobs_unfinished{status="pending"}': 0,
        'atelier_jobs_unfinished{status="processing"}': 0,
        'atelier_queue_depth{lane="fake-blind"}': 0,
      });
      await expectSamples(workerAdminUrl, {
        'atelier_jobs_ended_total{status="completed"}': 2,
        'atelier_jobs_ended_total{status="failed"}': 1,
        'atelier_renders_total{lane="fake-blind",outcome="done",code="none"}': 2,
        'atelier_renders_total{lane="fake-blind",outcome="failed",code="provider_refused"}': 1,
        'atelier_provider_calls_total{lane="fake-blind",outcome="image"}': 2,
        'atelier_provider_calls_total{lane="fake-blind",outcome="refused"}': 1,
        'atelier_render_step_duration_seconds_count{lane="fake-blind",step="moderation"}': 3,
        'atelier_render_step_duration_seconds_count{lane="fake-blind",step="upload"}': 2,
      });
    });

    it("show running jobs and held credit", async () => {
      const held = holdCalls(stack.provider);
      const response = await client.generate(image, { Prefer: "respond-async" });
      expect(response.status).toBe(202);
      await expectSamples(stack.adminUrl, {
        'atelier_jobs_unfinished{status="processing"}': 1,
        'atelier_renders_running{lane="fake-blind"}': 1,
        atelier_held_micro_eur: 50_000,
        atelier_charged_micro_eur_total: 100_000,
      });
      held.release();
    });

    it("have no labels with ids or client input", async () => {
      const names = await Promise.all(
        [stack.adminUrl, workerAdminUrl].map(async (url) => [...(await scrape(url)).keys()]),
      );
      const text = names.flat().join("\n");
      expect(text).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}-/);
      expect(names.flat().length).toBeLessThan(700);
    });

    it("accept their token or the admin key; the queues accept only the admin key", async () => {
      const statusOf = async (url: string, authorization?: string) => {
        const headers = authorization === undefined ? {} : { Authorization: authorization };
        return (await fetch(url, { headers })).status;
      };
      const basic = `Basic ${btoa(`prometheus:${stack.adminKey}`)}`;
      expect(await statusOf(`${stack.adminUrl}/metrics`)).toBe(401);
      expect(await statusOf(`${stack.adminUrl}/metrics`, "Bearer wrong")).toBe(401);
      expect(await statusOf(`${stack.adminUrl}/metrics`, basic)).toBe(200);
      expect(await statusOf(`${stack.adminUrl}/queues`, `Bearer ${metricsToken}`)).toBe(401);
      expect(await statusOf(`${workerAdminUrl}/metrics`)).toBe(401);
      expect(await statusOf(`${workerAdminUrl}/metrics`, basic)).toBe(401);
    });

    it("are served next to the worker's probes, which need no key", async () => {
      const expected = { "/healthz": { status: "ok" }, "/readyz": { lanes: "ok", storage: "ok" } };
      for (const [path, health] of Object.entries(expected)) {
        const response = await fetch(workerAdminUrl + path);
        expect(response.status).toBe(200);
        expect(response.headers.get("X-Content-Type-Options")).toBe("nosniff");
        expect(await response.json()).toMatchObject(health);
      }
    });
  });

  it("a job that recovery dispatched continues its trace", slowOptions, async () => {
    const traceId = randomBytes(16).toString("hex");
    const requestSpanId = randomBytes(8).toString("hex");
    // Simulates an API that died between its COMMIT and the queue.
    const acceptance = await acceptGeneration(stack.database, {
      accountId: client.account.accountId,
      keyId: client.account.keyId,
      plan: makeImagePlan({ model: image.model, lane: "fake-blind", prompt: image.prompt }),
      deadlineMs: 120_000,
      maxUnfinishedJobs: 100,
      idempotency: null,
      traceParent: `00-${traceId}-${requestSpanId}-01`,
    });
    await client.untilFinal(acceptance.generationId);
    await soon(async () => {
      const spans = receiver.spans.filter((span) => span.traceId === traceId);
      const parentOf = (child?: ReceivedSpan) =>
        spans.find(({ spanId }) => spanId === child?.parentSpanId);
      const upload = spans.find(({ name }) => name === "upload");
      const render = parentOf(upload);
      const added = parentOf(render);
      expect([upload?.name, render?.name, added?.name]).toEqual([
        "upload",
        "process fake-blind",
        "add fake-blind.render",
      ]);
      expect(added).toMatchObject({ service: "atelier-worker", parentSpanId: requestSpanId });
    });
  });

  describe("one image", slowOptions, () => {
    const traceId = randomBytes(16).toString("hex");
    const clientSpanId = randomBytes(8).toString("hex");
    const requestId = `observed-${traceId}`;
    let generationId: string;

    beforeAll(async () => {
      stack.provider.behave(() => ({ kind: "image" }));
      const response = await client.generate(
        { ...image, prompt: `${canary}, a lighthouse` },
        { traceparent: `00-${traceId}-${clientSpanId}-01`, "X-Request-Id": requestId },
      );
      generationId = response.headers.get("X-Service-Job-Id") ?? "";
    });

    it("is one trace from the request through the queue to every step", async () => {
      const find = (name: string): ReceivedSpan => {
        const found = receiver.spans.filter(
          (span) => span.traceId === traceId && span.name === name,
        );
        expect(found.map((span) => span.name)).toEqual([name]);
        return found[0] as ReceivedSpan;
      };
      await soon(async () => {
        const request = find("POST /v1/generate/image");
        expect(request).toMatchObject({ service: "atelier-api", parentSpanId: clientSpanId });
        expect(request.facts).toMatchObject({
          "atelier.request_id": requestId,
          "atelier.account_id": client.account.accountId,
          "atelier.generation_id": generationId,
        });
        const added = find("add fake-blind.render");
        expect(added).toMatchObject({ service: "atelier-api", parentSpanId: request.spanId });
        const render = find("process fake-blind");
        expect(render).toMatchObject({ service: "atelier-worker", parentSpanId: added.spanId });
        expect(render.facts).toMatchObject({
          "atelier.generation_id": generationId,
          "atelier.lane": "fake-blind",
          "atelier.outcome": "done",
        });
        for (const step of ["moderation", "generate", "watermark", "upload", "finish"]) {
          expect(find(step).parentSpanId).toBe(render.spanId);
        }
      });
    });

    it("exports neither prompts nor keys", () => {
      const sent = receiver.bodies.join("\n");
      expect(sent).toContain(generationId);
      expect(sent).not.toContain(canary);
      expect(sent).not.toContain(client.account.key);
    });

    it("logs no status when the client disconnected before the response", async () => {
      const refused = await sendByHand(
        stack.url,
        "POST /v1/generate/story HTTP/1.1\r\nHost: atelier\r\nContent-Type: application/json\r\n" +
          `X-API-Key: ${client.account.key}\r\nTransfer-Encoding: chunked\r\n\r\nno chunk\r\n`,
      );
      expect(refused.status).toBe(400);
      await soon(async () => {
        const lines = linesOf(await stack.api.log(), "request");
        expect(lines.filter((line) => line["path"] === "/v1/generate/story")).toEqual([
          expect.objectContaining({ status: null, code: null, answered: false }),
        ]);
      });
    });

    it("logs one line in the API and one in the worker, with the same field names", async () => {
      await soon(async () => {
        const lines = linesOf(await stack.api.log(), "request");
        const requests = lines.filter((line) => line["requestId"] === requestId);
        expect(requests).toEqual([
          expect.objectContaining({
            traceId,
            generationId,
            accountId: client.account.accountId,
            keyId: expect.any(String),
            method: "POST",
            route: "/v1/generate/image",
            status: 200,
            code: null,
            durationMs: expect.any(Number),
            answered: true,
          }),
        ]);
        const done = linesOf(await stack.workers[0]?.log(), "render done");
        expect(done.filter((line) => line["generationId"] === generationId)).toEqual([
          expect.objectContaining({
            traceId,
            accountId: client.account.accountId,
            attempt: 1,
            lane: "fake-blind",
            model: "fake-blind",
            outcome: "done",
            code: null,
            durationMs: expect.any(Number),
            durationsMs: expect.objectContaining({ moderation: expect.any(Number) }),
            storedBytes: expect.any(Number),
            chargedMicroEur: 50_000,
          }),
        ]);
      });
    });
  });
});

/** Complete lines of a log with a message; a partial last line is skipped. */
function linesOf(log: string | undefined, message: string): Record<string, unknown>[] {
  const completeLines = (log ?? "").replace(/[^\n]*$/, "");
  const lines = completeLines.split("\n").filter((line) => line.startsWith("{"));
  return lines
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter(({ msg }) => msg === message);
}
