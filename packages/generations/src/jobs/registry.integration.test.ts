import { createHash } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { finishRender } from "../endings/finish.ts";
import {
  findByFileHash,
  findByPerceptualHash,
  findByWatermark,
  registerOlderImages,
} from "./registry.ts";
import { imagesOf, openFixture, type Fixture } from "../testing/fixture.ts";

const answer = { callId: "019a9f30-9c1d-7a55-8e20-5b7c1d2e3f40" };
const sha = (text: string) => createHash("sha256").update(text).digest("hex");

describe("the registry", () => {
  let fixture: Fixture;

  beforeAll(async () => {
    fixture = await openFixture();
  });

  afterAll(() => fixture.close());

  async function make(name: string, watermarkId: string | null) {
    const { renders } = await fixture.accept();
    const claim = await fixture.claim(renders[0]);
    const images = imagesOf(claim).map((image) => ({
      ...image,
      sha256: sha(`${name}.${image.format}`),
    }));
    await finishRender(fixture.database, claim, images, answer, {
      watermarkId,
      perceptualHash: sha(name),
      parentWatermarks: ["00000000000000aa"],
      synthetic: "composite",
      hasDossier: true,
    });
    return claim.renderId;
  }

  it("finds an image by the hash of each file and by its watermark once its render is done", async () => {
    const renderId = await make("fox", "00000000000000f0");
    const found = { renderId, formats: ["png", "jpeg", "webp"], synthetic: "composite" };
    for (const format of found.formats) {
      expect(await findByFileHash(fixture.database, sha(`fox.${format}`))).toMatchObject(found);
    }
    expect(await findByWatermark(fixture.database, "00000000000000f0", sha("fox"))).toMatchObject({
      ...found,
      distance: 0,
    });
    expect(await findByFileHash(fixture.database, sha("other"))).toBeNull();
    expect(await findByWatermark(fixture.database, "00000000000000f1", sha("fox"))).toBeNull();
  });

  it("finds images that look alike, up to 15 different bits, wherever they are", async () => {
    const renderId = await make("owl", null);
    const flip = (bits: readonly number[]) =>
      bits
        .reduce((hash, bit) => hash ^ (1n << BigInt(bit)), BigInt(`0x${sha("owl")}`))
        .toString(16)
        .padStart(64, "0");
    const everySlice = Array.from({ length: 15 }, (_, slice) => 16 * slice + (slice % 16));
    expect(await findByPerceptualHash(fixture.database, flip(everySlice))).toMatchObject({
      renderId,
      distance: 15,
    });
    expect(await findByPerceptualHash(fixture.database, flip([...everySlice, 255]))).toBeNull();
    expect(await findByPerceptualHash(fixture.database, sha("unrelated"))).toBeNull();
  });

  it("takes in images that were made before there was a registry, once", async () => {
    const renderId = await make("hen", null);
    await fixture.database.query("DELETE FROM mark WHERE render_id = $1", [renderId]);
    await fixture.database.query("DELETE FROM mark_file WHERE render_id = $1", [renderId]);
    expect(await registerOlderImages(fixture.database, 1_000)).toBe(1);
    expect(await registerOlderImages(fixture.database, 1_000)).toBe(0);
    expect(await findByFileHash(fixture.database, sha("hen.png"))).toMatchObject({
      renderId,
      synthetic: null,
    });
  });
});
