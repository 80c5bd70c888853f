import { createHash } from "node:crypto";
import { afterAll, describe, expect, test } from "vitest";
import { createDevelopmentCertificates } from "./development-certificates.ts";
import { InvalidImageError } from "./image-format.ts";
import { createMarkerPool } from "./marker-pool.ts";
import { claimGenerator, formats, request, sources } from "./testing/marker.ts";
import { verifyProvenance } from "./verify-provenance.ts";

const certificates = await createDevelopmentCertificates();
const trust = { trustAnchorsPem: certificates.rootPem };
const onError = (error: unknown) => {
  throw error;
};
const options = { ...certificates, ...trust, claimGenerator, threads: 2, onError };
const pool = await createMarkerPool(options);
afterAll(() => pool.close());

describe("marking in worker threads", () => {
  test("marks more images than threads and returns three trusted files for each", async () => {
    const requested = [...formats, ...formats];
    const marked = await Promise.all(
      requested.map((format) => pool.mark(request(sources[format]))),
    );
    expect(marked).toHaveLength(requested.length);
    for (const images of marked) {
      expect(images.map(({ format }) => format)).toEqual(["png", "jpeg", "webp", "thumbnail"]);
      for (const image of images) {
        expect([image.width, image.height]).toEqual([64, 48]);
        expect(image.sizeBytes).toBe(image.bytes.length);
        expect(image.sha256).toBe(createHash("sha256").update(image.bytes).digest("hex"));
        expect(await verifyProvenance(image.bytes, trust)).toMatchObject({
          state: "trusted",
          softwareAgent: "Acme One",
        });
      }
    }
  });

  test("includes references, and the input buffers stay usable", async () => {
    const image = Buffer.from(sources.png);
    const reference = Buffer.from(sources.jpeg);
    const ingredients = [{ bytes: reference, title: "style reference" }];
    const [png] = await pool.mark(request(image, { ingredients }));
    const report = await verifyProvenance(png?.bytes ?? new Uint8Array(), trust);
    expect(report.ingredients).toMatchObject([{ title: "style reference" }]);
    expect(image.equals(sources.png)).toBe(true);
    expect(reference.equals(sources.jpeg)).toBe(true);
  });

  test("accepts an image inside a larger buffer", async () => {
    const larger = Buffer.concat([Buffer.alloc(100), sources.png, Buffer.alloc(100)]);
    const middle = larger.subarray(100, 100 + sources.png.length);
    expect(await pool.mark(request(middle))).toHaveLength(4);
  });

  test("rejects incomplete image data and keeps the thread running", async () => {
    const cut = request(sources.png.subarray(0, sources.png.length - 20));
    const refused = await Promise.allSettled([cut, cut, cut].map((each) => pool.mark(each)));
    for (const result of refused) {
      expect(result).toMatchObject({ reason: expect.any(InvalidImageError) });
      expect(result).toMatchObject({ reason: { message: /cut|decoded|end/i } });
    }
    expect(await pool.mark(request(sources.png))).toHaveLength(4);
  });

  test("rejects with the signal's reason when aborted before or during marking", async () => {
    const reason = new Error("shutting down");
    const before = pool.mark(request(sources.png), AbortSignal.abort(reason));
    await expect(before).rejects.toBe(reason);
    const abort = new AbortController();
    const during = pool.mark(request(sources.png), abort.signal);
    abort.abort(reason);
    await expect(during).rejects.toBe(reason);
    expect(await pool.mark(request(sources.png))).toHaveLength(4);
  });
});

describe("stopping", () => {
  test("finishes images in progress and rejects queued ones", async () => {
    const stopping = await createMarkerPool({ ...options, threads: 1 });
    const first = stopping.mark(request(sources.png));
    const waiting = Promise.allSettled([1, 2, 3].map(() => stopping.mark(request(sources.png))));
    await stopping.close();
    expect(await first).toHaveLength(4);
    expect((await waiting).map(({ status }) => status)).toEqual([
      "rejected",
      "rejected",
      "rejected",
    ]);
  });

  test("processes queued images in order", async () => {
    const single = await createMarkerPool({ ...options, threads: 1 });
    const served: number[] = [];
    await Promise.all(
      [1, 2, 3, 4, 5].map(async (turn) => {
        await single.mark(request(sources.png));
        served.push(turn);
      }),
    );
    expect(served).toEqual([1, 2, 3, 4, 5]);
    await single.close();
  });
});

describe("starting the threads", () => {
  test("returns the expiry of the certificate", () => {
    expect(pool.certificateExpiresAt.getTime()).toBeGreaterThan(Date.now());
  });

  test("fails when the key does not match the certificate", async () => {
    const { privateKeyPem } = await createDevelopmentCertificates();
    await expect(createMarkerPool({ ...options, privateKeyPem })).rejects.toThrow(
      "The C2PA signing certificate cannot be used: the private key does not belong to the first",
    );
  });

  test("fails when no trust anchor covers the certificate", async () => {
    const { rootPem } = await createDevelopmentCertificates();
    await expect(createMarkerPool({ ...options, trustAnchorsPem: rootPem })).rejects.toThrow(
      /^The C2PA signing certificate cannot be used: The signed png is not trusted but /,
    );
  });
});
