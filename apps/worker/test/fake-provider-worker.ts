import { readFileSync } from "node:fs";
import { parseConfig, runProgram } from "@atelier/configuration";
import { createFakeProvider } from "@atelier/testing/fake-provider";
import { workerConfig } from "../src/config.ts";
import { noFailpoint, type Failpoint } from "../src/failpoint.ts";
import { startWorker } from "../src/start-worker.ts";

/**
 * A worker like any other, with fake providers beside the built-in one. Started by tests.
 * It dies, as by `kill -9`, at the step of a render that the file FAILPOINT_FILE names at that moment.
 */
const url = process.env["FAKE_PROVIDER_URL"] ?? "";
const failpointFile = process.env["FAILPOINT_FILE"];

const dieWhereTold: Failpoint = (step) => {
  if (readFileSync(failpointFile ?? "", "utf8") === step) process.kill(process.pid, "SIGKILL");
};

await runProgram(() =>
  startWorker(parseConfig(workerConfig, process.env), {
    environment: process.env,
    customProviders: [
      createFakeProvider({ name: "fake-blind", url, lostCall: "repeat-blindly" }),
      createFakeProvider({ name: "fake-resumable", url, lostCall: "resume-by-request-id" }),
    ],
    failpoint: failpointFile === undefined ? noFailpoint : dieWhereTold,
  }),
);
