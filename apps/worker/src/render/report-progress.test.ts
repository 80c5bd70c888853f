import { expect, it } from "vitest";
import { createProgressReport } from "./report-progress.ts";

it("progress of a render is announced at most twice a second, between 0 and 1", () => {
  let now = 0;
  const sent: unknown[] = [];
  const claim = { accountId: "a", generationId: "g", position: 2 };
  const notify = (_channel: string, payload: string) => void sent.push(JSON.parse(payload));
  const report = createProgressReport(claim, { notify }, () => now);
  for (let step = 0; step <= 20; step++) {
    report({ progress: step / 10, step, of: 20 });
    now += 100;
  }
  const { accountId, generationId } = claim;
  expect(sent).toEqual(
    [0, 5, 10, 15, 20].map((step) => ({
      accountId,
      generationId,
      progress: { render: 2, progress: Math.min(step / 10, 1), step, of: 20 },
    })),
  );
});
