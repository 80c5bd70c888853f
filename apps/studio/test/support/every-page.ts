import { expect } from "vitest";
import { callApi, type TestAccount } from "./accounts.ts";
import type { Studio } from "./browser.ts";
import { provided } from "./provided.ts";

/** The texts of what is on the pages. */
interface Content {
  readonly prompt: string;
  readonly title: string;
  readonly character: string;
  readonly scenes: readonly string[];
  readonly webhook: string;
  readonly description: string;
}

/**
 * Creates an image, a story, a webhook and a budget.
 *
 * @returns the paths of all pages, below `/studio`.
 */
export async function createPages(account: TestAccount, content: Content): Promise<string[]> {
  const created = async (path: string, body: object) => {
    const response = await callApi(account, "POST", path, body);
    expect(response.status).toBeLessThan(300);
    return (await response.json()) as { id: string; job_id: string };
  };
  const image = await created("/v1/generate/image", {
    model: "builtin-illustrator",
    prompt: content.prompt,
    n: 2,
  });
  const story = await created("/v1/generate/story", {
    model: "builtin-illustrator",
    title: content.title,
    characters: [{ name: content.character, description: "a girl with a yellow coat" }],
    scenes: content.scenes.map((prompt) => ({ prompt })),
  });
  // The stream of its events ends with the story: its pages and its sheet have pictures.
  await (await callApi(account, "GET", `/v1/jobs/${story.job_id}/events`)).text();
  const webhook = await created("/v1/webhooks", {
    url: content.webhook,
    description: content.description,
    events: ["job.completed", "job.failed", "account.balance_low"],
  });
  await created("/v1/budgets", { name: content.title, eur: "5.00", period: "month" });
  await created("/v1/members", { name: content.character, role: "maker" });
  return [
    "/",
    `/?job=${image.id}`,
    "/stories",
    "/stories/new",
    `/stories/${story.job_id}`,
    `/stories/${story.job_id}/pages`,
    `/stories/${story.job_id}/sheet`,
    "/library",
    `/library?job=${image.id}`,
    "/usage",
    "/keys",
    "/budgets",
    "/members",
    "/webhooks",
    `/webhooks/${webhook.id}`,
    "/skills",
    "/account",
    "/verify",
    "/nowhere",
  ];
}

/** Opens a page and waits until it is complete. */
export async function visit({ page }: Studio, path: string): Promise<void> {
  await page.goto(`${provided().url}/studio${path}`);
  await page.locator("h1").first().waitFor();
  await page.locator("[aria-busy=true]").waitFor({ state: "detached" });
}

/** Strips of images reach the edges of the screen, beyond the padding of the page. */
const padding = 16;

/** Parts of the page whose content is wider than they are, without a way to scroll to it. */
export function findOverflow({ page }: Studio): Promise<string[]> {
  return page.evaluate(
    (tolerance) =>
      [
        ...document.querySelectorAll(
          "header, nav, main, section, article, form, fieldset, li, dialog",
        ),
      ]
        .filter(
          (part) =>
            part.scrollWidth > part.clientWidth + tolerance &&
            getComputedStyle(part).overflowX === "visible" &&
            getComputedStyle(part).display !== "inline",
        )
        .map((part) => `${part.tagName} ${part.className} ${part.textContent.slice(0, 60)}`),
    padding,
  );
}

/** Buttons, links and choices whose text is cut off. Names that people wrote may be shortened. */
export function findClippedControls({ page }: Studio): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll<HTMLElement>("button, a, label, summary, legend, th, dt")]
      .filter(
        (control) =>
          control.textContent.trim() !== "" &&
          control.checkVisibility() &&
          !control.matches(".sr, .sr *"),
      )
      .filter(
        (control) =>
          getComputedStyle(control).display !== "inline" &&
          (control.scrollWidth > control.clientWidth + 1 ||
            control.scrollHeight > control.clientHeight + 4),
      )
      .map((control) => `${control.tagName} ${control.className} ${control.textContent}`),
  );
}
