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

/** Supervises a program of the given text; reports arrive one by one from `nextReport`. */
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
  it("starts a killed process again at once, as another process", async () => {
    const { one, nextReport } = await superviseProgram(serve);
    const first = one.pid;
    process.kill(first, "SIGKILL");
    expect(await nextReport()).toBe("The program died: SIGKILL. Starting it again.");
    expect(await nextReport()).toBe(`The program serves again, as process ${one.pid}.`);
    expect(one.pid).not.toBe(first);
    expect(isRunning(one.pid)).toBe(true);
  });

  it("starts a process again that ended without an error", async () => {
    const { one, nextReport } = await superviseProgram(
      'process.on("SIGTERM", process.exit); ' + serve,
    );
    process.kill(one.pid, "SIGTERM");
    expect(await nextReport()).toMatch(/^The program died/);
    expect(await nextReport()).toMatch(/^The program serves again/);
  });

  it("gives up after five quick deaths, with the end of the log", async () => {
    const dieAtOnce = `${ready} console.log("no luck"); setTimeout(() => process.exit(3), 20);`;
    const { one, reports } = await superviseProgram(dieAtOnce, { backOffMs: 1 });
    const error = await one.givenUp;
    expect(error.message).toBe(
      "Given up after 5 deaths in a row. The program died: exit code 3\nno luck",
    );
    expect(reports.filter((line) => line.includes("died"))).toHaveLength(4);
  });

  it("counts the life of a process from when it serves, however long it took to start", async () => {
    const slow = `setTimeout(() => { ${ready} setTimeout(() => process.exit(3), 20); }, 500);`;
    const { one } = await superviseProgram(slow, { backOffMs: 1, quickMs: 400, maxQuickDeaths: 2 });
    expect((await one.givenUp).message).toMatch(/^Given up after 2 deaths in a row/);
  });

  it("waits longer after each quick death", async () => {
    const dieAtOnce = `${ready} setTimeout(() => process.exit(3), 20);`;
    const startedAt = performance.now();
    const { one } = await superviseProgram(dieAtOnce, { backOffMs: 100 });
    await one.givenUp;
    // Before the 2nd start nothing, then 100 + 200 + 400 ms.
    expect(performance.now() - startedAt).toBeGreaterThan(700);
  });

  it("does not count deaths that come after a long life", async () => {
    const { one, nextReport } = await superviseProgram(serve, { quickMs: 0, maxQuickDeaths: 2 });
    for (let death = 0; death < 3; death++) {
      process.kill(one.pid, "SIGKILL");
      expect(await nextReport()).toMatch(/died/);
      expect(await nextReport()).toMatch(/serves again/);
    }
  });

  it("fails with the end of the log when the first start fails", async () => {
    const starting = superviseProgram('console.error("PORT is wrong"); process.exit(1);');
    await expect(starting).rejects.toThrow("The program did not start: exit code 1\nPORT is wrong");
  });

  it("fails when it is not ready in time, and leaves nothing running", async () => {
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

  it("lets a process end by itself when it is stopped, and does not start it again", async () => {
    const tidyUp = 'process.on("SIGTERM", () => { console.log("tidied up"); process.exit(0); });';
    const { one, logFile, reports } = await superviseProgram(tidyUp + serve);
    await one.stop();
    expect(await readFile(logFile, "utf8")).toBe("tidied up\n");
    expect(isRunning(one.pid)).toBe(false);
    expect(reports).toEqual([]);
  });

  it("kills a process that does not end when it is stopped", async () => {
    const { one } = await superviseProgram('process.on("SIGTERM", () => {}); ' + serve, {
      stopTimeoutMs: 100,
    });
    await one.stop();
    expect(isRunning(one.pid)).toBe(false);
  });

  it("stops while it waits to start again", async () => {
    const dieAtOnce = `${ready} setTimeout(() => process.exit(3), 20);`;
    const { one, nextReport } = await superviseProgram(dieAtOnce, { backOffMs: 60_000 });
    await nextReport(); // died, started at once
    await nextReport(); // serves again
    await nextReport(); // died, waits for a minute
    await one.stop();
    expect(isRunning(one.pid)).toBe(false);
  });

  it("keeps the signals of a terminal from the process, whose end it decides", async () => {
    const { one } = await superviseProgram(serve);
    const stat = await readFile(`/proc/${one.pid}/stat`, "utf8");
    const [, , group] = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
    expect(Number(group)).toBe(one.pid);
  });

  it("appends to the log over restarts", async () => {
    const { one, logFile, nextReport } = await superviseProgram(`console.log("up"); ${serve}`);
    process.kill(one.pid, "SIGKILL");
    await nextReport();
    await nextReport();
    expect(await readFile(logFile, "utf8")).toBe("up\nup\n");
  });
});
