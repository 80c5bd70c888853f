import { expect, it, onTestFinished } from "vitest";
import { SvgError } from "./sanitize-svg.ts";
import { createSvgDrawer } from "./svg-drawer.ts";

const size = { width: 1_024, height: 1_024 };
const svgOf = (shapes: string) =>
  `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1000 1000">${shapes}</svg>`;

function open(limits: Parameters<typeof createSvgDrawer>[0] = {}) {
  const drawer = createSvgDrawer(limits);
  onTestFinished(() => drawer.close());
  return drawer;
}

/** A path that is drawn over and over: within every limit of the sanitiser. */
const slow = svgOf(
  `<g stroke="#000" stroke-width="40" stroke-dasharray="0.01 0.01" stroke-linecap="round" fill="none">${'<path d="M0 0L1000 1000M0 1000L1000 0"/>'.repeat(2_000)}</g>`,
);

it("draws what the sanitiser keeps, and returns both", async () => {
  const drawn = await open().draw(svgOf('<script>1</script><rect width="9" height="9"/>'), size);
  expect(drawn.svg).not.toContain("script");
  expect(Buffer.from(drawn.png).readUInt32BE(16)).toBe(1_024);
});

it("does not blame a drawing for a busy machine", async () => {
  const drawer = open({ wallMs: 1 });
  await expect(drawer.draw(slow, size)).rejects.toMatchObject({
    name: "LimitError",
    reason: "busy",
  });
});

it("ends a drawing that takes too much CPU time, without work of this thread, and draws the next", async () => {
  const drawer = open({ cpuMs: 500, wallMs: 3_600_000 });
  const before = process.threadCpuUsage();
  await expect(drawer.draw(slow, size)).rejects.toThrow(
    /cannot be drawn: the process took too much CPU/,
  );
  const { user, system } = process.threadCpuUsage(before);
  // Drawing here would take all of the 5.5 seconds; other work of the process does not count.
  expect((user + system) / 1_000).toBeLessThan(2_500);
  await expect(drawer.draw(svgOf("<g/>"), size)).resolves.toHaveProperty("png");
}, 20_000);

it("ends a drawing that takes too much memory", { tags: "full", timeout: 20_000 }, async () => {
  const drawer = open({ maxResidentBytes: 200_000_000 });
  await expect(drawer.draw(svgOf("<g/>"), { width: 8_192, height: 8_192 })).rejects.toThrow(
    /too much memory/,
  );
});

it("refuses what the sanitiser refuses", async () => {
  await expect(open().draw("<html/>", size)).rejects.toThrow(SvgError);
});
