import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { runProgram } from "@atelier/process";

/** Applies the migrations of the version in RELEASE with its own code. */
await runProgram(async () => {
  const { RELEASE = "", DATABASE_URL = "" } = process.env;
  const main = pathToFileURL(join(RELEASE, "packages/database/src/index.ts")).href;
  const version = (await import(main)) as { applyMigrations(url: string): Promise<unknown> };
  await version.applyMigrations(DATABASE_URL);
  return { stop: () => Promise.resolve() };
});
