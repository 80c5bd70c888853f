import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { lockHome } from "./lock.ts";

let home: string;

beforeEach(async () => {
  home = await mkdtemp(join(tmpdir(), "atelier-lock-"));
});

afterEach(() => rm(home, { recursive: true }));

async function lockHolder(): Promise<number> {
  const content = await readFile(join(home, "lock"), "utf8");
  return Number.parseInt(content);
}

describe("lockHome", () => {
  it("refuses a folder that another process works in, and names it", async () => {
    await lockHome(home);
    await expect(lockHome(home)).rejects.toThrow(
      `Atelier already runs in ${home} (process ${process.pid}).`,
    );
  });

  it("gives the folder free", async () => {
    const unlock = await lockHome(home);
    await unlock();
    expect(await readdir(home)).toEqual([]);
    await lockHome(home);
  });

  it("takes over the lock of a process that is gone", async () => {
    const gone = spawn("true");
    await once(gone, "exit");
    await writeFile(join(home, "lock"), `${gone.pid} 12345\n`);
    await lockHome(home);
    expect(await lockHolder()).toBe(process.pid);
  });

  it("takes over the lock of a process whose number another one has now", async () => {
    // As in a container, where the same few numbers are given out at each start.
    const stale = `${process.pid} 1\n`;
    await writeFile(join(home, "lock"), stale);
    await lockHome(home);
    expect(await readFile(join(home, "lock"), "utf8")).not.toBe(stale);
  });

  it.each(["", "nonsense"])("takes over a lock that says %j", async (content) => {
    await writeFile(join(home, "lock"), content);
    await lockHome(home);
    expect(await lockHolder()).toBe(process.pid);
  });

  it("lets one win of two that find a stale lock at the same time", async () => {
    await writeFile(join(home, "lock"), "999999999 1\n");
    const results = await Promise.allSettled([lockHome(home), lockHome(home)]);
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(await readdir(home)).toEqual(["lock"]);
  });
});
