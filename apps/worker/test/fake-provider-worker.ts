import { readFileSync } from "node:fs";
import { parseConfig } from "@atelier/configuration";
import type { GuardedFetcherOptions } from "@atelier/guarded-fetch";
import { networkOf, type InternetAddress } from "@atelier/guarded-fetch/testing/internet";
import { runProgram } from "@atelier/process";
import { createFakeProvider } from "@atelier/testing/fake-provider";
import { workerConfig } from "../src/config.ts";
import type { WorkerOptions } from "../src/dependencies.ts";
import { noFailpoint, type Failpoint } from "../src/render/failpoint.ts";

import { startWorker } from "../src/start-worker.ts";

/**
 * A worker with fake providers beside the built-in one. Tests start it. It kills itself, as with
 * `kill -9`, at the step of a render that the file FAILPOINT_FILE contains at that moment. References
 * are fetched from the simulated internet in TEST_INTERNET, with the limits in TEST_REFERENCE_LIMITS, and
 * webhooks are sent to it.
 */
const url = process.env["FAKE_PROVIDER_URL"] ?? "";
const failpointFile = process.env["FAILPOINT_FILE"];

const dieAtRequestedStep: Failpoint = (step) => {
  if (readFileSync(failpointFile ?? "", "utf8") === step) process.kill(process.pid, "SIGKILL");
};

function readTestOptions(): Pick<WorkerOptions, "network" | "references"> {
  const { TEST_INTERNET: internet, TEST_REFERENCE_LIMITS: limits = "{}" } = process.env;
  if (internet === undefined) return {};
  return {
    network: networkOf(JSON.parse(internet) as InternetAddress),
    references: JSON.parse(limits) as Partial<GuardedFetcherOptions>,
  };
}

await runProgram(() =>
  startWorker(parseConfig(workerConfig, process.env), {
    environment: process.env,
    customProviders: [
      createFakeProvider({ name: "fake-blind", url, lostCall: "repeat-blindly" }),
      createFakeProvider({ name: "fake-resumable", url, lostCall: "resume-by-request-id" }),
    ],
    ...readTestOptions(),
    failpoint: failpointFile === undefined ? noFailpoint : dieAtRequestedStep,
  }),
);
