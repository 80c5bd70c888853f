import { execFile } from "node:child_process";
import { promisify } from "node:util";

const execute = promisify(execFile);

/**
 * Writes a dump of a database with the `pg_dump` from PATH. The queues are left out: recovery fills them.
 *
 * @throws Error when `pg_dump` is missing or has another major version than the server.
 */
export async function dumpDatabase(
  databaseUrl: string,
  { file, major }: { readonly file: string; readonly major: number },
): Promise<void> {
  await requireTool("pg_dump", major);
  const options = ["--format=custom", "--no-owner", "--exclude-schema=bullmq", `--file=${file}`];
  await runTool("pg_dump", options, databaseUrl);
}

/**
 * Restores a dump into an empty database with the `pg_restore` from PATH, in one transaction.
 *
 * @throws Error when `pg_restore` is missing or has another major version than the server.
 */
export async function restoreDatabase(
  databaseUrl: string,
  { file, major }: { readonly file: string; readonly major: number },
): Promise<void> {
  await requireTool("pg_restore", major);
  const options = ["--no-owner", "--single-transaction", "--exit-on-error", file];
  await runTool("pg_restore", options, databaseUrl);
}

async function requireTool(tool: string, major: number): Promise<void> {
  const { stdout } = await execute(tool, ["--version"]).catch((cause: unknown) => {
    throw new Error(
      `The files of this database are not on this machine, so ${tool} of Postgres ${major} is needed, ` +
        "and it is not on the PATH. Install postgresql-client, or run this beside the database.",
      { cause },
    );
  });
  const found = Number(/(?<!\d)(\d+)\./.exec(stdout)?.[1]);
  if (found === major) return;
  throw new Error(
    `The server is Postgres ${major}, and ${tool} on the PATH is version ${found}. ` +
      `Put ${tool} of Postgres ${major} first on the PATH.`,
  );
}

/** The password is passed in the environment, because arguments are visible to other users. */
async function runTool(
  tool: string,
  options: readonly string[],
  databaseUrl: string,
): Promise<void> {
  const url = new URL(databaseUrl);
  const password = decodeURIComponent(url.password);
  url.password = "";
  await execute(tool, [`--dbname=${url.href}`, ...options], {
    env: { ...process.env, PGPASSWORD: password },
    maxBuffer: 64 * 1_048_576,
  }).catch((cause: unknown) => {
    const output = (cause as { stderr?: string }).stderr?.trim() ?? "";
    throw new Error(`${tool} failed: ${output === "" ? String(cause) : output}`, { cause });
  });
}
