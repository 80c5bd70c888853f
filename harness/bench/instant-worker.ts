import { readFile } from "node:fs/promises";
import { setTimeout as delay } from "node:timers/promises";
import { parseConfig } from "@atelier/configuration";
import { runProgram } from "@atelier/process";
import { workerConfig } from "../../apps/worker/src/config.ts";
import { startWorker } from "../../apps/worker/src/start-worker.ts";

/** A worker whose provider returns a prepared image, without delay by default. */
const image = await readFile(process.env["BENCH_IMAGE"] ?? "");
const delayMs = Number(process.env["BENCH_PROVIDER_DELAY_MS"] ?? 0);
await runProgram(() =>
  startWorker(parseConfig(workerConfig, process.env), {
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
  }),
);
