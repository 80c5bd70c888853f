import { spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, openSync } from "node:fs";
import { text } from "node:stream/consumers";
import { expect, it } from "vitest";

const module = new URL("./create-logger.ts", import.meta.url).href;

/** Runs a process with a `log` in scope that executes `code`. */
function run(code: string, stdout: number | "pipe") {
  const program = `import { createLogger } from "${module}"; const log = createLogger("test", "info"); ${code}`;
  return spawn(process.execPath, ["--expose-gc", "--input-type=module", "--eval", program], {
    stdio: ["ignore", stdout, "inherit", "ipc"],
  });
}

it("writes one line of JSON without data sent to the database or the queue", async () => {
  const child = run(
    `const sent = { command: { name: "hello", args: ["3", "AUTH", "default", "s3cret"] } };
     const refused = Object.assign(new Error("refused"), sent, { detail: "s3cret", where: "s3cret" });
     log.warn({ err: refused }, "no connection");
     log.warn({ err: new AggregateError([refused]) }, "no connection");
     process.disconnect();`,
    "pipe",
  );
  const lines = (await text(child.stdout!)).trim().split("\n");
  expect(lines.map((line) => JSON.parse(line))).toMatchObject([
    { service: "test", msg: "no connection", err: { message: "refused" } },
    { service: "test", msg: "no connection" },
  ]);
  expect(lines.join()).not.toContain("s3cret");
});

it("escapes characters that a terminal obeys", async () => {
  const child = run(
    `log.info({ name: "\\u001b[2J\\u009b2J\\u202e" }, "a key"); process.disconnect();`,
    "pipe",
  );
  const line = await text(child.stdout!);
  expect(line).toMatch(/^[ -~]*\n$/);
  expect(JSON.parse(line)).toMatchObject({ name: "\u001b[2J\u009b2J\u202e" });
});

it.each(["a full disk", "a stalled reader"])(
  "neither blocks the process nor buffers without limit with %s",
  async (what) => {
    const child = run(
      `const text = "x".repeat(1_000);
       const heap = () => { gc(); return process.memoryUsage().heapUsed + process.memoryUsage().external; };
       const before = heap();
       for (let line = 0; line < 50_000; line++) log.info({ line, text });
       process.send(heap() - before);
       process.once("message", () => process.exit(7));`,
      what === "a full disk" && existsSync("/dev/full") ? openSync("/dev/full", "w") : "pipe",
    );
    const [grownBy] = await once(child, "message");
    expect(grownBy).toBeLessThan(20_000_000);
    child.send("end");
    expect(await once(child, "exit")).toEqual([7, null]);
  },
);
