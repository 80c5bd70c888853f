import { createKey } from "@atelier/accounts";
import { fillHistory, startStack, type Stack, type TestAccount } from "@atelier/testing";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import {
  expectAccessible,
  looks,
  takePicture,
  useBrowser,
  type Studio,
} from "./support/browser.ts";
import { hasBrowser, provided } from "./support/provided.ts";

let stack: Stack;
let account: TestAccount;

const fox = "A red fox in a snowy birch forest at night, moon and stars";
const boats = "A lighthouse on a rocky coast at sunset, two sailing boats";
const story = "The lost kite";

describe.skipIf(!hasBrowser)("the Library page", () => {
  const open = useBrowser();
  const opened: Studio[] = [];
  async function openLibrary(path = "", more: Partial<Parameters<typeof open>[0]> = {}) {
    const studio = await open({ url: stack.url, account, ...more, path: `/studio/library${path}` });
    opened.push(studio);
    return studio;
  }
  // Their event streams would notice that a test stops the service.
  afterEach(async () => {
    for (const { context } of opened.splice(0)) await context.close();
  });

  beforeAll(async () => {
    stack = await startStack({ postgresUrl: provided().postgresUrl });
    account = await stack.createAccount();
    await makeJobs();
  });
  afterAll(() => stack.stop());

  const send = (body: object, operation = "image", owner = account) =>
    stack.request(owner, "POST", `/v1/generate/${operation}`, {
      model: "builtin-illustrator",
      ...body,
    });

  /** One job of each kind: two images, one image, a story, and a failed job. */
  async function makeJobs(): Promise<void> {
    stack.provider.behave(() => ({ kind: "refuse", categories: ["violence"] }));
    await Promise.all([
      send({ prompt: boats, n: 2, aspect_ratio: "3:2" }),
      send({ prompt: fox, metadata: { order: "A-1027" } }),
      send(
        {
          title: story,
          characters: [{ name: "Mira", description: "a girl with a yellow coat" }],
          scenes: [{ prompt: "Mira flies a kite" }, { prompt: "Mira finds the kite in a tree" }],
        },
        "story",
      ),
      send({ model: "fake-blind", prompt: "a storm" }),
    ]);
  }

  const tile = ({ page }: Studio, name: string) =>
    page.getByRole("list", { name: "Jobs" }).getByRole("link", { name });
  const tiles = ({ page }: Studio) => page.getByRole("list", { name: "Jobs" }).getByRole("link");
  const untilCount = ({ page }: Studio, text: string) =>
    page.getByText(text, { exact: true }).waitFor();
  const dialog = ({ page }: Studio) => page.getByRole("dialog").first();
  const focused = ({ page }: Studio) =>
    page.evaluate(() => document.activeElement?.textContent ?? "");
  const isLoaded = async (studio: Studio, name: string) => {
    const image = tile(studio, name).locator("img").first();
    await image.waitFor();
    await expect
      .poll(() => image.evaluate((element) => (element as HTMLImageElement).naturalWidth))
      .toBeGreaterThan(0);
  };

  it.each(looks)("shows all jobs and their details: $name", async (look) => {
    const studio = await openLibrary("", look);
    await untilCount(studio, "4 jobs");
    await isLoaded(studio, boats);
    await isLoaded(studio, story);
    await expectAccessible(studio);
    await takePicture(studio, `library-${look.name}`, { isStreaming: true });

    await tile(studio, boats).click();
    await dialog(studio)
      .getByText("Copy the SHA-256 of the PNG")
      .or(dialog(studio).getByRole("button", { name: "Copy the SHA-256 of the PNG" }))
      .first()
      .waitFor();
    await expectAccessible(studio);
    await takePicture(studio, `library-details-${look.name}`, { isStreaming: true });
    await studio.page.keyboard.press("Escape");
    await dialog(studio).waitFor({ state: "detached" });
  });

  it("keeps its filters in the address, also after a reload", async () => {
    const studio = await openLibrary();
    const { page } = studio;
    await untilCount(studio, "4 jobs");
    await page.getByLabel("Kind").selectOption("Story");
    await untilCount(studio, "1 job");
    expect(new URL(page.url()).search).toBe("?operation=story");
    await page.reload();
    await untilCount(studio, "1 job");
    await tile(studio, story).waitFor();
    await page.getByRole("button", { name: "Clear filters" }).click();
    await untilCount(studio, "4 jobs");

    await page.getByLabel("Search").fill("fox forest");
    await page.getByLabel("Search").press("Enter");
    await untilCount(studio, "1 job");
    await tile(studio, fox).waitFor();
    await page.getByRole("button", { name: "Clear filters" }).click();

    await page.getByLabel("Status").selectOption("Failed");
    await untilCount(studio, "1 job");
    await page.getByRole("button", { name: "Clear filters" }).click();

    await page.getByRole("button", { name: "More filters" }).click();
    const metadata = page.getByLabel("Metadata");
    await metadata.fill("order");
    await metadata.press("Enter");
    await page.getByText("Write a name and a value").waitFor();
    await expectAccessible(studio);
    await metadata.fill("order=A-1027");
    await metadata.press("Enter");
    await untilCount(studio, "1 job");
    await page.getByLabel("From").fill("2026-01-01");
    await page.getByLabel("From").press("Enter");
    await untilCount(studio, "1 job");
    const keys = page.getByLabel("Key", { exact: true });
    await keys.selectOption({ index: 1 });
    await untilCount(studio, "1 job");
    await page.getByLabel("To", { exact: true }).fill("2026-01-01");
    await page.getByLabel("To", { exact: true }).press("Enter");
    await page.getByText("No job matches these filters").waitFor();
    await page.reload();
    await page.getByText("No job matches these filters").waitFor();
    await expect.poll(() => page.getByLabel("To", { exact: true }).inputValue()).toBe("2026-01-01");
    await expectAccessible(studio);
  });

  it("is walked with the arrow keys, and opened and closed from the keyboard", async () => {
    const studio = await openLibrary();
    const { page } = studio;
    await untilCount(studio, "4 jobs");
    const names = await tiles(studio).evaluateAll((all) => all.map((one) => one.textContent));
    await tiles(studio).first().focus();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowRight");
    expect(await focused(studio)).toBe(names[2]);
    await page.keyboard.press("ArrowLeft");
    expect(await focused(studio)).toBe(names[1]);
    await page.setViewportSize({ width: 390, height: 844 });
    const top = async (at: number) => (await tiles(studio).nth(at).boundingBox())?.y ?? 0;
    await expect.poll(async () => (await top(2)) > (await top(0))).toBe(true);
    await page.keyboard.press("ArrowDown");
    await expect.poll(() => focused(studio)).toBe(names[3]);
    await page.keyboard.press("ArrowUp");
    await expect.poll(() => focused(studio)).toBe(names[1]);

    await page.keyboard.press("Enter");
    await dialog(studio).getByRole("heading").first().waitFor();
    const shownId = new URL(page.url()).searchParams.get("job");
    await page.keyboard.press("ArrowRight");
    await expect.poll(() => new URL(page.url()).searchParams.get("job")).not.toBe(shownId);
    await page.keyboard.press("Escape");
    await dialog(studio).waitFor({ state: "detached" });
    await expect.poll(() => focused(studio)).toBe(names[2]);
  });

  it("shows what was asked, what it cost, and all files with their hashes", async () => {
    const studio = await openLibrary(`?q=${encodeURIComponent("lighthouse")}`);
    const { page } = studio;
    await tile(studio, boats).click();
    const details = dialog(studio);
    await details.getByText("€0.02").waitFor();
    await details.getByText("Kept until").waitFor();
    await details.getByText("Watermark").or(details.getByText("C2PA signature")).first().waitFor();
    await details.getByText("Completed").first().waitFor();
    const id = new URL(page.url()).searchParams.get("job") ?? "";
    const job = (await (await stack.request(account, "GET", `/v1/jobs/${id}`)).json()) as {
      result: { images: { image_hash: string; formats: { webp: { hash: string } } }[] };
    };
    const [first, second] = job.result.images;
    await details.locator(`code[title="${first?.formats.webp.hash}"]`).waitFor();
    await details.getByRole("button", { name: "Image 2 of 2" }).click();
    await details.locator(`code[title="${second?.image_hash}"]`).waitFor();
    await details.locator("summary", { hasText: "Request" }).click();
    await details.getByText('"aspect_ratio": "3:2"').waitFor();
    await expectAccessible(studio);

    const saving = page.waitForEvent("download");
    await details.getByRole("button", { name: "Download ZIP" }).click();
    expect((await saving).suggestedFilename()).toBe(
      `atelier-a-lighthouse-on-a-rocky-coast-at-sunset-two-sail-${id.slice(-8)}.zip`,
    );
    await page.reload();
    await dialog(studio).getByText("€0.02").waitFor();
    await page.getByRole("link", { name: "See the chain of evidence" }).click();
    await page.getByRole("heading", { name: "Made here" }).waitFor();
  });

  it("takes a job to Create to make it again", async () => {
    const studio = await openLibrary();
    await tile(studio, fox).click();
    await dialog(studio).getByRole("button", { name: "Again" }).click();
    const { page } = studio;
    await page.getByRole("button", { name: /Generate image/ }).waitFor();
    await expect.poll(() => page.getByLabel("Prompt", { exact: true }).inputValue()).toBe(fox);
  });

  it("shows new jobs and their progress without a reload, and cancels one", async () => {
    const owner = await stack.createAccount();
    const studio = await openLibrary("", { account: owner });
    const { page } = studio;
    await page.getByText("No images yet").waitFor();
    await expectAccessible(studio);
    await takePicture(studio, "library-empty", { isStreaming: true });
    await Promise.all(stack.workers.map((worker) => worker.stop()));
    const wait = { Prefer: "respond-async" };
    const body = { model: "builtin-illustrator", prompt: "a kite" };
    for (const prompt of ["a kite over the sea", "a kite over hills"]) {
      await stack.request(owner, "POST", "/v1/generate/image", { ...body, prompt }, wait);
    }
    await tile(studio, "a kite over the sea").filter({ hasText: "Queued" }).waitFor();
    await tile(studio, "a kite over hills").filter({ hasText: "Queued" }).click();
    await dialog(studio).getByText("Requested").waitFor();
    await expectAccessible(studio);
    await dialog(studio).getByRole("button", { name: "Cancel this job" }).click();
    const confirmation = page.getByRole("dialog", { name: "Cancel this job?" });
    await expectAccessible(studio);
    await confirmation.getByRole("button", { name: "Keep it running" }).click();
    await confirmation.waitFor({ state: "detached" });
    await dialog(studio).getByRole("button", { name: "Cancel this job" }).click();
    await confirmation.getByRole("button", { name: "Cancel this job" }).click();
    await dialog(studio).getByText("Nothing was charged.").waitFor();
    await page.keyboard.press("Escape");
    await tile(studio, "a kite over hills").filter({ hasText: "Cancelled" }).waitFor();
    await stack.startWorker();
    await tile(studio, "a kite over the sea").filter({ hasText: "Completed" }).waitFor();
    await isLoaded(studio, "a kite over the sea");
    await expectAccessible(studio);
  });

  it("deletes images after a confirmation and keeps their hashes", async () => {
    const owner = await stack.createAccount();
    const made = await send({ prompt: "a boat" }, "image", owner);
    const { image_hash: hash } = (await made.json()) as { image_hash: string };
    const studio = await openLibrary("", { account: owner });
    const { page } = studio;
    await tile(studio, "a boat").click();
    await dialog(studio).getByRole("button", { name: "Delete image" }).click();
    const confirmation = page.getByRole("dialog", { name: "Delete this image?" });
    await expectAccessible(studio);
    await confirmation.getByRole("button", { name: "Cancel" }).click();
    await dialog(studio).getByRole("button", { name: "Delete image" }).click();
    await confirmation.getByRole("button", { name: "Delete image" }).click();
    await dialog(studio).getByText("The files of this image were deleted.").waitFor();
    await dialog(studio).locator(`code[title="${hash}"]`).waitFor();
    await expectAccessible(studio);
    await page.keyboard.press("Escape");
    await tile(studio, "a boat").getByText("Image deleted").first().waitFor();
    await page.reload();
    await tile(studio, "a boat").getByText(hash.slice(0, 12)).waitFor();
  });

  it("scrolls through 2,000 expired jobs without a failed request or a large page", async () => {
    const [accountId = ""] = await fillHistory(stack.database, { accounts: 1, generations: 2_000 });
    const pepper = stack.environment["KEY_PEPPER"] ?? "";
    const { id, key } = await createKey(stack.database, { accountId, name: "old", pepper });
    const studio = await openLibrary("", { account: { accountId, keyId: id, key } as TestAccount });
    const requests = watchLists(studio);
    await untilCount(studio, "60 jobs shown, scroll for more");
    await tiles(studio).first().getByText("Image deleted").first().waitFor();
    await expectAccessible(studio);
    await takePicture(studio, "library-expired", { isStreaming: true });
    await scrollThrough(studio);
    await untilCount(studio, "2000 jobs");
    expect(requests.failed).toEqual([]);
    // New jobs are looked for beside the next page.
    expect(requests.mostAtOnce).toBeLessThanOrEqual(2);
    expect(await tiles(studio).count()).toBeLessThan(150);
    await tiles(studio).last().click();
    await dialog(studio).getByText("The files of this image were deleted.").waitFor();
  });

  it("offers a retry when the service does not answer", async () => {
    const studio = await openLibrary();
    await untilCount(studio, "4 jobs");
    studio.allow(/ERR_CONNECTION_REFUSED|ERR_EMPTY_RESPONSE|ERR_INCOMPLETE|ERR_CONNECTION_RESET/);
    await stack.api.kill();
    await studio.page.getByLabel("Kind").selectOption("Image");
    await studio.page.getByText("The jobs cannot be shown.").waitFor();
    await expectAccessible(studio);
    await stack.startApi();
    await studio.page.getByRole("button", { name: "Try again" }).click();
    await untilCount(studio, "3 jobs");
  });
});

/** Watches the requests for pages of jobs. */
function watchLists({ page }: Studio) {
  const seen = { failed: [] as string[], mostAtOnce: 0 };
  let open = 0;
  const isList = (url: string) => new URL(url).pathname === "/v1/jobs";
  page.on("request", (request) => {
    if (!isList(request.url())) return;
    open += 1;
    seen.mostAtOnce = Math.max(seen.mostAtOnce, open);
  });
  page.on("response", (response) => {
    if (response.status() >= 400) seen.failed.push(`${response.status()} ${response.url()}`);
  });
  page.on("requestfinished", (request) => {
    if (isList(request.url())) open -= 1;
  });
  page.on("requestfailed", (request) => {
    if (isList(request.url())) open -= 1;
    seen.failed.push(request.url());
  });
  return seen;
}

/** Scrolls to the end until there is nothing more to read. */
async function scrollThrough({ page }: Studio): Promise<void> {
  await page.evaluate(
    () =>
      new Promise<void>((resolve) => {
        const status = document.querySelector("main [role=status]");
        function scroll(): void {
          if (status?.textContent?.includes("scroll") === false) return resolve();
          window.scrollTo(0, document.body.scrollHeight);
          requestAnimationFrame(scroll);
        }
        scroll();
      }),
  );
}
