import { readFileSync } from "node:fs";
import { parseConfig, runProgram } from "@atelier/configuration";
import { apiConfig } from "../src/config.ts";
import type { Failpoint } from "../src/failpoint.ts";
import { startApi } from "../src/start-api.ts";

/**
 * An API like any other, started by tests. It dies, as by `kill -9`, at the step of taking a request
 * that the file FAILPOINT_FILE names at that moment.
 */
const failpointFile = process.env["FAILPOINT_FILE"] ?? "";

const dieWhereTold: Failpoint = (step) => {
  if (readFileSync(failpointFile, "utf8") === step) process.kill(process.pid, "SIGKILL");
};

await runProgram(() =>
  startApi(parseConfig(apiConfig, process.env), {
    environment: process.env,
    failpoint: dieWhereTold,
  }),
);
