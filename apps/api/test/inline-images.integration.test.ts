import { openaiErrorBody, openaiImages } from "@atelier/schemas";
import { shareStack, type Stack } from "@atelier/testing";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { createClient, type Client } from "./support/client.ts";
import { eventually } from "./support/eventually.ts";
import { differencesOf, flat, makePictures } from "./support/pictures.ts";

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
  ])("%s, changes it inside the mask, and keeps nothing of both", async (_name, image) => {
    const response = await send({ ...image(), mask: { image_url: dataUrl(mask) } });
    const answer: unknown = await response.json();
    expect({ status: response.status, answer }).toMatchObject({ status: 200 });
    const [edited] = openaiImages.parse(answer).data;
    const { left, right } = await differencesOf(picture, edited?.b64_json);
    expect(left).toBeLessThan(2);
    expect(right).toBeGreaterThan(20);
    await expectNoUploads(client);
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
    const noise = await sharp({
      create: {
        width: 900,
        height: 900,
        channels: 3,
        background: "#808080",
        noise: { type: "gaussian", mean: 128, sigma: 60 },
      },
    })
      .png()
      .toBuffer();
    expect(noise.byteLength).toBeGreaterThan(1_500_000);
    const own = await createClient(stack);
    const headers = { "Idempotency-Key": "photo-1" };
    const jobs = [];
    for (const name of ["image", "images"]) {
      const response = await send({ [name]: [dataUrl(noise)] }, headers, own);
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
