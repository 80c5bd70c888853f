/**
 * Writes the Prisma client into `src/generated`. Run by npm after every install.
 *
 * Generating needs no engine, yet the CLI looks for a schema engine binary and would download one. Any
 * executable will do: schemas are compared by the WASM build of the engine (see src/migrations).
 */
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";

const root = fileURLToPath(new URL("../..", import.meta.url));
const result = spawnSync("prisma", ["generate"], {
  cwd: root,
  env: {
    ...process.env,
    PRISMA_SCHEMA_ENGINE_BINARY: process.execPath,
    PRISMA_HIDE_UPDATE_MESSAGE: "1",
    CHECKPOINT_DISABLE: "1",
  },
  encoding: "utf8",
  shell: process.platform === "win32",
});

if (result.status !== 0) {
  process.stderr.write(`${result.stdout}${result.stderr}`);
  process.stderr.write(`The Prisma client was not generated. Run "npm run generate" again.\n`);
  process.exit(1);
}
