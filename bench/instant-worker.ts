import { readFile } from "node:fs/promises";
import { parseConfig } from "@atelier/configuration";
import { workerConfig } from "../apps/worker/src/config.ts";
import { startWorker } from "../apps/worker/src/start-worker.ts";

/** A worker whose provider answers at once with a ready image: what is left is the service itself. */
const image = await readFile(process.env["BENCH_IMAGE"] ?? "");
const worker = await startWorker(parseConfig(workerConfig, process.env), {
  customProviders: [
    {
      name: "fake-blind",
      lostCall: "repeat-blindly",
      generate: async () => ({
        kind: "image",
        image: { bytes: image, mediaType: "image/png" },
        turn: null,
      }),
    },
  ],
});
const stop = () => worker.stop().then(() => process.connected && process.disconnect());
process.once("SIGTERM", () => void stop());
process.once("disconnect", () => void stop());
process.send?.({ type: "ready" });
