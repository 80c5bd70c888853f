import { homeVariables, parseConfig } from "@atelier/configuration";
import { runProgram } from "@atelier/process";
import * as z from "zod";
import { findFreePort } from "./ports.ts";
import { openPostgres } from "./postgres.ts";
import { readOrMakeSecrets } from "./secrets.ts";

/** Serves only the embedded database of ATELIER_HOME, for `atelier restore`. */
await runProgram(async () => {
  const { ATELIER_HOME: home } = parseConfig(z.object(homeVariables), process.env);
  const secrets = await readOrMakeSecrets(home);
  const port = await findFreePort();
  const { processes } = await openPostgres(
    { home, databaseUrl: null, databaseDirectUrl: null, postgresPort: port },
    secrets.database_password,
    {
      interrupted: new AbortController().signal,
      report: (sentence) => void process.stderr.write(`${sentence}\n`),
    },
  );
  return { port, stop: async () => void (await Promise.all(processes.map((one) => one.stop()))) };
});
