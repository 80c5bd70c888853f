import { readFileSync } from "node:fs";
import { parseConfig } from "@atelier/configuration";
import { runProgram } from "@atelier/process";
import { apiConfig } from "../src/config.ts";
import type { Failpoint } from "../src/failpoint.ts";
import { startApi } from "../src/start-api.ts";

/**
 * An API that tests start. It kills itself, as with `kill -9`, at the step of accepting a request
 * that the file FAILPOINT_FILE contains at that moment.
 */
const failpointFile = process.env["FAILPOINT_FILE"] ?? "";

const dieAtRequestedStep: Failpoint = (step) => {
  if (readFileSync(failpointFile, "utf8") === step) process.kill(process.pid, "SIGKILL");
};

await runProgram(() =>
  startApi(parseConfig(apiConfig, process.env), {
    environment: process.env,
    failpoint: dieAtRequestedStep,
  }),
);
