import { expect, it, onTestFinished } from "vitest";
import { createProgress, type ShownJob } from "./progress.ts";

const image = (step: number): ShownJob => ({
  id: "01a1fb00-0000-7000-8000-000000000000",
  kind: "image",
  status: "processing",
  scenes_completed: null,
  scenes_total: null,
  progress: { render: 0, progress: step / 20, step, of: 20 },
});

function show(interactive: boolean, jobs: readonly ShownJob[]): string {
  let written = "";
  const output = { isTTY: interactive, write: (text: string) => void (written += text) };
  const progress = createProgress({ output, interactive, color: false });
  onTestFinished(() => progress.end());
  for (const job of jobs) progress.show(job);
  return written;
}

it("an image whose engine reports progress has a bar on a terminal", () => {
  expect(show(true, [image(7)])).toContain(`${"█".repeat(8)}${"░".repeat(16)}  35 %, step 7 of 20`);
});

it("an image whose engine reports progress has a line for each tenth in a pipe", () => {
  expect(show(false, [image(1), image(2), image(3), image(7)])).toBe("0 %\n10 %\n30 %\n");
});

it("an image without progress has the time on a terminal, and nothing in a pipe", () => {
  const { progress: _progress, ...plain } = image(0);
  expect(show(true, [plain])).toContain("processing  0.");
  expect(show(false, [plain])).toBe("");
});
