import sharp from "sharp";
import { describe, expect, it, onTestFinished } from "vitest";
import { decodeDossier } from "./dossier.ts";
import { InvalidImageError } from "./image-format.ts";
import { createInspector, type Inspector, type InspectorOptions } from "./inspector.ts";
import { createMarker } from "./marker.ts";
import { createDevelopmentCertificates } from "./development-certificates.ts";
import { joinPng, noise, splitPng } from "./testing/images.ts";
import { claimGenerator, request } from "./testing/marker.ts";

const certificates = await createDevelopmentCertificates();
const trustAnchorsPem = certificates.rootPem;
const watermarkSecrets = ["the secret of this installation"];
const limits = {
  trustAnchorsPem,
  ownSigners: [],
  watermarkSecrets,
  maxPixels: 40_000_000,
  limits: { cpuMs: 20_000, maxResidentBytes: 600_000_000 },
};

function open(changes: Partial<InspectorOptions> = {}): Inspector {
  const inspector = createInspector({ ...limits, ...changes });
  onTestFinished(() => inspector.close());
  return inspector;
}

const white = { channels: 3, background: "#fff" } as const;

describe("an inspector of untrusted images", { timeout: 240_000 }, () => {
  it("reads manifest and watermark in a process without secrets and a thread", async () => {
    const marker = await createMarker({
      ...certificates,
      trustAnchorsPem,
      claimGenerator,
      watermarkSecrets,
    });
    const source = await noise({ width: 320, height: 320 }).png().toBuffer();
    const [png] = await marker.mark(request(source));
    const { traces, marks } = await open().inspect(png!.bytes);
    expect(traces).toMatchObject({
      sha256: png!.sha256,
      perceptualHash: png!.softBinding.perceptualHash,
      report: { state: "trusted", watermarkId: png!.softBinding.watermarkId },
    });
    expect(marks?.map(({ id }) => id)).toEqual([png!.softBinding.watermarkId]);
    const { look } = decodeDossier(png!.dossier);
    expect(await marks?.[0]?.judge(look!)).toBe("same");
    const withoutSecret = await open({ watermarkSecrets: [] }).inspect(png!.bytes);
    expect(withoutSecret.marks).toBeNull();
  });

  it.each(["avif", "gif"] as const)(
    "rejects an %s beyond its limit of pixels",
    { tags: "full" },
    async (format) => {
      const create = { width: 300, height: 200, channels: 3, background: "#369" } as const;
      const bytes = await sharp({ create }).toFormat(format).toBuffer();
      const { traces } = await open({ maxPixels: 60_000 }).inspect(bytes);
      expect(traces).toMatchObject({
        report: { state: "absent" },
        perceptualHash: expect.any(String),
      });
      await expect(open({ maxPixels: 59_999 }).inspect(bytes)).rejects.toThrow(InvalidImageError);
    },
  );

  it.each([
    ["a damaged AVIF", "\0\0\0\x18ftypavif\0\0\0\0avifmif1"],
    ["a damaged GIF", "GIF89a\x40\0\x40\0"],
    ["a TIFF", "II*\0\x08\0\0\0"],
    ["a HEIC", "\0\0\0\x18ftypheic\0\0\0\0mif1heic"],
  ])("rejects %s", async (_, start) => {
    const bytes = Buffer.from(start.padEnd(64, "\0"), "latin1");
    await expect(open().inspect(bytes)).rejects.toThrow(InvalidImageError);
  });

  it(
    "inspects images of 40 megapixels with alpha within its limits, and rejects larger ones",
    { tags: "full" },
    async () => {
      const inspector = open();
      const create = { width: 8_000, height: 5_000, channels: 4, background: "#33669980" } as const;
      const png = await sharp({ create }).png({ compressionLevel: 1 }).toBuffer();
      const { traces } = await inspector.inspect(png);
      expect(traces.report.state).toBe("absent");
      const [header, ...others] = splitPng(png);
      const wider = Buffer.from(header!.data);
      wider.writeUInt32BE(8_001, 0);
      const larger = joinPng([{ ...header!, data: wider }, ...others]);
      await expect(inspector.inspect(larger)).rejects.toThrow(/pixel/);
    },
  );

  it("rejects an image that exceeds a limit, and inspects the next", async () => {
    const image = await noise().png().toBuffer();
    await expect(
      open({ limits: { ...limits.limits, maxResidentBytes: 1 } }).inspect(image),
    ).rejects.toThrow(/memory/);
    const large = await sharp({ create: { ...white, width: 6_000, height: 6_000 } })
      .png()
      .toBuffer();
    const slow = open({ limits: { ...limits.limits, cpuMs: 10, wallMs: 3_600_000 } });
    await expect(slow.inspect(large)).rejects.toThrow(/CPU time/);
    const busy = open({ limits: { ...limits.limits, startMs: 1 } });
    await expect(busy.inspect(large)).rejects.toMatchObject({ name: "LimitError", reason: "busy" });
    const inspector = open();
    const damaged = inspector.inspect(image.subarray(0, image.length / 2));
    const next = inspector.inspect(image);
    await expect(damaged).rejects.toThrow(InvalidImageError);
    expect((await next).traces.report.state).toBe("absent");
  });
});
