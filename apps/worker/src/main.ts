import { parseConfig } from "@atelier/configuration";
import { runProgram } from "@atelier/process";
import { workerConfig } from "./config.ts";
import { startWorker } from "./start-worker.ts";

/** Runs one worker: claims renders from its lanes and generates their images. */
await runProgram(() =>
  startWorker(parseConfig(workerConfig, process.env), { environment: process.env }),
);
