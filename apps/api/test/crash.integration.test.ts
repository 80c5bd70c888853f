import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Program } from "@atelier/configuration";
import { generationResponse } from "@atelier/schemas";
import { assertInvariants, startStack, startTestProgram, type Stack } from "@atelier/testing";
import { afterAll, beforeAll, describe, expect, inject, it } from "vitest";
import type { AcceptStep } from "../src/failpoint.ts";
import { createClient, image, type Client } from "./support/client.ts";
import { eventually } from "./support/eventually.ts";

/** Where one API after the other dies of the same request. */
const deaths: readonly (readonly AcceptStep[])[] = [
  ["before-accept"],
  ["before-accept", "before-accept"],
  ["after-accept"],
  // Sent again, it is answered with what was accepted, and comes to no other step.
  ["after-accept", "before-answer"],
  ["after-dispatch"],
  ["after-dispatch", "before-answer"],
  ["before-answer"],
  ["before-answer", "before-answer"],
];

describe("an API killed at a step of taking a request", () => {
  let stack: Stack;
  let directory: string;
  let api: Program;

  const dieAt = (step: AcceptStep | "no step") => writeFile(join(directory, "failpoint"), step);

  beforeAll(async () => {
    directory = await mkdtemp(join(tmpdir(), "atelier-failpoint-"));
    stack = await startStack({ postgresUrl: inject("postgresUrl") });
    await dieAt("no step");
    api = await startApi();
  });

  afterAll(async () => {
    await api?.stop();
    await stack?.stop();
    await rm(directory, { recursive: true, force: true });
  });

  function startApi(): Promise<Program> {
    return startTestProgram({
      entry: "apps/api/test/mortal-api.ts",
      environment: {
        ...stack.environment,
        PORT: "0",
        ADMIN_PORT: "0",
        FAILPOINT_FILE: join(directory, "failpoint"),
      },
      directory,
      name: "mortal-api",
    });
  }

  /** The answer; null when there is none. */
  function send({ account }: Client): Promise<Response | null> {
    return fetch(`http://127.0.0.1:${api.ports.main}/v1/generate/image`, {
      method: "POST",
      headers: {
        Authorization: `Bearer ${account.key}`,
        "Content-Type": "application/json",
        "Idempotency-Key": "the-same-each-time",
      },
      body: JSON.stringify(image),
    }).catch(() => null);
  }

  it.each(deaths.map((steps) => ({ steps })))(
    "$steps: sent again, it is made once and charged once",
    { timeout: 120_000 },
    async ({ steps }) => {
      const client = await createClient(stack);
      const callsBefore = stack.provider.calls.length;
      for (const [index, step] of steps.entries()) {
        await dieAt(step);
        // While the first one counts as being answered, the same request is told to come again.
        await eventually(
          () => send(client),
          (answer) => answer === null,
        );
        expect(await api.ended).toBe(null);
        if (step === "before-accept") {
          expect((await client.list()).jobs).toEqual([]);
          expect(await client.money()).toEqual({ balance_eur: "10.00", held_eur: "0.00" });
        }
        if (index === steps.length - 1) await dieAt("no step");
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
});
