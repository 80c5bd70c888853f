import { spawn } from "node:child_process";
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { chmod, link, mkdir, readFile, rename, stat, unlink, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { readIfPresent } from "./private-file.ts";
import { codeOf } from "./describe-error.ts";

/**
 * Restricts the folder to its owner, and ensures that only one Atelier at a time uses it. The lock
 * is a file that names the process which holds it, and the folder; the lock of an exited process is
 * taken over. Processes of another container cannot be seen, so that a lock of the kernel is held, too.
 *
 * @returns a function that releases the folder.
 * @throws Error naming the process that holds the lock; Error for a copy of a folder that was locked, and for a folder
 *   of another user.
 */
export async function lockHome(home: string): Promise<() => Promise<void>> {
  await restrictToOwner(home);
  const releaseInKernel = await lockInKernel(home);
  try {
    const unlock = await lockWithFile(home);
    return async () => {
      await unlock();
      await releaseInKernel();
    };
  } catch (error) {
    await releaseInKernel();
    throw error;
  }
}

/** The folder contains prompts, keys and images of all accounts. */
async function restrictToOwner(home: string): Promise<void> {
  try {
    await mkdir(home, { recursive: true, mode: 0o700 });
    await chmod(home, 0o700);
  } catch (cause) {
    if (!["EACCES", "EPERM"].includes(codeOf(cause) ?? "")) throw cause;
    const user = `${process.getuid?.()}:${process.getgid?.()}`;
    throw new Error(
      `${home} does not belong to the user who runs Atelier. ` +
        `Give the folder to that user (chown -R ${user}), or use another folder or volume.`,
      { cause },
    );
  }
}

const takenExitCode = 99;

/**
 * Holds the lock of the kernel on the folder, through a process that ends with this one. Where there is no command
 * `flock`, nothing is locked.
 */
async function lockInKernel(home: string): Promise<() => Promise<void>> {
  const options = ["--nonblock", "--no-fork", `--conflict-exit-code=${takenExitCode}`];
  const holder = spawn("flock", [...options, home, "sh", "-c", "echo && exec cat"], {
    stdio: ["pipe", "pipe", "ignore"],
    // Ctrl-C signals the whole process group, and the lock ends last.
    detached: true,
  });
  // It is closed when the command could not be started.
  holder.stdin.on("error", () => undefined);
  const ended = new Promise<number | null>((resolve) => {
    holder.once("error", () => resolve(null));
    holder.once("exit", resolve);
  });
  const isHeld = await Promise.race([once(holder.stdout, "data").then(() => true), ended]);
  if (isHeld === takenExitCode) await refuseTaken(home);
  return async () => {
    holder.stdin.end();
    await ended;
  };
}

async function refuseTaken(home: string): Promise<never> {
  const content = await readIfPresent(join(home, "lock"));
  if (content !== null && (await isRunning(content))) refuse(home, content);
  throw new Error(
    `Another Atelier uses ${home}, such as one in another container. ` +
      "Stop it first, or use another folder or volume.",
  );
}

async function lockWithFile(home: string): Promise<() => Promise<void>> {
  const path = join(home, "lock");
  const ownFile = `${path}.${randomUUID()}`;
  const content = `${await describeProcess(process.pid)}${await describeFolder(home)}\n`;
  await writeFile(ownFile, content, { mode: 0o600 });
  try {
    // Linking a complete file either creates the lock or fails, so no process reads a partial lock.
    while (!(await tryTo(() => link(ownFile, path), "EEXIST"))) await removeStale(home, path);
  } finally {
    await unlink(ownFile);
  }
  return () => unlink(path);
}

async function removeStale(home: string, path: string): Promise<void> {
  const content = await readIfPresent(path);
  if (content === null) return;
  await refuseCopy(home, content);
  if (await isRunning(content)) refuse(home, content);
  // Moved before it is checked; if another start created a new lock in the meantime, it is moved
  // back.
  const moved = `${path}.${randomUUID()}`;
  if (!(await tryTo(() => rename(path, moved), "ENOENT"))) return;
  const movedContent = await readFile(moved, "utf8");
  if (movedContent !== content) {
    await link(moved, path);
    await unlink(moved);
    refuse(home, movedContent);
  }
  await unlink(moved);
}

/** @throws Error if the lock was written in another folder, of which this one is a copy. */
async function refuseCopy(home: string, content: string): Promise<void> {
  const [, folder] = content.split("\n");
  // Locks of earlier versions name no folder.
  if (folder === undefined || folder === "" || folder === (await describeFolder(home))) return;
  throw new Error(
    `${home} is a copy of a folder in which Atelier was running, so its database may be damaged. ` +
      `Restore a backup (npm run atelier -- restore). If Atelier had ended before it was copied, remove ${join(home, "lock")}.`,
  );
}

/** Identifies a folder by its device and number in the file system, which a copy does not have. */
async function describeFolder(home: string): Promise<string> {
  const { dev, ino } = await stat(home, { bigint: true });
  return `${dev}:${ino}`;
}

function refuse(home: string, content: string): never {
  throw new Error(
    `Atelier already runs in ${home} (process ${pidOf(content)}). ` +
      "Stop it first, or set ATELIER_HOME to another folder.",
  );
}

/**
 * Identifies a process by its ID and, if the system reports it, its start time, because IDs are
 * reused.
 */
async function describeProcess(pid: number): Promise<string> {
  return `${pid} ${await startOf(pid)}\n`;
}

async function isRunning(content: string): Promise<boolean> {
  const pid = pidOf(content);
  if (!Number.isInteger(pid) || pid <= 0 || !isAlive(pid)) return false;
  return content.split("\n")[0] === (await describeProcess(pid)).trimEnd();
}

function pidOf(content: string): number {
  return Number(content.split(" ")[0]);
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    // EPERM: the process exists and belongs to another user.
    return codeOf(error) === "EPERM";
  }
}

/** Field 22 of `/proc/<pid>/stat`, in ticks since boot; a dash without /proc. */
async function startOf(pid: number): Promise<string> {
  const text = await readIfPresent(`/proc/${pid}/stat`);
  // Field 2 is the program name in parentheses, which may contain spaces.
  return text?.slice(text.lastIndexOf(")") + 2).split(" ")[19] ?? "-";
}

/** Returns true on success, and false for the expected error code. */
async function tryTo(work: () => Promise<void>, expectedCode: string): Promise<boolean> {
  try {
    await work();
    return true;
  } catch (error) {
    if (codeOf(error) === expectedCode) return false;
    throw error;
  }
}
