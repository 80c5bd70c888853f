import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { ImageFile, ProviderOutcome, ProviderRequest } from "../../../provider.ts";
import { callAdapter, makeReferences } from "../call-adapter.ts";
import type { ProtocolServer } from "../protocol-server.ts";
import type { ContractTable } from "./contract-table.ts";
import { readForm } from "../read-form.ts";
import { findSentMask } from "./find-sent-mask.ts";
import type { ProviderContract } from "./provider-contract.ts";
import type { Row } from "./rows.ts";

const size = { width: 192, height: 128 };
const grey = { ...size, channels: 3 as const };

/**
 * Runs an adapter against its vendor's protocol server for every operation and option besides
 * images of a prompt. What the provider does not support must be refused without a call.
 */
export function describeOperations(contract: ProviderContract, table: ContractTable): void {
  const { supports } = contract;

  describe(`operations of ${contract.name}`, { timeout: 60_000 }, () => {
    let server: ProtocolServer;
    let image: ImageFile;
    /** The right half is white. */
    let mask: Buffer;

    beforeAll(async () => {
      server = await contract.start();
      const bytes = await sharp({ create: { ...grey, background: "#c03020" } })
        .png()
        .toBuffer();
      image = { bytes, mediaType: "image/png" };
      const half = { width: size.width / 2, height: size.height, channels: 3 as const };
      const white = await sharp({ create: { ...half, background: "#fff" } })
        .png()
        .toBuffer();
      mask = await sharp({ create: { ...grey, background: "#000" } })
        .composite([{ input: white, left: size.width / 2, top: 0 }])
        .toColourspace("b-w")
        .png()
        .toBuffer();
    });
    afterAll(() => server.close());

    function call(
      request: Partial<ProviderRequest>,
      source: Pick<ProviderContract, "create"> = contract,
    ): Promise<ProviderOutcome> {
      const provider = source.create({
        url: server.url,
        apiKey: contract.apiKey ?? "",
        limits: {},
      });
      return callAdapter(provider, { ...contract.request, ...request });
    }

    /** Tests a supported operation; otherwise expects a refusal before anything is sent. */
    function row(
      name: Row,
      supported: Partial<ProviderRequest> | undefined,
      request: () => Partial<ProviderRequest> | Promise<Partial<ProviderRequest>>,
      check: (outcome: ProviderOutcome & { kind: "image" }) => Promise<void>,
    ): void {
      it(`${contract.name}: ${name}`, async () => {
        const from = server.calls.length;
        const isEdit = name.startsWith("edit");
        const { sent: _, ...change } = { sent: "none", ...supported };
        const isSupported = supported !== undefined;
        const outcome = await call(
          { ...(await request()), ...change },
          isEdit && isSupported && contract.createForEdits !== undefined
            ? { create: contract.createForEdits }
            : contract,
        );
        if (!isSupported) {
          expect(outcome.kind).toBe("invalid-request");
          expect(server.calls.length).toBe(from);
          table.record(contract.name, name, "refused, not sent");
          return;
        }
        if (outcome.kind !== "image") throw new Error(JSON.stringify(outcome));
        await check(outcome);
        table.record(contract.name, name, "image");
      });
    }

    it(`${contract.name}: seed`, async () => {
      const outcome = await call({ seed: 1_234_567 });
      if (outcome.kind !== "image") throw new Error(JSON.stringify(outcome));
      const expected = supports.seed === "returned" ? 1_234_567 : null;
      expect(outcome.seed ?? null).toBe(expected);
      table.record(contract.name, "seed", expected === null ? "not returned" : "returned");
    });

    const edit = (withMask: boolean) => ({
      prompt: "a lighthouse on the right",
      task: {
        kind: "edit" as const,
        image,
        mask: withMask ? mask : null,
        strength: null,
      },
    });

    row(
      "edit",
      supports.edit,
      () => edit(false),
      async ({ image: made }) => {
        const { width, height } = await sharp(made.bytes).metadata();
        expect(width / height).toBeCloseTo(size.width / size.height, 1);
      },
    );

    row(
      "edit with a mask",
      supports.mask,
      () => edit(true),
      async ({ image: made }) => {
        const { data, info } = await sharp(made.bytes)
          .removeAlpha()
          .raw()
          .toBuffer({ resolveWithObject: true });
        expect(info).toMatchObject(size);
        const source = await sharp(image.bytes).raw().toBuffer();
        // Six pixels away from the edge of the mask.
        expect(meanDifference(data, source, 0, size.width / 2 - 6)).toBeLessThan(2);
        expect(meanDifference(data, source, size.width / 2 + 6, size.width)).toBeGreaterThan(30);
        expect(await findSentMask(server.calls)).toBe(supports.mask?.sent);
      },
    );

    row(
      "edit with markup",
      supports.markup,
      async () => ({ task: { ...edit(false).task, markup: await cornerMarkup(size) } }),
      async () => {
        const order = server.calls.findLast(({ path }) => path.endsWith("/images/edits"));
        const parts = order === undefined ? [] : ((await readForm(order)) ?? []);
        // The server has checked that it has the size of the image.
        const markup = parts.find(({ name }) => name === "markup");
        const { data, info } = await sharp(markup?.bytes)
          .extractChannel("alpha")
          .raw()
          .toBuffer({ resolveWithObject: true });
        const alphaAt = (x: number, y: number) =>
          data[Math.floor(info.height * y) * info.width + Math.floor(info.width * x)];
        expect([alphaAt(0.1, 0.4), alphaAt(0.9, 0.4), alphaAt(0.1, 0.6)]).toEqual([255, 0, 0]);
      },
    );

    row(
      "combine",
      supports.combine,
      async () => ({
        task: { kind: "combine" },
        references: (await makeReferences("the boat", "the harbour")).map((reference) => ({
          ...reference,
          role: "part" as const,
        })),
      }),
      async () => {
        const sent = server.calls.map(({ body }) => body.toString("latin1")).join("");
        expect(sent).toContain("how the boat looks");
        expect(sent).toContain("how the harbour looks");
      },
    );

    row(
      "negative prompt",
      supports.negativePrompt,
      () => ({ negativePrompt: "fog and rain" }),
      async () => {
        expect(server.calls.at(-1)?.body.toString("latin1") ?? "").toBeDefined();
        const sent = server.calls.map(({ body }) => body.toString("latin1")).join("");
        expect(sent).toContain("fog and rain");
      },
    );

    row(
      "transparent background",
      supports.transparency,
      () => ({ background: "transparent" }),
      async ({ image: made }) => {
        expect(made.hasAlpha).toBe(true);
      },
    );

    row(
      "graphic",
      supports.graphic,
      () => ({
        prompt: "an anchor",
        task: {
          kind: "graphic",
          graphic: "icon",
          palette: ["#1f6feb", "#ffffff"],
          background: "transparent",
        },
      }),
      async ({ image: made, svg }) => {
        expect(made.hasAlpha).toBe(true);
        expect(svg).toContain("<path");
        expect(svg).not.toMatch(/script|onload|https:\/\/tracker/);
      },
    );
  });
}

/** Markup of an image: a red square in the upper left quarter. */
async function cornerMarkup({ width, height }: typeof size): Promise<Buffer> {
  const square = { width: width / 2, height: height / 2, channels: 4 as const };
  const red = await sharp({ create: { ...square, background: "#f00" } })
    .png()
    .toBuffer();
  return sharp({ create: { width, height, channels: 4, background: "#0000" } })
    .composite([{ input: red, left: 0, top: 0 }])
    .png()
    .toBuffer();
}

/** Mean absolute difference of two RGB images of the test's size, in columns `from` to `to`. */
function meanDifference(one: Buffer, other: Buffer, from: number, to: number): number {
  let sum = 0;
  for (let y = 0; y < size.height; y += 1) {
    for (let index = (y * size.width + from) * 3; index < (y * size.width + to) * 3; index += 1) {
      sum += Math.abs((one[index] ?? 0) - (other[index] ?? 0));
    }
  }
  return sum / (size.height * (to - from) * 3);
}
