import { createHash } from "node:crypto";
import { verifyProvenance } from "@atelier/provenance/images";
import { generationResponse, type GenerationResponse } from "@atelier/schemas";
import { createStorage } from "@atelier/storage";
import { assertInvariants, type Stack } from "@atelier/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createClient, image, readError, type Client } from "./client.ts";
import { storyOf } from "./story-fleet.ts";

/** The main paths, from request to charge. Details of single requests are tested in other files. */
export function testEndToEnd(stackOf: () => Stack): void {
  let stack: Stack;
  let client: Client;

  beforeAll(async () => {
    stack = stackOf();
    client = await createClient(stack, "1");
  });

  afterAll(async () => {
    const storage = await createStorage({
      url: stack.environment["STORAGE_URL"] ?? "",
      publicUrl: stack.url,
      signingSecret: "reads what is stored, and signs nothing",
    });
    await assertInvariants(stack.database, storage, stack.provider.calls);
    await storage.close();
  });

  async function download(url: string): Promise<Buffer> {
    const response = await fetch(url);
    expect(response.status).toBe(200);
    return Buffer.from(await response.arrayBuffer());
  }

  it("makes an image in three formats, each signed and matching its hash", async () => {
    const request = { model: "builtin-illustrator", prompt: "a red house by the sea" };
    const response = await client.generate(request);
    expect(response.status).toBe(200);
    const answer = generationResponse.parse(await response.json());
    expect(answer).toMatchObject({ cost_eur: "0.01", balance_eur: "0.99" });
    const formats = Object.values(answer.formats ?? {});
    expect(formats.map(({ format }) => format)).toEqual(["png", "jpeg", "webp"]);
    for (const { url, hash, size_bytes: sizeBytes } of formats) {
      const bytes = await download(url);
      expect(bytes).toHaveLength(sizeBytes);
      expect(createHash("sha256").update(bytes).digest("hex")).toBe(hash);
      const { trustAnchorsPem } = stack;
      expect(await verifyProvenance(bytes, { trustAnchorsPem })).toMatchObject({
        state: "trusted",
      });
    }
  });

  it("makes a story and regenerates one of its scenes", async () => {
    const request = storyOf({ characters: 2, scenes: 2 });
    const accepted = await stack.request(client.account, "POST", "/v1/generate/story", request);
    expect(accepted.status).toBe(202);
    const { job_id: jobId } = (await accepted.json()) as { job_id: string };
    const done = await client.untilFinal(jobId);
    // Two portraits, a location and two scenes at 0.05 EUR.
    expect(done).toMatchObject({ status: "completed", scenes_completed: 2, cost_eur: "0.25" });
    const result = done.result as GenerationResponse;
    for (const { image_url: url, image_hash: hash } of result.scenes ?? []) {
      const bytes = await download(url ?? "");
      expect(createHash("sha256").update(bytes).digest("hex")).toBe(hash);
    }
    const again = await stack.request(client.account, "POST", "/v1/generate/scene", {
      model: request.model,
      prompt: "Mira looks at the sea",
      characters: [
        {
          name: "Mira",
          description: "a woman with long red hair",
          reference_url: result.characters?.[0]?.reference_url,
        },
      ],
    });
    expect(again.status).toBe(200);
    expect(stack.provider.calls.at(-1)?.references).toBe(1);
    expect(await client.money()).toEqual({ balance_eur: "0.69", held_eur: "0.00" });
  });

  it("returns the first response for a repeated request and charges once", async () => {
    const headers = { "Idempotency-Key": "the-same" };
    const first = generationResponse.parse(await (await client.generate(image, headers)).json());
    const second = await client.generate(image, headers);
    expect(second.headers.get("Idempotent-Replayed")).toBe("true");
    const replayed = generationResponse.parse(await second.json());
    expect([replayed.id, replayed.image_hash]).toEqual([first.id, first.image_hash]);
    expect(await client.money()).toEqual({ balance_eur: "0.64", held_eur: "0.00" });
  });

  it("charges nothing for refused requests", async () => {
    stack.provider.behave(() => ({ kind: "refuse", categories: ["violence"] }));
    const refused = await client.generate();
    expect((await readError(refused)).error).toBe("provider_refused");
    stack.provider.behave(() => ({ kind: "image" }));
    expect(await client.money()).toEqual({ balance_eur: "0.64", held_eur: "0.00" });
    const { jobs } = await client.list();
    expect(jobs.map(({ kind, status }) => `${kind} ${status}`)).toEqual([
      "image failed",
      "image completed",
      "image completed",
      "story completed",
      "image completed",
    ]);
  });
}
