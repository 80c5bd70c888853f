import { execFile } from "node:child_process";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { applyMigrations } from "@atelier/database";
import {
  createDatabaseFromTemplate,
  findChromium,
  startPostgres,
  templateName,
} from "@atelier/local-services";
import { startStack } from "@atelier/testing";
import type { TestProject } from "vitest/node";

const build = fileURLToPath(new URL("../build.ts", import.meta.url));

const supportKey = "a key of support for tests with 32 characters";

/**
 * Builds the pages and starts the whole service once for all suites. Without Chromium, nothing is
 * started and all suites are skipped; with REQUIRE_ALL_SUITES=1 that fails the run.
 */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const chromium = await findChromium({ executable: process.env["CHROMIUM_PATH"] });
  if ("unavailable" in chromium) {
    const line = `No Chromium for the tests of Studio, they are skipped: ${chromium.unavailable}`;
    if (process.env["REQUIRE_ALL_SUITES"] === "1") throw new Error(line);
    process.stderr.write(`${line}\n`);
    project.provide("studio", null);
    return async () => undefined;
  }
  const directory = await mkdtemp(join(tmpdir(), "atelier-studio-test-"));
  // Postgres may run as another user than the one who runs the tests.
  await chmod(directory, 0o755);
  const [postgres] = await Promise.all([
    startPostgres({
      directory: join(directory, "postgres"),
      externalUrl: process.env["TEST_DATABASE_URL"],
    }),
    promisify(execFile)(process.execPath, ["--disable-warning=ExperimentalWarning", build]),
  ]);
  const stop = async () => {
    await postgres.stop();
    await rm(directory, { recursive: true, force: true });
  };
  try {
    await createDatabaseFromTemplate(postgres.url, templateName, "template0");
    const template = new URL(postgres.url);
    template.pathname = `/${templateName}`;
    await applyMigrations(template.href);
    const stack = await startStack({
      postgresUrl: postgres.url,
      environment: {
        SHARES: "on",
        ABUSE_CONTACT: "abuse@example.com",
        SUPPORT_KEY: supportKey,
        OPERATOR_LOG_KEY: "a key of the operator log with 32 characters",
      },
    });
    project.provide("studio", {
      chromium: chromium.executable,
      postgresUrl: postgres.url,
      url: stack.url,
      databaseUrl: stack.environment["DATABASE_URL"] ?? "",
      pepper: stack.environment["KEY_PEPPER"] ?? "",
      adminUrl: stack.adminUrl,
      adminKey: stack.adminKey,
      supportKey,
    });
    return async () => {
      await stack.stop();
      await stop();
    };
  } catch (error) {
    await stop();
    throw error;
  }
}
