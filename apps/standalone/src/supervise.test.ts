import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startNodeProcess } from "./node-process.ts";
import { supervise, type Supervised, type SuperviseOptions } from "./supervise.ts";

const ready = 'process.send({ type: "ready" });';
const serve = `process.on("disconnect", () => process.exit()); ${ready} setInterval(() => {}, 1000);`;

let directory: string;
let supervised: Supervised[];

beforeEach(async () => {
  directory = await mkdtemp(join(tmpdir(), "atelier-supervise-"));
  supervised = [];
});

afterEach(async () => {
  await Promise.all(supervised.map((one) => one.stop()));
  await rm(directory, { recursive: true });
});

/** Supervises a program with this source; reports are returned one by one by `nextReport`. */
async function superviseProgram(
  text: string,
  options: Partial<SuperviseOptions> & {
    stopTimeoutMs?: number;
    readyTimeoutMs?: number;
    interrupted?: AbortSignal;
  } = {},
) {
  const script = join(directory, "program.mjs");
  const logFile = join(directory, "program.log");
  await writeFile(script, text);
  const reports: string[] = [];
  const reported = new EventTarget();
  const report = (sentence: string) => {
    reports.push(sentence);
    reported.dispatchEvent(new Event("report"));
  };
  const { stopTimeoutMs = 8_000, readyTimeoutMs = 30_000 } = options;
  const program = { name: "The program", script, environment: {}, logFile };
  const one = await supervise(
    {
      name: "The program",
      start: (signal) => startNodeProcess({ ...program, stopTimeoutMs, readyTimeoutMs }, signal),
      ...options,
    },
    { interrupted: options.interrupted ?? new AbortController().signal, report },
  );
  supervised.push(one);
  return {
    one,
    logFile,
    reports,
    nextReport: async (): Promise<string> => {
      if (reports.length === 0) await once(reported, "report");
      return reports.shift() ?? "";
    },
  };
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

describe("supervise", () => {
  it("restarts a killed process at once", async () => {
    const { one, nextReport } = await superviseProgram(serve);
    const first = one.pid;
    process.kill(first, "SIGKILL");
    expect(await nextReport()).toBe("The program died: SIGKILL. Starting it again.");
    expect(await nextReport()).toBe(`The program serves again, as process ${one.pid}.`);
    expect(one.pid).not.toBe(first);
    expect(isRunning(one.pid)).toBe(true);
  });

  it("restarts a process that exited with code 0", async () => {
    const { one, nextReport } = await superviseProgram(
      'process.on("SIGTERM", process.exit); ' + serve,
    );
    process.kill(one.pid, "SIGTERM");
    expect(await nextReport()).toMatch(/^The program died/);
    expect(await nextReport()).toMatch(/^The program serves again/);
  });

  it("restarts a process however often it dies quickly, and reports the reason", async () => {
    const dieAtOnce = `${ready} console.log("no luck"); setTimeout(() => process.exit(3), 20);`;
    const { nextReport } = await superviseProgram(dieAtOnce, { backOffMs: 1 });
    for (let crash = 1; crash <= 8; crash++) {
      expect(await nextReport()).toBe(
        "The program died: exit code 3 (no luck). Starting it again.",
      );
      expect(await nextReport()).toMatch(/serves again/);
    }
  });

  it("increases the delay with each quick death, up to 30 seconds", async () => {
    const dieAtOnce = `${ready} setTimeout(() => process.exit(3), 20);`;
    const { one, nextReport } = await superviseProgram(dieAtOnce, { backOffMs: 1_000_000 });
    expect(await nextReport()).toBe("The program died: exit code 3. Starting it again.");
    expect(await nextReport()).toMatch(/serves again/);
    expect(await nextReport()).toBe("The program died: exit code 3. Starting it again in 30 s.");
    await one.stop();
  });

  it("repeats a first start that failed with a transient error", async () => {
    const marker = join(directory, "tried");
    const secondTime = `
      import { existsSync, writeFileSync } from "node:fs";
      if (!existsSync(${JSON.stringify(marker)})) {
        writeFileSync(${JSON.stringify(marker)}, "");
        console.error("the database is starting up");
        process.exit(75);
      }
      ${serve}`;
    const { reports } = await superviseProgram(secondTime, { backOffMs: 1 });
    expect(reports).toEqual([
      "The program did not start: exit code 75 (the database is starting up). Starting it again.",
    ]);
  });

  it("fails after three first starts with a transient error", async () => {
    const starting = superviseProgram('process.kill(process.pid, "SIGKILL");', { backOffMs: 1 });
    await expect(starting).rejects.toThrow("The program did not start: SIGKILL");
  });

  it("does not count exits after a long lifetime", async () => {
    const { one, nextReport } = await superviseProgram(serve, { quickMs: 0, backOffMs: 60_000 });
    for (let crash = 0; crash < 3; crash++) {
      process.kill(one.pid, "SIGKILL");
      expect(await nextReport()).toMatch(/died/);
      expect(await nextReport()).toMatch(/serves again/);
    }
  });

  it("throws with the end of the log when the first start fails", async () => {
    const starting = superviseProgram('console.error("PORT is wrong"); process.exit(1);');
    await expect(starting).rejects.toThrow("The program did not start: exit code 1\nPORT is wrong");
  });

  it("throws when the process is not ready in time, and leaves nothing running", async () => {
    const starting = superviseProgram("console.log(process.pid); setInterval(() => {}, 1000);", {
      readyTimeoutMs: 500,
    });
    const error = await starting.catch((cause: unknown) => cause);
    expect(String(error)).toMatch(/not ready after 0.5 s/);
    expect(isRunning(Number(String(error).split("\n")[1]))).toBe(false);
  });

  it("stops a process that never becomes ready when the start is interrupted", async () => {
    const starting = superviseProgram("setInterval(() => {}, 1000);", {
      interrupted: AbortSignal.timeout(200),
    });
    await expect(starting).rejects.toThrow(/abort|timeout/i);
  });

  it("waits for a stopped process to exit and does not restart it", async () => {
    const tidyUp = 'process.on("SIGTERM", () => { console.log("tidied up"); process.exit(0); });';
    const { one, logFile, reports } = await superviseProgram(tidyUp + serve);
    await one.stop();
    expect(await readFile(logFile, "utf8")).toBe("tidied up\n");
    expect(isRunning(one.pid)).toBe(false);
    expect(reports).toEqual([]);
  });

  it("kills a process that ignores SIGTERM", async () => {
    const { one } = await superviseProgram('process.on("SIGTERM", () => {}); ' + serve, {
      stopTimeoutMs: 100,
    });
    await one.stop();
    expect(isRunning(one.pid)).toBe(false);
  });

  it("stops during the delay before a restart", async () => {
    const dieAtOnce = `${ready} setTimeout(() => process.exit(3), 20);`;
    const { one, nextReport } = await superviseProgram(dieAtOnce, { backOffMs: 60_000 });
    await nextReport(); // died, restarted at once
    await nextReport(); // serves again
    await nextReport(); // died, waits for one minute
    await one.stop();
    expect(isRunning(one.pid)).toBe(false);
  });

  it("shields the process from terminal signals", async () => {
    const { one } = await superviseProgram(serve);
    const stat = await readFile(`/proc/${one.pid}/stat`, "utf8");
    const [, , group] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    expect(Number(group)).toBe(one.pid);
  });

  it("appends to the log across restarts", async () => {
    const { one, logFile, nextReport } = await superviseProgram(`console.log("up"); ${serve}`);
    process.kill(one.pid, "SIGKILL");
    await nextReport();
    await nextReport();
    expect(await readFile(logFile, "utf8")).toBe("up\nup\n");
  });
});
