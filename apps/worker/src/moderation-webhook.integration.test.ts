import { createHmac } from "node:crypto";
import { parseConfig } from "@atelier/configuration";
import { startProtocolServer, type ProtocolServer, type Reply } from "@atelier/models/testing";
import { createLogger } from "@atelier/telemetry";
import { afterAll, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { workerConfig } from "./config.ts";
import { createModeration } from "./create-moderation.ts";

const key = Buffer.alloc(32, 9);
const secret = "a secret that is only for tests and long enough";
const never = new AbortController().signal;
let verdict: unknown = { verdict: "allow" };
let server: ProtocolServer;

/** A policy engine that accepts only requests signed as Standard Webhooks 1.0 describes. */
beforeAll(async () => {
  server = await startProtocolServer(({ call, url, fault }): Reply => {
    const { headers, body } = call;
    const id = String(headers["webhook-id"]);
    const timestamp = String(headers["webhook-timestamp"]);
    const signed = `${id}.${timestamp}.${String(body)}`;
    const signature = createHmac("sha256", key).update(signed).digest("base64");
    if (url.pathname !== "/judge") return { status: 404, json: {} };
    if (headers["webhook-signature"] !== `v1,${signature}`) return { status: 401, json: {} };
    if (Math.abs(Date.now() / 1_000 - Number(timestamp)) > 300) return { status: 401, json: {} };
    if (fault?.kind === "server-error") return { status: fault.status, json: {} };
    return { status: 200, json: verdict };
  });
});
afterAll(() => server.close());
beforeEach(() => {
  server.behave(null);
  verdict = { verdict: "allow" };
});

function create(changes: Readonly<Record<string, string>> = {}) {
  const config = parseConfig(workerConfig, {
    DATABASE_URL: "postgres://localhost/test",
    STORAGE_URL: "file:/tmp/nowhere",
    PUBLIC_URL: "http://localhost",
    URL_SIGNING_SECRET: secret,
    KEY_PEPPER: secret,
    SIGNING_CERTIFICATE_CHAIN: "chain",
    SIGNING_PRIVATE_KEY: "key",
    SIGNING_TRUST_ANCHORS: "anchors",
    MODERATION: "webhook",
    MODERATION_URL: `${server.url}/judge`,
    MODERATION_WEBHOOK_SECRET: `whsec_${key.toString("base64")}`,
    ...changes,
  });
  return createModeration(config, createLogger("worker", "silent"));
}

const texts = [
  { path: "characters.0.description", text: "a pilot in a red coat" },
  { path: "scenes.0.prompt", text: "she waits at the harbour" },
];
const judge = (moderation = create(), strictness: "normal" | "liberal" = "normal") =>
  moderation.moderator.moderate({ texts, strictness, hasClientImages: false }, never);

describe("a policy engine of the operator", () => {
  it("receives the texts with their paths and the strictness, signed, once", async () => {
    const before = server.calls.length;
    const moderation = create();
    expect(await judge(moderation, "liberal")).toEqual({ allowed: true });
    expect(await judge(moderation, "liberal")).toEqual({ allowed: true });
    const [call, ...more] = server.calls.slice(before);
    expect(more).toEqual([]);
    expect(JSON.parse(String(call?.body))).toEqual({ texts, strictness: "liberal" });
  });

  it("refuses a text by its path, as illegal in a category of the legal floor", async () => {
    verdict = { verdict: "refuse", category: "hate", path: "scenes.0.prompt" };
    expect(await judge()).toMatchObject({
      certainty: "certain",
      code: "content_policy_violation",
      category: "hate",
      path: "scenes.0.prompt",
    });
    verdict = { verdict: "refuse", category: "forgery" };
    expect(await judge()).toMatchObject({
      code: "content_illegal",
      path: "characters.0.description",
    });
  });

  it("may respond with uncertain, which is never illegal", async () => {
    verdict = { verdict: "uncertain", category: "sexual_minors", path: "scenes.0.prompt" };
    expect(await judge()).toMatchObject({
      certainty: "uncertain",
      code: "content_policy_violation",
      category: "sexual_minors",
    });
    expect(await judge(undefined, "liberal")).toEqual({ allowed: true });
  });

  it.each([
    {},
    [],
    null,
    "allow",
    { verdict: "maybe" },
    { verdict: "refuse" },
    { verdict: "refuse", category: "war" },
    { verdict: "refuse", category: "hate", path: "scenes.9.prompt" },
    { verdict: "uncertain" },
  ])(
    "is unavailable to requests when it responds with %j, and no image is made",
    async (malformed) => {
      verdict = malformed;
      await expect(judge()).rejects.toMatchObject({ code: "overloaded", retryable: true });
    },
  );

  it("is unavailable to requests when it does not respond in time", async () => {
    server.behave({ kind: "hang", at: "order" });
    const moderation = create({ MODERATION_TIMEOUT_SECONDS: "0.05" });
    await expect(judge(moderation)).rejects.toMatchObject({ code: "overloaded" });
  });

  it.each(["refuse", "allow"])(
    "is reported as a wrong setting when it does not judge a harmless text, with MODERATION_WHEN_DOWN=%s",
    async (whenDown) => {
      verdict = "<p>Hello";
      const { remoteModeration } = create({ MODERATION_WHEN_DOWN: whenDown });
      const probed = server.arrival();
      remoteModeration?.start({
        moderationRequested: () => undefined,
        watchModeration: () => undefined,
      });
      await probed;
      await vi.waitUntil(() => remoteModeration?.state().kind !== "ok");
      expect(remoteModeration?.state()).toMatchObject({
        kind: "misconfigured",
        advice: expect.stringMatching(/^MODERATION_URL: .* a harmless text/) as string,
        canGenerate: false,
      });
      remoteModeration?.close();
    },
  );

  it("that refuses the signature is a wrong setting", async () => {
    const moderation = create({
      MODERATION_WEBHOOK_SECRET: `whsec_${Buffer.alloc(32, 1).toString("base64")}`,
    });
    await expect(judge(moderation)).rejects.toMatchObject({ code: "internal_error" });
    expect(moderation.remoteModeration?.state()).toMatchObject({
      kind: "misconfigured",
      advice: expect.stringMatching(/^MODERATION_WEBHOOK_SECRET: /) as string,
    });
    moderation.remoteModeration?.close();
  });
});
