import { spawn } from "node:child_process";
import { once } from "node:events";
import { getPriority } from "node:os";
import { expect, it } from "vitest";

const program = `
  import { lowerPriority } from ${JSON.stringify(import.meta.resolve("./lower-priority.ts"))};
  import { getPriority } from "node:os";
  lowerPriority();
  process.stdout.write(String(getPriority()));
`;

/** The priority that a program ends with when it is started with this one. */
async function priorityOf(nice: number): Promise<number> {
  const run = [process.execPath, "--input-type=module", "--eval", program];
  const child = spawn("nice", ["-n", String(nice - getPriority()), ...run]);
  const output = child.stdout.setEncoding("utf8").reduce((text, part: string) => text + part, "");
  await once(child, "close");
  return Number(await output);
}

it.skipIf(process.platform !== "linux")(
  "is below that of the program, down to the lowest",
  async () => {
    const base = Math.max(getPriority(), 0);
    expect(await priorityOf(base)).toBe(Math.min(base + 10, 19));
    expect(await priorityOf(15)).toBe(19);
    expect(await priorityOf(19)).toBe(19);
  },
);
