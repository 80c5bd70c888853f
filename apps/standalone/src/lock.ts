import { randomUUID } from "node:crypto";
import { link, mkdir, readFile, rename, unlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { readIfPresent } from "./private-file.ts";
import { codeOf } from "./describe-error.ts";

/**
 * Makes sure that one Atelier at a time works in a folder. The lock is a file that names the process
 * which holds it; one whose process is gone is taken over.
 *
 * @returns a function that gives the folder free.
 * @throws Error naming the process that has it.
 */
export async function lockHome(home: string): Promise<() => Promise<void>> {
  await mkdir(home, { recursive: true });
  const path = join(home, "lock");
  const mine = `${path}.${randomUUID()}`;
  await writeFile(mine, await describeProcess(process.pid));
  try {
    // Linking a finished file either makes the lock whole or fails: no one ever reads half of it.
    while (!(await tryTo(() => link(mine, path), "EEXIST"))) await removeStale(home, path);
  } finally {
    await unlink(mine);
  }
  return () => unlink(path);
}

async function removeStale(home: string, path: string): Promise<void> {
  const content = await readIfPresent(path);
  if (content === null) return;
  if (await isRunning(content)) refuse(home, content);
  // Moved first, then looked at: what another start put there in the meantime goes back.
  const moved = `${path}.${randomUUID()}`;
  if (!(await tryTo(() => rename(path, moved), "ENOENT"))) return;
  const taken = await readFile(moved, "utf8");
  if (taken !== content) {
    await link(moved, path);
    await unlink(moved);
    refuse(home, taken);
  }
  await unlink(moved);
}

function refuse(home: string, content: string): never {
  throw new Error(
    `Atelier already runs in ${home} (process ${pidOf(content)}). ` +
      "Stop it first, or set ATELIER_HOME to another folder.",
  );
}

/** A process by its number and, where the system tells it, its start: numbers are used again. */
async function describeProcess(pid: number): Promise<string> {
  return `${pid} ${await startOf(pid)}\n`;
}

async function isRunning(content: string): Promise<boolean> {
  const pid = pidOf(content);
  if (!Number.isInteger(pid) || pid <= 0 || !isAlive(pid)) return false;
  return content === (await describeProcess(pid));
}

function pidOf(content: string): number {
  return Number(content.split(" ")[0]);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: it is there and belongs to another user.
    return codeOf(error) === "EPERM";
  }
}

/** Field 22 of `/proc/<pid>/stat`, ticks since boot; a dash where there is no /proc. */
async function startOf(pid: number): Promise<string> {
  const stat = await readIfPresent(`/proc/${pid}/stat`);
  // Field 2 is the program's name in brackets, and may hold blanks itself.
  return stat?.slice(stat.lastIndexOf(")") + 2).split(" ")[19] ?? "-";
}

/** Whether it worked; false for the one error that is expected. */
async function tryTo(work: () => Promise<void>, expectedCode: string): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    if (codeOf(error) === expectedCode) return false;
    throw error;
  }
}
