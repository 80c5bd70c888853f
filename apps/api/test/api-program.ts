import { parseConfig } from "@atelier/configuration";
import type { RunningProgram } from "@atelier/process";
import { sharePool } from "@atelier/testing/share-pool";
import { apiConfig } from "../src/config.ts";
import { createRulePool } from "../src/moderation/rule-pool.ts";
import { startApi } from "../src/start-api.ts";

/** Starts an API in this process. `src/main.ts` starts it as a program of its own. */
export function start(
  environment: Readonly<Record<string, string>>,
  logFile: string,
): Promise<RunningProgram> {
  return startApi(parseConfig(apiConfig, environment), {
    environment,
    logFile,
    startRules: (onError) => sharePool("rules", () => createRulePool(onError)),
  });
}
