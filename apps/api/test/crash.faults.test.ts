import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Program } from "@atelier/process";
import { generationResponse, upload as uploadSchema, uploadPrefix } from "@atelier/schemas";
import { createStorage, type Storage } from "@atelier/storage";
import { assertInvariants, startStack, startTestProgram, type Stack } from "@atelier/testing";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import type { AcceptStep } from "../src/failpoint.ts";
import { createClient, image, type Client } from "./support/client.ts";
import { eventually } from "./support/eventually.ts";

/** Steps at which consecutive APIs die while handling the same request. */
const crashSteps: readonly (readonly AcceptStep[])[] = [
  ["before-accept"],
  ["before-accept", "before-accept"],
  ["after-accept"],
  // The repeated request is a replay, which reaches no other step.
  ["after-accept", "before-response"],
  ["after-dispatch"],
  ["after-dispatch", "before-response"],
  ["before-response"],
  ["before-response", "before-response"],
];

describe("an API killed while accepting a request", () => {
  let stack: Stack;
  let storage: Storage;
  let directory: string;
  let api: Program;

  const crashAt = (step: AcceptStep | "no step") => writeFile(join(directory, "failpoint"), step);

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), "atelier-failpoint-"));
    stack = await startStack({
      postgresUrl: inject("postgresUrl"),
      processes: true,
      environment: { SWEEP_INTERVAL_SECONDS: "0.3" },
    });
    storage = await createStorage({
      url: stack.environment["STORAGE_URL"] ?? "",
      publicUrl: stack.url,
      signingSecret: "a placeholder, because nothing is signed here",
    });
    await crashAt("no step");
    api = await startApi();
  });

  afterAll(async () => {
    await api?.stop();
    await storage?.close();
    await stack?.stop();
    await rm(directory, { recursive: true, force: true });
  });

  function startApi(): Promise<Program> {
    return startTestProgram({
      entry: "apps/api/test/killable-api.ts",
      environment: {
        ...stack.environment,
        PORT: "0",
        ADMIN_PORT: "0",
        FAILPOINT_FILE: join(directory, "failpoint"),
      },
      directory,
      name: "killable-api",
    });
  }

  /** Sends the request; null when the connection breaks before a response. */
  function send(
    { account }: Client,
    idempotencyKey = "the-same-each-time",
  ): Promise<Response | null> {
    return fetch(`http://127.0.0.1:${api.ports.main}/v1/generate/image`, {
      method: "POST",
      headers: {
        Authorization: `Bearer ${account.key}`,
        "Content-Type": "application/json",
        "Idempotency-Key": idempotencyKey,
      },
      body: JSON.stringify(image),
    }).catch(() => null);
  }

  it.each(crashSteps.map((steps) => ({ steps })))(
    "$steps: a repeated request creates one image and one charge",
    { timeout: 120_000 },
    async ({ steps }) => {
      const client = await createClient(stack);
      const callsBefore = stack.provider.calls.length;
      for (const [index, step] of steps.entries()) {
        await crashAt(step);
        // While the first request counts as waiting, the repeated one gets `idempotency_in_progress`.
        await eventually(
          () => send(client),
          (answer) => answer === null,
        );
        expect(await api.ended).toBe(null);
        if (step === "before-accept") {
          expect((await client.list()).jobs).toEqual([]);
          expect(await client.money()).toEqual({ balance_eur: "10.00", held_eur: "0.00" });
        }
        if (index === steps.length - 1) await crashAt("no step");
        api = await startApi();
      }

      const answer = await eventually(
        () => send(client),
        (response) => response?.status !== 409,
      );
      expect(answer?.status).toBe(200);
      expect(answer?.headers.has("Idempotent-Replayed")).toBe(!steps.includes("before-accept"));
      const { id } = generationResponse.parse(await answer?.json());
      expect((await client.list()).jobs).toMatchObject([{ id, status: "completed" }]);
      expect(await client.money()).toEqual({ balance_eur: "9.95", held_eur: "0.00" });
      expect(stack.provider.calls).toHaveLength(callsBefore + 1);
      await assertInvariants(stack.database, undefined, stack.provider.calls);
    },
  );

  it.each(["after-accept", "after-dispatch"] as const)(
    "%s of the first of 20 requests: each creates one image and one charge",
    { timeout: 120_000 },
    async (step) => {
      const client = await createClient(stack);
      const callsBefore = stack.provider.calls.length;
      const keys = Array.from({ length: 20 }, (_, index) => `request-${index}`);
      await crashAt(step);
      expect(await Promise.all(keys.map((key) => send(client, key)))).toContain(null);
      expect(await api.ended).toBe(null);
      await crashAt("no step");
      api = await startApi();
      for (const key of keys) {
        const answer = await eventually(
          () => send(client, key),
          (response) => response?.status !== 409,
        );
        expect(answer?.status).toBe(200);
      }
      expect((await client.list()).jobs).toHaveLength(20);
      expect(await client.money()).toEqual({ balance_eur: "9.00", held_eur: "0.00" });
      expect(stack.provider.calls).toHaveLength(callsBefore + 20);
      await assertInvariants(stack.database, undefined, stack.provider.calls);
    },
  );

  describe("with images", () => {
    /** Sends a request to the API that can be killed; null when the connection breaks. */
    function sendTo(path: string, { account }: Client, body: FormData | Uint8Array<ArrayBuffer>) {
      const headers = {
        Authorization: `Bearer ${account.key}`,
        "Idempotency-Key": "the-same-each-time",
        ...(body instanceof FormData ? {} : { "Content-Type": "image/png" }),
      };
      const url = `http://127.0.0.1:${api.ports.main}${path}`;
      return fetch(url, { method: "POST", headers, body }).catch(() => null);
    }

    async function picture(background: string): Promise<Uint8Array<ArrayBuffer>> {
      const create = { width: 64, height: 64, channels: 3 as const, background };
      return new Uint8Array(await sharp({ create }).png().toBuffer());
    }

    /** Kills two APIs that have stored a file of the request, and starts a third one. */
    async function killTwice(submit: () => Promise<Response | null>): Promise<void> {
      for (let kills = 0; kills < 2; kills += 1) {
        await crashAt("after-upload");
        expect(await submit()).toBe(null);
        expect(await api.ended).toBe(null);
        await crashAt("no step");
        api = await startApi();
      }
    }

    async function storedUploads(): Promise<string[]> {
      const keys: string[] = [];
      for await (const { key } of storage.list(uploadPrefix)) keys.push(key);
      return keys;
    }

    /** Ends the time of all uploads, and waits until the sweep has removed them. */
    async function expireUploads(): Promise<void> {
      await stack.database.query("UPDATE upload SET expires_at = now() - interval '1 s'");
      await eventually(
        () => stack.database.query("SELECT FROM upload"),
        (rows) => rows.length === 0,
      );
      expect(await storedUploads()).toEqual([]);
    }

    it(
      "an upload that is sent again is stored once, and nothing of the others stays",
      { timeout: 120_000 },
      async () => {
        const client = await createClient(stack);
        const bytes = await picture("#247");
        const submit = () => sendTo("/v1/uploads", client, bytes);
        await killTwice(submit);
        const answer = await submit();
        expect(answer?.status).toBe(201);
        expect(answer?.headers.has("Idempotent-Replayed")).toBe(false);
        const { id, url } = uploadSchema.parse(await answer?.json());
        const repeated = await submit();
        expect(repeated?.headers.get("Idempotent-Replayed")).toBe("true");
        expect(uploadSchema.parse(await repeated?.json()).id).toBe(id);
        expect(new Uint8Array(await (await fetch(url)).arrayBuffer())).toEqual(bytes);
        // The files whose rows do not say that they are stored.
        expect(await storedUploads()).toHaveLength(3);
        await assertInvariants(stack.database, storage);
        await stack.request(client.account, "DELETE", `/v1/uploads/${id}`);
        await expireUploads();
      },
    );

    it(
      "an edit that is sent again makes one image and one charge, and nothing of its files stays",
      { timeout: 120_000 },
      async () => {
        const client = await createClient(stack);
        const files = { image: await picture("#c03020"), mask: await picture("#fff") };
        const submit = () => {
          const form = new FormData();
          form.set("model", "builtin-illustrator");
          form.set("prompt", "a blue lake");
          for (const [name, bytes] of Object.entries(files))
            form.set(name, new File([bytes], name));
          return sendTo("/v1/images/edits", client, form);
        };
        await killTwice(submit);
        const answer = await submit();
        expect(answer?.status).toBe(200);
        await answer?.text();
        const { jobs } = await client.list();
        expect(jobs).toMatchObject([{ operation: "edit", status: "completed" }]);
        expect(await client.money()).toEqual({ balance_eur: "9.99", held_eur: "0.00" });
        await assertInvariants(stack.database, storage);
        await expireUploads();
      },
    );
  });
});
