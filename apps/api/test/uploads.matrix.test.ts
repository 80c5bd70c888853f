import { createHash, randomBytes } from "node:crypto";
import { verifyProvenance } from "@atelier/provenance/images";
import {
  generationResponse,
  jobAccepted,
  upload as uploadSchema,
  type UploadResponse,
  mintedKey,
} from "@atelier/schemas";
import { describeStacks, type Stack } from "@atelier/testing";
import sharp from "sharp";
import { beforeAll, describe, expect, it } from "vitest";
import { clientOf, createClient, image, readError, type Client } from "./support/client.ts";
import { openConnection } from "./support/connection.ts";
import { eventually } from "./support/eventually.ts";
import { holdCalls } from "./support/hold-calls.ts";

const environment = { UPLOAD_QUOTA_MB: "2", SWEEP_INTERVAL_SECONDS: "0.3" };

describeStacks("uploads", { environment }, (stackOf) => {
  let stack: Stack;
  let client: Client;
  let picture: Buffer;

  beforeAll(async () => {
    stack = stackOf();
    client = await createClient(stack);
    picture = await sharp({ create: { width: 64, height: 48, channels: 3, background: "#247" } })
      .png()
      .toBuffer();
  });

  function send(
    body: FormData | Uint8Array<ArrayBuffer>,
    headers: Record<string, string> = {},
    of = client,
  ) {
    return fetch(`${stack.url}/v1/uploads`, {
      method: "POST",
      headers: { Authorization: `Bearer ${of.account.key}`, ...headers },
      body,
    });
  }

  async function upload(bytes: Buffer = picture, type = "image/png", of = client) {
    const response = await send(new Uint8Array(bytes), { "Content-Type": type }, of);
    expect(response.status).toBe(201);
    return uploadSchema.parse(await response.json());
  }

  const flat = (width: number, height: number) =>
    sharp({ create: { width, height, channels: 3, background: "#247" } })
      .png()
      .toBuffer();

  const request = (method: string, id: string, of = client) =>
    stack.request(of.account, method, `/v1/uploads/${id}`);

  function expectPicture(stored: UploadResponse): void {
    expect(stored).toMatchObject({
      width: 64,
      height: 48,
      format: "png",
      size_bytes: picture.byteLength,
      hash: createHash("sha256").update(picture).digest("hex"),
    });
  }

  it("are stored as they are sent, and read by a signed URL", async () => {
    const stored = await upload();
    expectPicture(stored);
    const file = Buffer.from(await (await fetch(stored.url)).arrayBuffer());
    expect(file.equals(picture)).toBe(true);
    const again = uploadSchema.parse(await (await request("GET", stored.id)).json());
    expect(again).toMatchObject({ id: stored.id, hash: stored.hash });
    const keptHours = (Date.parse(stored.kept_until) - Date.now()) / 3_600_000;
    expect(Math.round(keptHours)).toBe(24);
  });

  it("may be a file of a form", async () => {
    const form = new FormData();
    form.set("file", new File([new Uint8Array(picture)], "picture.png", { type: "image/png" }));
    const response = await send(form);
    expect(response.status).toBe(201);
    expectPicture(uploadSchema.parse(await response.json()));
    const empty = new FormData();
    empty.set("note", "no file");
    expect((await send(empty)).status).toBe(400);
  });

  it.each([
    ["text", "image/png", 422, Buffer.from("this is a text and not an image at all")],
    ["an SVG", "image/svg+xml", 400, Buffer.from("<svg/>")],
    ["JSON", "application/json", 400, Buffer.from("{}")],
    ["nothing", "image/png", 422, Buffer.alloc(0)],
  ])("are refused for %s", async (_what, type, status, bytes) => {
    const own = await createClient(stack);
    const response = await send(new Uint8Array(bytes), { "Content-Type": type }, own);
    expect(response.status).toBe(status);
    await readError(response);
    expect(await bytesOf(own)).toBe(0);
  });

  it("are refused by their declared size before any byte is received", async () => {
    const connection = await openConnection(stack.url);
    connection.send(
      `POST /v1/uploads HTTP/1.1\r\nHost: atelier\r\nAuthorization: Bearer ${client.account.key}\r\n` +
        "Content-Type: image/png\r\nContent-Length: 20000001\r\n\r\n",
    );
    expect((await readError(await connection.answer())).error).toBe("request_too_large");
  });

  it("do not exceed the quota of an account together", async () => {
    const own = await createClient(stack);
    const noisy = await sharp(randomBytes(400 * 400 * 3), {
      raw: { width: 400, height: 400, channels: 3 },
    })
      .png({ compressionLevel: 0 })
      .toBuffer();
    const body = new Uint8Array(noisy);
    const headers = { "Content-Type": "image/png" };
    const responses = await Promise.all(Array.from({ length: 8 }, () => send(body, headers, own)));
    const stored = responses.filter(({ status }) => status === 201);
    expect(stored.length).toBeGreaterThan(0);
    expect(stored.length).toBe(Math.floor(2_000_000 / noisy.byteLength));
    for (const response of responses) {
      if (response.status === 201) continue;
      expect((await readError(response)).error).toBe("upload_quota_exceeded");
    }
    // Deleting one frees its part of the quota, when its file is gone: a sweep may be removing it.
    const { id } = uploadSchema.parse(await stored[0]?.json());
    expect((await request("DELETE", id, own)).status).toBe(204);
    const sendAgain = async () => (await send(body, headers, own)).status;
    await expect.poll(sendAgain).toBe(201);
  });

  it("are stored once for an Idempotency-Key, also when requests are concurrent", async () => {
    const own = await createClient(stack);
    const headers = { "Content-Type": "image/png", "Idempotency-Key": crypto.randomUUID() };
    const put = (bytes = picture) => send(new Uint8Array(bytes), headers, own);
    const twins = await Promise.all(Array.from({ length: 4 }, () => put()));
    expect(twins.map(({ status }) => status)).toEqual([201, 201, 201, 201]);
    const stored = await Promise.all(
      twins.map(async (response) => uploadSchema.parse(await response.json())),
    );
    expect(new Set(stored.map(({ id }) => id)).size).toBe(1);
    const replays = twins.filter((twin) => twin.headers.get("Idempotent-Replayed") === "true");
    expect(replays).toHaveLength(3);
    const form = new FormData();
    form.set("file", new File([new Uint8Array(picture)], "picture.png", { type: "image/png" }));
    const inForm = await send(form, { "Idempotency-Key": headers["Idempotency-Key"] }, own);
    expect(uploadSchema.parse(await inForm.json()).id).toBe(stored[0]?.id);
    expect(await bytesOf(own)).toBe(picture.byteLength);
    const reused = await put(await flat(20, 20));
    expect(reused.status).toBe(422);
    expect((await readError(reused)).error).toBe("idempotency_key_reused");
    expect(await bytesOf(own)).toBe(picture.byteLength);
    // The key of a deleted upload is free again, and that of another account is another key.
    expect((await request("DELETE", stored[0]?.id ?? "", own)).status).toBe(204);
    const [again, foreign] = [await put(), await send(new Uint8Array(picture), headers)];
    for (const response of [again, foreign]) {
      expect(response.status).toBe(201);
      expect(response.headers.has("Idempotent-Replayed")).toBe(false);
    }
  });

  it.each([{ scopes: ["generate"] }, { mode: "test" }])(
    "are stored for an Idempotency-Key of a key with %o, and refused for that of another key",
    async (settings) => {
      const own = await createClient(stack);
      const holders = await Promise.all(
        ["first", "second"].map(async (name) => {
          const body = { name, ...settings };
          const minted = await stack.request(own.account, "POST", "/v1/keys", body);
          const { id, key } = mintedKey.parse(await minted.json());
          return clientOf(stack, { ...own.account, keyId: id, key });
        }),
      );
      const headers = { "Content-Type": "image/png", "Idempotency-Key": "one-picture" };
      const answers = [];
      for (const holder of [...holders, ...holders]) {
        const response = await send(new Uint8Array(picture), headers, holder);
        answers.push(response.status);
      }
      const isShared = "mode" in settings;
      expect(answers).toEqual(isShared ? [201, 201, 201, 201] : [201, 422, 201, 422]);
    },
  );

  it("of an Idempotency-Key with different images at the same time are the first one", async () => {
    const own = await createClient(stack);
    const headers = { "Content-Type": "image/png", "Idempotency-Key": "two-images" };
    const pictures = await Promise.all([1, 2, 3, 4].map((side) => flat(10 * side, 10)));
    const responses = await Promise.all(
      pictures.map((bytes) => send(new Uint8Array(bytes), headers, own)),
    );
    const statuses = responses.map(({ status }) => status).toSorted((a, b) => a - b);
    expect(statuses).toEqual([201, 422, 422, 422]);
    const first = responses.find(({ status }) => status === 201);
    const { id } = uploadSchema.parse(await first?.json());
    expect((await request("GET", id, own)).status).toBe(200);
    const refused = await send(
      new Uint8Array(picture),
      { "Content-Type": "image/png", "Idempotency-Key": "two words" },
      own,
    );
    expect(refused.status).toBe(400);
  });

  it("of another account do not exist", async () => {
    const { id } = await upload();
    const other = await createClient(stack);
    expect((await request("GET", id, other)).status).toBe(404);
    expect((await request("DELETE", id, other)).status).toBe(404);
    const response = await other.generate({
      ...image,
      reference_images: [{ description: "it", upload_id: id }],
    });
    expect(response.status).toBe(422);
    expect((await readError(response)).error).toBe("reference_unreachable");
  });

  it("are gone with their file after DELETE", async () => {
    const { id, url } = await upload();
    expect((await request("DELETE", id)).status).toBe(204);
    expect((await request("GET", id)).status).toBe(404);
    expect((await fetch(url)).status).toBe(404);
    expect((await request("DELETE", id)).status).toBe(404);
  });

  it("are removed by the sweep when their time is over, with what was never recorded", async () => {
    const own = await createClient(stack);
    const expired = await upload(picture, "image/png", own);
    const unknownUpload = await upload(picture, "image/png", own);
    await stack.database.query(
      `UPDATE upload SET expires_at = now() - interval '1 s',
              storage_key = CASE WHEN id = $1 THEN storage_key END,
              format = CASE WHEN id = $1 THEN format END, sha256 = CASE WHEN id = $1 THEN sha256 END,
              width = CASE WHEN id = $1 THEN width END, height = CASE WHEN id = $1 THEN height END
        WHERE id IN ($1, $2)`,
      [expired.id, unknownUpload.id],
    );
    await eventually(
      () => bytesOf(own),
      (bytes) => bytes === 0,
    );
    for (const { url } of [expired, unknownUpload]) expect((await fetch(url)).status).toBe(404);
  });

  describe("as references", () => {
    const referring = (source: object) => ({
      ...image,
      reference_images: [{ description: "a blue area", ...source }],
    });

    it("are used by id and by URL, sanitised for the provider, and named in the manifest", async () => {
      const stored = await upload();
      for (const source of [{ upload_id: stored.id }, { url: stored.url }]) {
        const response = await client.generate(referring(source));
        expect(response.status).toBe(200);
        expect(stack.provider.calls.at(-1)?.references).toBe(1);
        const { image_url, id } = generationResponse.parse(await response.json());
        const bytes = Buffer.from(await (await fetch(image_url ?? "")).arrayBuffer());
        const report = await verifyProvenance(bytes, { trustAnchorsPem: stack.trustAnchorsPem });
        expect(report).toMatchObject({ state: "trusted", ingredients: [expect.anything()] });
        expect((await client.read(id)).request).toMatchObject({ reference_images: [{}] });
      }
    });

    it("keep the manifest of an earlier image as an ingredient", async () => {
      const first = generationResponse.parse(await (await client.generate()).json());
      const file = Buffer.from(await (await fetch(first.image_url ?? "")).arrayBuffer());
      const { id } = await upload(file);
      const second = generationResponse.parse(
        await (await client.generate(referring({ upload_id: id }))).json(),
      );
      const bytes = Buffer.from(await (await fetch(second.image_url ?? "")).arrayBuffer());
      expect(bytes.byteLength).toBeGreaterThan(file.byteLength);
    });

    it("may be an image of an earlier job", async () => {
      const first = generationResponse.parse(
        await (await client.generate({ ...image, n: 2 })).json(),
      );
      const second = await client.generate(referring({ job_id: first.id, image: 1 }));
      expect(second.status).toBe(200);
      const third = await client.generate(referring({ job_id: first.id, image: 2 }));
      expect(third.status).toBe(422);
      expect((await readError(third)).error).toBe("reference_unreachable");
    });

    it("are shown in the result of a story, like images of jobs, while they exist", async () => {
      const mira = await upload();
      const beach = generationResponse.parse(await (await client.generate()).json());
      const body = {
        model: image.model,
        characters: [
          {
            name: "Mira",
            description: "a woman in a green coat",
            reference: { upload_id: mira.id },
            states: { rain: { description: "in a raincoat", reference: { url: mira.url } } },
          },
        ],
        locations: [{ name: "Beach", description: "a beach", reference: { job_id: beach.id } }],
        scenes: [
          { prompt: "Mira waves", characters: [{ name: "Mira" }] },
          { prompt: "Mira runs", characters: [{ name: "Mira", state: "rain" }] },
        ],
      };
      const accepted = await stack.request(client.account, "POST", "/v1/generate/story", body);
      const { job_id: jobId } = jobAccepted.parse(await accepted.json());
      const { status, result } = await client.untilFinal(jobId);
      expect(status).toBe("completed");
      const [portrait, state] = result?.characters ?? [];
      expect(state).toEqual({
        name: "Mira",
        state: "rain",
        reference_url: mira.url,
        expires_at: null,
      });
      for (const [shown, sha256] of [
        [portrait, mira.hash],
        [result?.locations?.[0], beach.image_hash],
      ] as const) {
        const bytes = await (await fetch(shown?.reference_url ?? "")).arrayBuffer();
        expect(createHash("sha256").update(Buffer.from(bytes)).digest("hex")).toBe(sha256);
        expect(Date.parse(shown?.expires_at ?? "")).toBeGreaterThan(Date.now());
      }
      expect((await request("DELETE", mira.id)).status).toBe(204);
      await stack.request(client.account, "DELETE", `/v1/jobs/${beach.id}/images`);
      const later = await client.read(jobId);
      expect(later.result?.characters?.[0]).toEqual({ name: "Mira" });
      expect(later.result?.locations).toEqual([{ name: "Beach" }]);
      const listed = await client.list("?kind=story");
      expect(listed.jobs[0]?.result?.locations).toEqual([{ name: "Beach" }]);
    });

    it("stay until the job that uses them is done, also when they are deleted", async () => {
      const stored = await upload();
      const held = holdCalls(stack.provider);
      const jobId = await client.accept(referring({ upload_id: stored.id }));
      await held.called;
      expect((await request("DELETE", stored.id)).status).toBe(204);
      expect((await fetch(stored.url)).status).toBe(200);
      expect((await client.generate(referring({ upload_id: stored.id }))).status).toBe(422);
      held.release();
      stack.provider.behave(() => ({ kind: "image" }));
      expect(await client.untilFinal(jobId)).toMatchObject({ status: "completed" });
      await eventually(
        async () => (await fetch(stored.url)).status,
        (status) => status === 404,
      );
    });

    it("that do not decode fail the job, without a charge", async () => {
      const own = await createClient(stack);
      const damaged = Buffer.concat([picture.subarray(0, 60), randomBytes(200)]);
      const { id } = await upload(damaged, "image/png", own);
      const response = await own.generate(referring({ upload_id: id }));
      expect(response.status).toBe(422);
      expect((await readError(response)).error).toBe("reference_invalid");
      expect(await own.money()).toEqual({ balance_eur: "10.00", held_eur: "0.00" });
    });

    it("that did not decode are refused the next time, without a job", async () => {
      const own = await createClient(stack);
      const truncated = picture.subarray(0, picture.length - 40);
      const { id, url } = await upload(truncated, "image/png", own);
      const first = await own.generate(referring({ upload_id: id }));
      expect([first.status, first.headers.has("X-Service-Job-Id")]).toEqual([422, true]);
      for (const source of [{ upload_id: id }, { url }]) {
        const second = await own.generate(referring(source));
        expect([second.status, second.headers.has("X-Service-Job-Id")]).toEqual([422, false]);
        expect(await readError(second)).toMatchObject({
          error: "reference_invalid",
          details: [{ reason: "undecodable" }],
        });
      }
    });

    it("with too many pixels to edit are refused before a job is accepted", async () => {
      const { id } = await upload(await flat(5_000, 5_000));
      const body = { model: "builtin-illustrator", prompt: "a lake", image: { upload_id: id } };
      const response = await stack.request(client.account, "POST", "/v1/generate/edit", body);
      expect([response.status, response.headers.has("X-Service-Job-Id")]).toEqual([422, false]);
      expect(await readError(response)).toMatchObject({
        error: "reference_invalid",
        details: [{ path: "image", reason: "too_many_pixels" }],
      });
    });

    it("cost one request of the rate limit for every megapixel beyond the first", async () => {
      const own = await createClient(stack);
      const { id } = await upload(await flat(5_000, 4_000), "image/png", own);
      const job = await own.accept(referring({ upload_id: id }));
      const [bucket] = await stack.database.query<{ seconds: number }>(
        `SELECT extract(epoch FROM theoretical_arrival_at - generation.created_at)::float8 AS seconds
           FROM rate_limit, generation
          WHERE key = 'generate' || ':' || $1 AND generation.id = $2`,
        [own.account.keyId, job],
      );
      // 300 requests a minute: 20 of them refill in 4 s, from a moment after the job was accepted.
      expect(bucket!.seconds).toBeGreaterThan(3.5);
      expect(bucket!.seconds).toBeLessThan(8);
    });

    it("are refused as data: URLs, with a message that names uploads", async () => {
      const response = await client.generate(referring({ url: "data:image/png;base64,iVBORw0K" }));
      expect(response.status).toBe(400);
      expect((await readError(response)).message).toContain("POST /v1/uploads");
    });

    it.each([
      [{}],
      [{ url: "https://example.com/a.png", upload_id: crypto.randomUUID() }],
      [{ upload_id: crypto.randomUUID(), image: 1 }],
    ])("must have exactly one source, not %j", async (source) => {
      expect((await client.generate(referring(source))).status).toBe(400);
    });
  });

  /** Quota that the uploads of an account use. */
  async function bytesOf({ account }: Client): Promise<number> {
    const [used] = await stack.database.query<{ bytes: bigint }>(
      "SELECT coalesce(sum(size_bytes), 0)::bigint AS bytes FROM upload WHERE account_id = $1",
      [account.accountId],
    );
    return Number(used?.bytes ?? 0);
  }
});
