import { readFileSync } from "node:fs";
import { parseConfig, type Environment } from "@atelier/configuration";
import type { GuardedFetcherOptions } from "@atelier/guarded-fetch";
import { networkOf, type InternetAddress } from "@atelier/guarded-fetch/testing/internet";
import { runProgram, type RunningProgram } from "@atelier/process";
import { createMarkerPool } from "@atelier/provenance";
import { createFakeProvider } from "@atelier/testing/fake-provider";
import { sharePool } from "@atelier/testing/share-pool";
import { workerConfig } from "../src/config.ts";
import type { WorkerOptions } from "../src/dependencies.ts";
import { noFailpoint, type Failpoint } from "../src/render/failpoint.ts";

import { startWorker } from "../src/start-worker.ts";

/**
 * Starts a worker with fake providers beside the built-in one. It kills itself, as with `kill -9`, at the
 * step of a render that the file FAILPOINT_FILE contains at that moment. References are fetched from the
 * simulated internet in TEST_INTERNET, with the limits in TEST_REFERENCE_LIMITS, and webhooks are sent to
 * it.
 */
export function start(environment: Environment, logFile?: string): Promise<RunningProgram> {
  const { FAKE_PROVIDER_URL: url = "", FAILPOINT_FILE: failpointFile } = environment;
  return startWorker(parseConfig(workerConfig, environment), {
    environment,
    customProviders: [
      createFakeProvider({ name: "fake-blind", url, lostCall: "repeat-blindly" }),
      createFakeProvider({ name: "fake-resumable", url, lostCall: "resume-by-request-id" }),
    ],
    ...readTestOptions(environment),
    failpoint: failpointFile === undefined ? noFailpoint : dieAtStepIn(failpointFile),
    // Only in the process of a test: those of a process end with it.
    ...(logFile === undefined
      ? {}
      : {
          logFile,
          startMarker: ({ onError, ...settings }) =>
            sharePool(settings, () => createMarkerPool({ onError, ...settings })),
        }),
  });
}

function dieAtStepIn(file: string): Failpoint {
  return (step) => {
    if (readFileSync(file, "utf8") === step) process.kill(process.pid, "SIGKILL");
  };
}

function readTestOptions({
  TEST_INTERNET: internet,
  TEST_REFERENCE_LIMITS: limits = "{}",
}: Environment): Pick<WorkerOptions, "network" | "references"> {
  if (internet === undefined) return {};
  return {
    network: networkOf(JSON.parse(internet) as InternetAddress),
    references: JSON.parse(limits) as Partial<GuardedFetcherOptions>,
  };
}

if (import.meta.main) await runProgram(() => start(process.env));
