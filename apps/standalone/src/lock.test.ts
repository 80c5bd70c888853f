import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  chmod,
  cp,
  mkdtemp,
  readdir,
  readFile,
  rename,
  rm,
  stat,
  writeFile,
} from "node:fs/promises";
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
  it("refuses a folder locked by another process and names the process", async () => {
    await lockHome(home);
    await expect(lockHome(home)).rejects.toThrow(
      `Atelier already runs in ${home} (process ${process.pid}).`,
    );
  });

  it("refuses a folder that a process of another container has locked, and leaves it as it is", async () => {
    const holder = spawn("flock", [home, "sh", "-c", "echo && exec cat"]);
    await once(holder.stdout, "data");
    // A process of that number and start time runs in the other container only.
    await writeFile(join(home, "lock"), "7 12345\n");
    await expect(lockHome(home)).rejects.toThrow(`Another Atelier uses ${home}`);
    expect(await readdir(home)).toEqual(["lock"]);
    holder.stdin.end();
    await once(holder, "exit");
    await lockHome(home);
    expect(await lockHolder()).toBe(process.pid);
  });

  it.skipIf(process.getuid?.() !== 0)(
    "says whose folder it must be when it is another user's",
    () => {
      const lock = `import { lockHome } from ${JSON.stringify(import.meta.resolve("./lock.ts"))};
      process.setgid(10001); process.setuid(10001);
      await lockHome(${JSON.stringify(home)}).catch((error) => console.log(error.message));`;
      const { stdout } = spawnSync(process.execPath, ["--input-type=module", "--eval", lock]);
      expect(String(stdout).trim()).toBe(
        `${home} does not belong to the user who runs Atelier. ` +
          "Give the folder to that user (chown -R 10001:10001), or use another folder or volume.",
      );
    },
  );

  it("restricts the folder to its owner, also if it existed before", async () => {
    await chmod(home, 0o755);
    const inner = join(home, "inner");
    for (const folder of [home, inner]) {
      await lockHome(folder);
      expect((await stat(folder)).mode & 0o777).toBe(0o700);
      expect((await stat(join(folder, "lock"))).mode & 0o777).toBe(0o600);
    }
  });

  it("releases the folder", async () => {
    const unlock = await lockHome(home);
    await unlock();
    expect(await readdir(home)).toEqual([]);
    await lockHome(home);
  });

  it("takes over the lock of an exited process", async () => {
    const exited = spawn("true");
    await once(exited, "exit");
    await writeFile(join(home, "lock"), `${exited.pid} 12345\n`);
    await lockHome(home);
    expect(await lockHolder()).toBe(process.pid);
  });

  it("takes over the lock when its pid was reused", async () => {
    // As in a container, where each start assigns the same few process IDs.
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

  it("refuses a copy that was made while the folder was in use, and leaves it as it is", async () => {
    const unlock = await lockHome(home);
    const copy = `${home}-copy`;
    await cp(home, copy, { recursive: true });
    await unlock();
    await expect(lockHome(copy)).rejects.toThrow(
      `${copy} is a copy of a folder in which Atelier was running`,
    );
    expect(await readdir(copy)).toEqual(["lock"]);
    await rm(join(copy, "lock"));
    await lockHome(copy);
    await rm(copy, { recursive: true });
  });

  it("accepts a copy that was made after a stop, and a folder that was moved after a crash", async () => {
    await (
      await lockHome(home)
    )();
    const copy = `${home}-copy`;
    await cp(home, copy, { recursive: true });
    await (
      await lockHome(copy)
    )();
    const { dev, ino } = await stat(copy);
    await writeFile(join(copy, "lock"), `999999999 1\n${dev}:${ino}\n`);
    await rename(copy, `${home}-moved`);
    await expect(lockHome(`${home}-moved`)).resolves.toBeTypeOf("function");
    await rm(`${home}-moved`, { recursive: true });
  });

  it("lets exactly one of two processes take over a stale lock", async () => {
    await writeFile(join(home, "lock"), "999999999 1\n");
    const results = await Promise.allSettled([lockHome(home), lockHome(home)]);
    expect(results.filter(({ status }) => status === "fulfilled")).toHaveLength(1);
    expect(await readdir(home)).toEqual(["lock"]);
  });
});
