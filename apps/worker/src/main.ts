import { parseConfig, runProgram } from "@atelier/configuration";
import { workerConfig } from "./config.ts";
import { startWorker } from "./start-worker.ts";

/** One of any number of workers: takes renders from the lanes and makes their images. */
await runProgram(() =>
  startWorker(parseConfig(workerConfig, process.env), { environment: process.env }),
);
