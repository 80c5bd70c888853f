import { randomUUID } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { gunzipSync } from "node:zlib";
import { archiveJobs } from "@atelier/generations/archive";
import { ageJob } from "@atelier/generations/testing";
import { batch, generationResponse, openaiErrorBody, openaiImages } from "@atelier/schemas";
import { createStorage } from "@atelier/storage";
import { assertInvariants, shareStack, type Stack } from "@atelier/testing";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createClient, image, readError, type Client } from "./support/client.ts";
import { eventually } from "./support/eventually.ts";
import { differencesOf, flat, makePictures } from "./support/pictures.ts";
import { startSecondApi } from "./support/second-api.ts";

let stack: Stack;
let client: Client;
let picture: Buffer;
let mask: Buffer;

beforeAll(async () => {
  stack = await shareStack();
  client = await createClient(stack);
  ({ picture, mask } = await makePictures());
});

afterAll(() => stack?.stop());

/** A PNG that cannot be compressed. */
function noise(width: number, height: number): Promise<Buffer> {
  const grain = { type: "gaussian", mean: 128, sigma: 60 } as const;
  return sharp({ create: { width, height, channels: 3, background: "#808080", noise: grain } })
    .png()
    .toBuffer();
}

const dataUrl = (bytes: Buffer, type = "image/png") =>
  `data:${type};base64,${bytes.toString("base64")}`;

/** Waits until no upload of an account is left; they are removed after the response. */
async function expectNoUploads({ account }: Client): Promise<void> {
  const count = () =>
    stack.database.query<{ uploads: number }>(
      "SELECT count(*)::int AS uploads FROM upload WHERE account_id = $1",
      [account.accountId],
    );
  await eventually(count, ([counted]) => counted?.uploads === 0);
}

describe("POST /v1/images/edits takes an image in JSON", () => {
  const edit = { model: "builtin-illustrator", prompt: "a blue lake", response_format: "b64_json" };
  const send = (body: object, headers: Record<string, string> = {}, of = client) =>
    stack.request(of.account, "POST", "/v1/images/edits", { ...edit, ...body }, headers);

  it.each([
    ["as a data: URL", () => ({ images: [{ image_url: dataUrl(picture) }] })],
    ["as a data: URL in an object", () => ({ images: [{ image_url: { url: dataUrl(picture) } }] })],
    ["as a text of images", () => ({ images: [dataUrl(picture, "application/octet-stream")] })],
    ["as image", () => ({ image: dataUrl(picture) })],
    ["as base64 in a list of image", () => ({ image: [picture.toString("base64")] })],
  ])("%s, changes it inside the mask, and keeps nothing of both", async (_name, sent) => {
    const response = await send({ ...sent(), mask: { image_url: dataUrl(mask) } });
    const answer: unknown = await response.json();
    expect({ status: response.status, answer }).toMatchObject({ status: 200 });
    const [edited] = openaiImages.parse(answer).data;
    const { left, right } = await differencesOf(picture, edited?.b64_json);
    expect(left).toBeLessThan(2);
    expect(right).toBeGreaterThan(20);
    await expectNoUploads(client);
  });

  it("and leaves other parameters as they are", async () => {
    const extra = { url: "data:text/plain,hello", image_url: [dataUrl(picture)] };
    const response = await send({ image: dataUrl(picture), extra });
    expect(response.status).toBe(200);
    expect(response.headers.get("Atelier-Ignored")).toBe("extra");
  });

  it("up to 16 times", async () => {
    const images = await Promise.all(
      Array.from({ length: 16 }, async (_, index) => dataUrl(await flat(20, 20 + index, "#345"))),
    );
    expect((await send({ images })).status).toBe(200);
    const refused = await send({ images: [...images, ...images] });
    expect(refused.status).toBe(400);
  });

  it("of more than 1 MB, and returns the same job for the same idempotency key", async () => {
    const large = await noise(900, 900);
    expect(large.byteLength).toBeGreaterThan(1_500_000);
    const own = await createClient(stack);
    const headers = { "Idempotency-Key": "photo-1" };
    const jobs = [];
    for (const name of ["image", "images"]) {
      const response = await send({ [name]: [dataUrl(large)] }, headers, own);
      expect(response.status).toBe(200);
      jobs.push(response.headers.get("X-Service-Job-Id"));
    }
    expect(new Set(jobs).size).toBe(1);
    const other = await send({ image: dataUrl(picture) }, headers, own);
    expect(openaiErrorBody.parse(await other.json()).error.code).toBe("idempotency_key_reused");
    await expectNoUploads(own);
  });

  it.each([
    [
      "a GIF",
      () => ({ image: dataUrl(Buffer.from("GIF89a-and-some-more-bytes-of-it"), "image/gif") }),
    ],
    ["text", () => ({ image: "data:text/plain,hello" })],
  ])("and refuses %s", async (_name, body) => {
    const response = await send(body());
    expect(response.status).toBe(400);
    const { error } = openaiErrorBody.parse(await response.json());
    expect(error.param).toBe("image");
  });

  it("and refuses a large one before it is received when the account cannot pay for it", async () => {
    const poor = await createClient(stack, "0.00");
    const body = JSON.stringify({ ...edit, image: dataUrl(Buffer.alloc(2_000_000, picture)) });
    const response = await fetch(`${stack.url}/v1/images/edits`, {
      method: "POST",
      headers: {
        Authorization: `Bearer ${poor.account.key}`,
        "Content-Type": "application/json",
      },
      body,
    });
    expect(response.status).toBe(402);
    await expectNoUploads(poor);
  });
});

describe("POST /v1/generate/edit takes an image", () => {
  const edit = { model: "builtin-illustrator", prompt: "a blue lake" };
  const inBase64 = (bytes: Buffer) => ({ base64: bytes.toString("base64") });

  it.each([
    ["in base64", () => ({ image: inBase64(picture), mask: inBase64(mask) })],
    [
      "as a data: URL in base64",
      () => ({ image: { base64: dataUrl(picture) }, mask: inBase64(mask) }),
    ],
  ])("%s, which the job shows as an upload, and keeps nothing of it", async (_name, images) => {
    const { id, request } = await madeBy({ ...edit, ...images() });
    expect(request).toMatchObject({
      image: { upload_id: expect.stringMatching(/^[0-9a-f-]{36}$/) as string },
      mask: { upload_id: expect.stringMatching(/^[0-9a-f-]{36}$/) as string },
    });
    expect(await differencesOfJob(id)).toEqual({ left: true, right: true });
    await expectNoUploads(client);
  });

  it("as a file of a form, whose texts are the other parameters", async () => {
    const form = new FormData();
    const fields = { ...edit, n: "2", seed: "42", strength: "0.5", metadata: '{"order":"A-1"}' };
    for (const unfilled of ["negative_prompt", "steps", "title"]) form.set(unfilled, "");
    for (const [name, text] of Object.entries(fields)) form.set(name, text);
    form.set("image", new Blob([new Uint8Array(picture)]), "photo.png");
    form.set("mask", new Blob([new Uint8Array(mask)]), "mask.png");
    const { id, request } = await madeBy(form);
    expect(request).toMatchObject({ n: 2, seed: 42, strength: 0.5 });
    expect((await client.read(id)).metadata).toEqual({ order: "A-1" });
    expect(await differencesOfJob(id)).toEqual({ left: true, right: true });
    await expectNoUploads(client);
  });

  it.each([
    ["another file", "photo", "unknown_property"],
    ["a text in place of the image", "", "invalid_type"],
  ])("and refuses a form with %s", async (_name, name, code) => {
    const form = new FormData();
    for (const [field, text] of Object.entries({ ...edit, image: "text" })) form.set(field, text);
    if (name !== "") form.set(name, new Blob([new Uint8Array(picture)]), "photo.png");
    const response = await sendTo("edit", form);
    expect(response.status).toBe(400);
    expect(await readError(response)).toMatchObject({ details: [{ code }] });
  });

  it("and gives the same job for the same image and idempotency key, and 422 for another", async () => {
    const headers = { "Idempotency-Key": "native-photo" };
    const send = (bytes: Buffer) =>
      sendTo("edit", { ...edit, image: inBase64(bytes) }, client, headers);
    const [first, again, other] = [await send(picture), await send(picture), await send(mask)];
    expect([first.status, again.status, other.status]).toEqual([200, 200, 422]);
    expect(again.headers.get("X-Service-Job-Id")).toBe(first.headers.get("X-Service-Job-Id"));
    expect(again.headers.get("Idempotent-Replayed")).toBe("true");
    await expectNoUploads(client);
  });

  it("and says what to do with a HEIC photograph", async () => {
    const bytes = Buffer.concat([Buffer.from("\0\0\0\x18ftypheic"), Buffer.alloc(60)]);
    const upload = await fetch(`${stack.url}/v1/uploads`, {
      method: "POST",
      headers: { Authorization: `Bearer ${client.account.key}`, "Content-Type": "image/heic" },
      body: new Uint8Array(bytes),
    });
    for (const refused of [await sendTo("edit", { ...edit, image: inBase64(bytes) }), upload]) {
      expect(refused.status).toBe(422);
      expect((await readError(refused)).message).toContain("is a HEIC photograph. Save it as JPEG");
    }
  });

  it("and deletes it at once when the request is refused", async () => {
    const own = await createClient(stack);
    const refused = await sendTo("edit", { ...edit, strength: 2, image: inBase64(picture) }, own);
    expect(refused.status).toBe(400);
    const tooPoor = await createClient(stack, "0.00");
    const unpaid = await sendTo("edit", { ...edit, image: inBase64(picture) }, tooPoor);
    expect(unpaid.status).toBe(402);
    await expectNoUploads(own);
    await expectNoUploads(tooPoor);
  });

  async function madeBy(body: object | FormData) {
    const response = await sendTo("edit", body);
    const answer: unknown = await response.json();
    expect({ status: response.status, answer }).toMatchObject({ status: 200 });
    const { id } = generationResponse.parse(answer);
    return { id, request: (await client.read(id)).request };
  }

  /** Whether the left half of the result of a job is the picture's, and the right half is not. */
  async function differencesOfJob(id: string) {
    const { result } = await client.read(id);
    const file = await fetch(result?.image_url ?? "");
    const edited = Buffer.from(await file.arrayBuffer()).toString("base64");
    const { left, right } = await differencesOf(picture, edited);
    return { left: left < 2, right: right > 20 };
  }
});

/** Sends JSON or a form to an operation. */
function sendTo(
  operation: string,
  body: object | FormData,
  { account }: Client = client,
  headers: Record<string, string> = {},
) {
  const path = `/v1/generate/${operation}`;
  if (!(body instanceof FormData)) return stack.request(account, "POST", path, body, headers);
  const authorization = { Authorization: `Bearer ${account.key}`, ...headers };
  return fetch(`${stack.url}${path}`, { method: "POST", headers: authorization, body });
}

it("an image in a chunked body needs only quota for its own size", async () => {
  const { url } = await startSecondApi(stack, { UPLOAD_QUOTA_MB: "1" });
  const large = await noise(560, 560);
  expect(large.byteLength).toBeGreaterThan(800_000);
  const body = { model: "builtin-illustrator", prompt: "a lake", image: dataUrl(large) };
  const response = await fetch(`${url}/v1/images/edits`, {
    method: "POST",
    headers: { Authorization: `Bearer ${client.account.key}`, "Content-Type": "application/json" },
    body: new Blob([JSON.stringify(body)]).stream(),
    duplex: "half",
  });
  expect({ status: response.status, error: await response.json() }).toMatchObject({ status: 200 });
});

describe("an image in base64 is refused with a message that names uploads in", () => {
  const body = () => ({
    ...image,
    reference_images: [{ description: "a", base64: "iVBORw0KGgo=" }],
  });

  it.each([
    ["a preset", "/v1/presets", () => ({ name: "photo", operation: "image", request: body() })],
    [
      "a character",
      "/v1/characters",
      () => ({ name: "Mira", description: "a girl", reference: { base64: "iVBORw0KGgo=" } }),
    ],
    [
      "a large request",
      "/v1/quotes",
      () => ({ operation: "image", request: "x".repeat(2_000_000) }),
    ],
  ])("%s", async (_name, path, made) => {
    const response = await stack.request(client.account, "POST", path, made());
    expect([400, 413]).toContain(response.status);
    expect((await readError(response)).message).toContain("POST /v1/uploads");
  });

  it("a line of a batch", async () => {
    const requests = [{ operation: "image", body: body() }];
    const response = await stack.request(client.account, "POST", "/v1/batches", { requests });
    const { id } = batch.parse(await response.json());
    const read = async () =>
      batch.parse(await (await stack.request(client.account, "GET", `/v1/batches/${id}`)).json());
    await eventually(read, ({ completed_at }) => completed_at !== null);
    const results = await stack.request(client.account, "GET", `/v1/batches/${id}/results`);
    expect(await results.text()).toContain("POST /v1/uploads");
  });

  it("a call of a tool", async () => {
    const response = await stack.request(
      client.account,
      "POST",
      "/mcp",
      {
        jsonrpc: "2.0",
        id: 1,
        method: "tools/call",
        params: { name: "generate_image", arguments: body() },
      },
      { Accept: "application/json, text/event-stream" },
    );
    expect(await response.text()).toContain("send the image to upload_image");
  });
});

describe("the bytes of an image in a request are nowhere", () => {
  /** Searches all tables, and all files: logs, storage and archive. */
  async function find(needles: readonly Buffer[]): Promise<string[]> {
    const tables = await stack.database.query<{ name: string }>(
      `SELECT format('%I.%I', table_schema, table_name) AS name FROM information_schema.tables
        WHERE table_type = 'BASE TABLE' AND table_schema NOT IN ('pg_catalog', 'information_schema')`,
    );
    const texts = needles.flatMap((needle) => [needle.toString("latin1"), needle.toString("hex")]);
    const found: string[] = [];
    for (const { name } of tables) {
      const rows = await stack.database.query(
        `SELECT FROM ${name} AS one
          WHERE EXISTS (SELECT FROM unnest($1::text[]) AS text WHERE strpos(one::text, text) > 0) LIMIT 1`,
        [texts.filter((text) => /^[\x20-\x7e]+$/.test(text))],
      );
      if (rows.length > 0) found.push(name);
    }
    const folder = dirname(
      fileURLToPath(stack.environment["STORAGE_URL"]?.replace("file:", "file://") ?? ""),
    );
    for (const file of await readdir(folder, { recursive: true, withFileTypes: true })) {
      if (!file.isFile()) continue;
      const bytes = await readFile(join(file.parentPath, file.name)).catch(() => Buffer.alloc(0));
      const content = file.name.endsWith(".gz") ? gunzipSync(bytes) : bytes;
      if (needles.some((needle) => content.includes(needle))) found.push(file.name);
    }
    return found;
  }

  it("in rows, logs, queue, storage, export and archive after its job", async () => {
    const own = await createClient(stack);
    const bytes = await noise(64, 48);
    const prompt = `a lake ${randomUUID()}`;
    const base64 = bytes.toString("base64");
    const native = await sendTo(
      "edit",
      { model: "builtin-illustrator", prompt, image: { base64 } },
      own,
    );
    expect(native.status).toBe(200);
    const compatible = await stack.request(own.account, "POST", "/v1/images/edits", {
      model: "builtin-illustrator",
      prompt,
      response_format: "url",
      image: dataUrl(bytes),
    });
    expect(openaiImages.parse(await compatible.json()).data).toHaveLength(1);
    const refused = await sendTo("edit", { model: "none", prompt, image: { base64 } }, own);
    expect(refused.status).toBe(404);
    await expectNoUploads(own);

    const { jobs } = await own.list();
    expect(jobs).toHaveLength(2);
    for (const { id } of jobs) {
      await ageJob(stack.database, id, Date.now() - 100 * 86_400_000);
    }
    const storage = await createStorage({
      url: stack.environment["STORAGE_URL"] ?? "",
      publicUrl: "http://localhost",
      signingSecret: "a secret that is only for tests and long enough",
    });
    const before = new Date(Date.now() - 31 * 86_400_000).toISOString().slice(0, 7);
    const stores = { database: stack.database, storage };
    await archiveJobs(stores, { before, withTexts: true });
    await assertInvariants(stack.database);
    await storage.close();
    const exported = await stack.request(own.account, "GET", "/v1/account/export");
    const text = await exported.text();
    expect(text).toContain(prompt);
    expect(text).not.toContain(base64.slice(4_000, 4_040));

    const middle = Buffer.from(base64.slice(4_000, 4_040), "base64");
    expect(await find([middle, Buffer.from(base64.slice(4_000, 4_040))])).toEqual([]);
    // The search finds what is there.
    expect(await find([Buffer.from(prompt)])).not.toEqual([]);
  });
});
