import { readFile } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { parseConfig } from "@atelier/configuration";
import { workerConfig } from "../apps/worker/src/config.ts";
import { startWorker } from "../apps/worker/src/start-worker.ts";

/** A worker whose provider answers with a ready image, at once unless told otherwise. */
const image = await readFile(process.env["BENCH_IMAGE"] ?? "");
const delayMs = Number(process.env["BENCH_PROVIDER_DELAY_MS"] ?? 0);
const worker = await startWorker(parseConfig(workerConfig, process.env), {
  customProviders: [
    {
      name: "fake-blind",
      lostCall: "repeat-blindly",
      async generate() {
        if (delayMs > 0) await delay(delayMs);
        return { kind: "image", image: { bytes: image, mediaType: "image/png" }, turn: null };
      },
    },
  ],
});
const stop = () => worker.stop().then(() => process.connected && process.disconnect());
process.once("SIGTERM", () => void stop());
process.once("disconnect", () => void stop());
process.send?.({ type: "ready" });
