import { createHash } from "node:crypto";
import { updateAccount } from "@atelier/accounts";
import { topUp } from "@atelier/billing";
import { verifyProvenance } from "@atelier/provenance/images";
import { generationResponse, job, jobAccepted, type GenerationResponse } from "@atelier/schemas";
import { describeStacks, type Stack, type TestAccount } from "@atelier/testing";
import sharp from "sharp";
import { afterEach, beforeAll, describe, expect, it } from "vitest";
import { holdCalls } from "./support/hold-calls.ts";

const body = { model: "fake-blind", prompt: "a lighthouse at dusk" };

describeStacks("POST /v1/generate/image", { shared: true }, (stackOf) => {
  let stack: Stack;
  let account: TestAccount;

  beforeAll(async () => {
    stack = stackOf();
    account = await stack.createAccount();
  });

  afterEach(() => stack.provider.behave(() => ({ kind: "image" })));

  const generate = (request: unknown = body, headers?: Record<string, string>) =>
    stack.request(account, "POST", "/v1/generate/image", request, headers);

  async function balanceOf(of: TestAccount): Promise<{ balance_eur: string; held_eur: string }> {
    const response = await stack.request(of, "GET", "/v1/account");
    return (await response.json()) as { balance_eur: string; held_eur: string };
  }

  it("returns every field of the specification for a minimal request", async () => {
    const response = await generate({
      model: "builtin-illustrator",
      prompt: "a red house by the sea",
    });
    expect(response.status).toBe(200);
    const answer = (await response.json()) as GenerationResponse;
    expect(generationResponse.safeParse(answer).error).toBeUndefined();
    expect(answer).toMatchObject({
      id: response.headers.get("X-Service-Job-Id"),
      model: "builtin-illustrator",
      ai_generated: true,
      cost_eur: "0.01",
      balance_eur: "9.99",
      image_url: answer.formats?.png?.url,
      image_hash: answer.formats?.png?.hash,
      width: 1024,
      height: 1024,
    });
    for (const { url, width, height } of Object.values(answer.formats ?? {})) {
      const file = sharp(await (await fetch(url)).bytes());
      expect(await file.metadata()).toMatchObject({ width, height });
    }
    expect(Object.keys(answer.formats ?? {})).toEqual(["png", "jpeg", "webp"]);
    for (const absent of [
      "image_urls",
      "image_hashes",
      "scenes",
      "characters",
      "locations",
      "title",
    ]) {
      expect(answer).not.toHaveProperty(absent);
    }
  });

  it("returns three files that decode, match their hashes and have a valid manifest", async () => {
    const answer = (await (await generate()).json()) as GenerationResponse;
    for (const variant of Object.values(answer.formats ?? {})) {
      const response = await fetch(variant.url);
      expect(response.status).toBe(200);
      expect(response.headers.get("content-type")).toBe(`image/${variant.format}`);
      const bytes = Buffer.from(await response.arrayBuffer());
      expect(bytes.byteLength).toBe(variant.size_bytes);
      expect(createHash("sha256").update(bytes).digest("hex")).toBe(variant.hash);
      expect((await sharp(bytes).metadata()).format).toBe(variant.format);
      const report = await verifyProvenance(bytes, {
        trustAnchorsPem: stack.trustAnchorsPem,
      });
      expect(report).toMatchObject({ state: "trusted", problems: [], aiGenerated: true });
      const life = Date.parse(variant.expires_at) - Date.now();
      expect(life).toBeGreaterThan(3_590_000);
      expect(life).toBeLessThan(3_601_000);
    }
  });

  it("returns 202 at once with Prefer: respond-async, and the job completes", async () => {
    const response = await generate(body, { Prefer: "respond-async" });
    expect(response.status).toBe(202);
    const accepted = jobAccepted.parse(await response.json());
    expect(response.headers.get("Location")).toBe(accepted.poll_url);
    expect(response.headers.get("X-Service-Job-Id")).toBe(accepted.job_id);
    expect(response.headers.get("Retry-After")).toMatch(/^\d+$/);
    const done = await untilFinal(accepted.job_id);
    expect(done).toMatchObject({ status: "completed", cost_eur: "0.05" });
    expect(done.result?.image_url).toBeDefined();
  });

  it("returns 202 when the wait limit is reached", async () => {
    const held = holdCalls(stack.provider);
    const response = await generate(body, { Prefer: "wait=1" });
    expect(response.status).toBe(202);
    const { job_id } = jobAccepted.parse(await response.json());
    held.release();
    expect(await untilFinal(job_id)).toMatchObject({ status: "completed" });
  });

  it("continues after the client disconnects; the result is in the list", async () => {
    const other = await stack.createAccount();
    const held = holdCalls(stack.provider);
    const controller = new AbortController();
    const abortedRequest = fetch(`${stack.url}/v1/generate/image`, {
      method: "POST",
      headers: { Authorization: `Bearer ${other.key}`, "Content-Type": "application/json" },
      body: JSON.stringify(body),
      signal: controller.signal,
    });
    await held.called;
    controller.abort();
    await expect(abortedRequest).rejects.toThrow();
    held.release();
    const list = await stack.request(other, "GET", "/v1/jobs");
    const { jobs } = (await list.json()) as { jobs: { id: string }[] };
    expect(jobs).toHaveLength(1);
    expect(await untilFinal(jobs[0]?.id ?? "", other)).toMatchObject({ status: "completed" });
    expect(await balanceOf(other)).toEqual(
      expect.objectContaining({ balance_eur: "9.95", held_eur: "0.00" }),
    );
  });

  it("accepts five reference images and refuses a sixth", async () => {
    const references = (count: number) =>
      Array.from({ length: count }, (_, index) => ({
        description: "a lighthouse",
        url: `https://nowhere.invalid/${index}.png`,
      }));
    const six = await generate({ ...body, reference_images: references(6) });
    expect(six.status).toBe(400);
    expect(await six.json()).toMatchObject({
      error: "invalid_request",
      details: [{ path: "reference_images" }],
    });
    const five = await generate({ ...body, reference_images: references(5) });
    expect(five.status).toBe(422);
    expect(await five.json()).toMatchObject({ error: "reference_unreachable" });
  });

  it("moderates with the account's strictness unless the request sets one", async () => {
    const liberal = await stack.createAccount();
    await updateAccount(stack.database, liberal.accountId, { strictness: "liberal" });
    const prompt = "a severed head on a table";
    const ask = (of: TestAccount, strictness?: string) =>
      stack.request(of, "POST", "/v1/generate/image", { ...body, prompt, strictness });
    expect((await ask(liberal)).status).toBe(200);
    expect((await ask(liberal, "normal")).status).toBe(422);
    expect((await ask(account)).status).toBe(422);
    expect((await ask(account, "liberal")).status).toBe(200);
  });

  it("reports the reason of a failure, charges nothing, and calls the provider once", async () => {
    const other = await stack.createAccount();
    stack.provider.behave(() => ({ kind: "refuse", categories: ["violence"] }));
    const before = stack.provider.calls.length;
    const response = await stack.request(other, "POST", "/v1/generate/image", body);
    expect(response.status).toBe(502);
    expect(await response.json()).toMatchObject({
      error: "provider_refused",
      details: { categories: ["violence"] },
      request_id: response.headers.get("X-Request-Id"),
    });
    expect(stack.provider.calls.length).toBe(before + 1);
    expect(await balanceOf(other)).toMatchObject({ balance_eur: "10.00", held_eur: "0.00" });
    const failed = await untilFinal(response.headers.get("X-Service-Job-Id") ?? "", other);
    expect(failed).toMatchObject({ status: "failed", cost_eur: "0.00", result: null });
    expect(failed.error?.error).toBe("provider_refused");
  });

  it("retries transient failures and charges once", async () => {
    const other = await stack.createAccount();
    const from = stack.provider.calls.length;
    stack.provider.behave((_call, count) =>
      count === from + 1 ? { kind: "fail", status: 500 } : { kind: "image" },
    );
    const response = await stack.request(other, "POST", "/v1/generate/image", body);
    expect(response.status).toBe(200);
    expect(stack.provider.calls.length).toBe(from + 2);
    expect(await balanceOf(other)).toMatchObject({ balance_eur: "9.95" });
  });

  it("pauses the whole lane for the provider's Retry-After", async () => {
    const from = stack.provider.calls.length;
    stack.provider.behave((_call, count) =>
      count === from + 1 ? { kind: "rate-limit", retryAfterSeconds: 1 } : { kind: "image" },
    );
    expect((await generate()).status).toBe(200);
    const [first, second] = stack.provider.calls.slice(from);
    expect((second?.at ?? 0) - (first?.at ?? 0)).toBeGreaterThanOrEqual(950);
  });

  it("never delivers an incomplete image", async () => {
    const other = await stack.createAccount();
    stack.provider.behave(() => ({ kind: "garbage" }));
    const from = stack.provider.calls.length;
    const response = await stack.request(other, "POST", "/v1/generate/image", body);
    expect(response.status).toBe(502);
    // A call with a lost response is repeated once.
    expect(stack.provider.calls.length - from).toBe(2);
    expect(await balanceOf(other)).toMatchObject({ balance_eur: "10.00", held_eur: "0.00" });
  });

  describe("with an Idempotency-Key", () => {
    it("makes one image and one charge for fifty concurrent requests", async () => {
      const other = await stack.createAccount();
      const from = stack.provider.calls.length;
      const send = () =>
        stack.request(other, "POST", "/v1/generate/image", body, { "Idempotency-Key": "fifty" });
      const responses = await Promise.all(Array.from({ length: 50 }, send));
      const statuses = responses.map(({ status }) => status);
      expect(statuses.filter((status) => status === 200).length).toBeGreaterThanOrEqual(1);
      expect(new Set(statuses.filter((status) => status !== 200)).size).toBeLessThanOrEqual(1);
      for (const response of responses) {
        const answer = (await response.json()) as { error?: string };
        if (response.status !== 200) expect(answer.error).toBe("idempotency_in_progress");
      }
      const jobIds = new Set(responses.map((response) => response.headers.get("X-Service-Job-Id")));
      expect(jobIds.size).toBe(1);
      expect(stack.provider.calls.length).toBe(from + 1);
      expect(await balanceOf(other)).toMatchObject({ balance_eur: "9.95", held_eur: "0.00" });

      const replay = await send();
      expect(replay.status).toBe(200);
      expect(replay.headers.get("Idempotent-Replayed")).toBe("true");
      expect(await balanceOf(other)).toMatchObject({ balance_eur: "9.95" });
    });

    it("replays an error that occurred after the job was created", async () => {
      stack.provider.behave(() => ({ kind: "refuse", categories: ["violence"] }));
      const send = () => generate(body, { "Idempotency-Key": "refused" });
      const first = await send();
      stack.provider.behave(() => ({ kind: "image" }));
      const second = await send();
      expect([first.status, second.status]).toEqual([502, 502]);
      expect(second.headers.get("Idempotent-Replayed")).toBe("true");
      const [firstBody, secondBody] = [await first.json(), await second.json()] as object[];
      expect({ ...secondBody, request_id: "" }).toEqual({ ...firstBody, request_id: "" });
    });

    it("does not remember a request that moderation refused", async () => {
      const headers = { "Idempotency-Key": "moderated" };
      const refused = { ...body, prompt: "a naked woman posing seductively" };
      for (const _ of [1, 2]) {
        const response = await generate(refused, headers);
        expect(response.status).toBe(422);
        expect(response.headers.has("Idempotent-Replayed")).toBe(false);
        expect(response.headers.has("X-Service-Job-Id")).toBe(false);
      }
      expect((await generate(body, headers)).status).toBe(200);
    });

    it("refuses a different body with the same key", async () => {
      const headers = { "Idempotency-Key": "reused", Prefer: "respond-async" };
      expect((await generate(body, headers)).status).toBe(202);
      const replay = await generate(body, headers);
      expect([200, 202]).toContain(replay.status);
      const other = await generate({ ...body, prompt: "another" }, headers);
      expect(other.status).toBe(422);
      expect(await other.json()).toMatchObject({ error: "idempotency_key_reused" });
    });

    it("does not remember requests that were refused before a job existed", async () => {
      const poor = await stack.createAccount("0");
      const send = () =>
        stack.request(poor, "POST", "/v1/generate/image", body, { "Idempotency-Key": "poor" });
      expect((await send()).status).toBe(402);
      const { accountId } = poor;
      await topUp(stack.database, { accountId, amountMicroEur: 50_000n });
      const again = await send();
      expect(again.status).toBe(200);
      expect(again.headers.has("Idempotent-Replayed")).toBe(false);
    });
  });

  it("reads its own images as references directly from storage", async () => {
    const first = (await (await generate()).json()) as GenerationResponse;
    const response = await generate({
      ...body,
      reference_images: [{ description: "the same place", url: first.image_url }],
    });
    expect(response.status).toBe(200);
    expect(stack.provider.calls.at(-1)?.references).toBe(1);
    const answer = (await response.json()) as GenerationResponse;
    const bytes = Buffer.from(await (await fetch(answer.image_url ?? "")).arrayBuffer());
    const report = await verifyProvenance(bytes, {
      trustAnchorsPem: stack.trustAnchorsPem,
    });
    expect(report).toMatchObject({ state: "trusted", ingredients: [expect.anything()] });
  });

  /** Polls a job as a client would. */
  async function untilFinal(jobId: string, of: TestAccount = account) {
    for (;;) {
      const response = await stack.request(of, "GET", `/v1/jobs/${jobId}`);
      const polled = job.parse(await response.json());
      if (polled.status !== "pending" && polled.status !== "processing") return polled;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
});
