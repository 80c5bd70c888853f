import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { verifyProvenance } from "@atelier/provenance/images";
import sharp from "sharp";
import { afterAll, beforeAll, expect, it } from "vitest";
import { describeQueues, isAlive, sequential, until } from "./describe-queues.ts";

/** A disc on a flat background, which a tool can remove. */
const disc = `<svg width="96" height="64"><rect width="100%" height="100%" fill="#c03020"/><circle cx="50%" cy="50%" r="20%" fill="#fff"/></svg>`;

describeQueues(
  "a worker killed between two steps after an image",
  { environment: { WORKER_LOCK_SECONDS: "1.5" } },
  (subjectOf) => {
    let directory: string;
    const failpointFile = () => join(directory, "failpoint");

    beforeAll(async () => {
      directory = await mkdtemp(join(tmpdir(), "atelier-failpoint-"));
    });

    afterAll(() => rm(directory, { recursive: true, force: true }));

    it.each([1, 2])(
      "leaves an image with every step in its manifest, charged once, after %i death(s)",
      sequential,
      async (deaths) => {
        const { stack, storage, accept, callsFor, startWorker, untilFinal, untilIdle } =
          subjectOf();
        const bytes = await sharp(Buffer.from(disc)).removeAlpha().png().toBuffer();
        stack.provider.behave(() => ({ kind: "image", bytes }));
        const after = ["upscale:2", "remove-background"];
        await writeFile(failpointFile(), "between-steps");
        const accepted = await accept("fake-blind", undefined, { after });
        for (let death = 1; death <= deaths; death++) {
          const worker = await startWorker({ FAILPOINT_FILE: failpointFile() });
          await until(() => !isAlive(worker));
        }
        await writeFile(failpointFile(), "no step");
        await startWorker({ FAILPOINT_FILE: failpointFile() });

        const facts = await untilFinal(accepted);
        await untilIdle("fake-blind");
        expect(callsFor(accepted)).toBe(1);
        expect(facts).toMatchObject({
          status: "completed",
          attempt: deaths + 1,
          outcomes: ["image"],
          // The image for 0.05 EUR, and two steps for 0.01 EUR each.
          chargedMicroEur: 70_000n,
          balanceMicroEur: 9_930_000n,
          heldMicroEur: 0n,
        });
        const settled = await stack.database.query<{ kind: string }>(
          "SELECT kind FROM ledger_transfer WHERE generation_id = $1 ORDER BY kind",
          [accepted.jobId],
        );
        expect(settled.map(({ kind }) => kind).toSorted()).toEqual(["hold", "settle"]);

        const png = facts.files.map((file) => file.split(" ")[0] ?? "").find(isPng) ?? "";
        const file = (await storage.get(png))?.bytes ?? Buffer.of();
        const report = await verifyProvenance(file, { trustAnchorsPem: stack.trustAnchorsPem });
        expect(report.state).toBe("trusted");
        expect(report.actions.slice(0, 3)).toEqual(["c2pa.created", "c2pa.resized", "c2pa.edited"]);
        const { width, height, channels } = await sharp(file).metadata();
        expect([width, height, channels]).toEqual([192, 128, 4]);
      },
    );
  },
);

function isPng(key: string): boolean {
  return key.endsWith(".png");
}
