import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFile } from "node:fs/promises";
import { expect, it } from "vitest";

const early = new URL("exit-on-signals.ts", import.meta.url).href;

it("ends a process that still loads its modules, with the exit code of shells", async () => {
  const script = `
    import { exitOnSignals } from ${JSON.stringify(early)};
    exitOnSignals();
    process.stdout.write("handled");
    setInterval(() => undefined, 1_000);`;
  const child = spawn(process.execPath, ["--input-type=module", "--eval", script], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  const ended = once(child, "exit");
  await once(child.stdout, "data");
  child.kill("SIGTERM");
  expect(await ended).toEqual([143, null]);
});

/** Modules that import nothing but Node's, so that signals are handled at once. */
const small = ["@atelier/process/exit-on-signals", "@atelier/process/keep-compiled-code"];

it.each(["api", "worker", "cli"])("is called by %s before its modules are loaded", async (app) => {
  const main = new URL(`../../../apps/${app}/src/main.ts`, import.meta.url);
  const source = await readFile(main, "utf8");
  const imported = [...source.matchAll(/^import .* from "(.*)";$/gm)].map(([, name]) => name);
  expect(imported.filter((name) => !name?.startsWith("node:"))).toEqual(small);
  expect(source.indexOf("exitOnSignals()")).toBeLessThan(source.indexOf("await "));
});
