import type { Studio } from "./browser.ts";

/**
 * Counts the presses of the pointer in a page from now on, also on later pages. Keys are not counted, and neither
 * are fields that a test fills without a press, so that a test must press or reach each field as a hand does.
 *
 * @returns the number of presses so far.
 */
export async function countClicks({ page }: Pick<Studio, "page">): Promise<() => number> {
  let clicks = 0;
  await page.exposeFunction("countClick", () => {
    clicks += 1;
  });
  const listen = () =>
    addEventListener(
      "pointerdown",
      ({ isTrusted }) => {
        if (isTrusted) (window as unknown as { countClick(): void }).countClick();
      },
      { capture: true },
    );
  await page.addInitScript(listen);
  await page.evaluate(listen);
  return () => clicks;
}
