import { createKey } from "@atelier/accounts";
import { fillHistory, startStack, type Stack, type TestAccount } from "@atelier/testing";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
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
  const openLibrary = (path = "", more: Partial<Parameters<typeof open>[0]> = {}) =>
    open({ url: stack.url, account, ...more, path: `/studio/library${path}` });

  beforeAll(async () => {
    stack = await startStack({ postgresUrl: provided().postgresUrl, processes: true });
    account = await stack.createAccount();
    await makeJobs();
  });
  afterAll(() => stack.stop());

  const send = (body: object, operation = "image", owner = account) =>
    stack.request(owner, "POST", `/v1/generate/${operation}`, {
      model: "builtin-illustrator",
      ...body,
    });

  /** Requests images without waiting for them. */
  const order = (owner: TestAccount, body: object) =>
    stack.request(
      owner,
      "POST",
      "/v1/generate/image",
      { model: "builtin-illustrator", ...body },
      { Prefer: "respond-async" },
    );

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
    await studio.page.getByText("Images are kept for 24 hours.").waitFor();
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
    await expect.poll(() => new URL(page.url()).search).toBe("?operation=story");
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
    // Days count as soon as they are chosen.
    await page.getByLabel("From").fill("2026-01-01");
    await expect.poll(() => new URL(page.url()).searchParams.get("from")).toBe("2026-01-01");
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

  it("searches while the words are typed, with one request for several characters", async () => {
    const studio = await openLibrary();
    const { page } = studio;
    await untilCount(studio, "4 jobs");
    const searches: string[] = [];
    page.on("request", (request) => {
      const words = new URL(request.url()).searchParams.get("q");
      if (request.url().includes("/v1/jobs?") && words !== null) searches.push(words);
    });
    await page.getByLabel("Search").pressSequentially("fox forest", { delay: 20 });
    await untilCount(studio, "1 job");
    await tile(studio, fox).waitFor();
    // New jobs are read again with the same words.
    expect(new Set(searches)).toEqual(new Set(["fox forest"]));
    // The last word is found by its beginning.
    await page.getByLabel("Search").fill("forest fo");
    await untilCount(studio, "1 job");
    await page.getByLabel("Search").fill("fox forest");
    await untilCount(studio, "1 job");
    // The space at its end is not lost while more is typed.
    await page.getByLabel("Search").press("Space");
    await expect.poll(() => page.getByLabel("Search").inputValue()).toBe("fox forest ");
    await page.getByLabel("Search").press("Control+a");
    await page.getByLabel("Search").press("Delete");
    await untilCount(studio, "4 jobs");
  });

  it("opens a job by one click right after typing", async () => {
    const studio = await openLibrary();
    const { page } = studio;
    await untilCount(studio, "4 jobs");
    await isLoaded(studio, boats);
    // The result arrives after the click.
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    await page.route("**/v1/jobs?*q=fox*", async (route) => {
      await released;
      await route.continue();
    });
    await page.getByLabel("Search").pressSequentially("fox");
    await tile(studio, boats).click({ delay: 400 });
    await dialog(studio).waitFor();
    await dialog(studio).getByText(boats).first().waitFor();
    await expect.poll(() => new URL(page.url()).searchParams.get("job")).not.toBeNull();
    release();
    await page.keyboard.press("Escape");
    await untilCount(studio, "1 job");
    await expect.poll(() => new URL(page.url()).search).toBe("?q=fox");
  });

  it("clears words that were typed but not searched yet", async () => {
    const studio = await openLibrary("?operation=image");
    const { page } = studio;
    await untilCount(studio, "3 jobs");
    await page.getByLabel("Search").pressSequentially("fox");
    await page.getByRole("button", { name: "Clear filters" }).click();
    await untilCount(studio, "4 jobs");
    await expect.poll(() => page.getByLabel("Search").inputValue()).toBe("");
    await expect.poll(() => new URL(page.url()).search).toBe("");
  });

  it("is walked with the arrow keys, and opened and closed from the keyboard", async () => {
    const studio = await openLibrary();
    const { page } = studio;
    await untilCount(studio, "4 jobs");
    const names = await tiles(studio).evaluateAll((all) => all.map((one) => one.textContent));
    await tiles(studio).first().focus();
    await page.keyboard.press("ArrowRight");
    await page.keyboard.press("ArrowRight");
    await expect.poll(() => focused(studio)).toBe(names[2]);
    await page.keyboard.press("ArrowLeft");
    await expect.poll(() => focused(studio)).toBe(names[1]);
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
    // With Alt, arrows belong to the browser.
    await page.keyboard.press("Alt+ArrowRight");
    await expect.poll(() => new URL(page.url()).searchParams.get("job")).toBe(shownId);
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

  it("finds the job of a file that is dropped, pasted as a hash or chosen", async () => {
    const studio = await openLibrary("?operation=story");
    const { page } = studio;
    await untilCount(studio, "1 job");
    const { jobs } = (await (
      await stack.request(account, "GET", "/v1/jobs?operation=image&q=fox")
    ).json()) as { jobs: { result: { formats: { jpeg: { url: string; hash: string } } } }[] };
    const file = jobs[0]?.result.formats.jpeg;
    if (file === undefined) throw new Error("the job of the fox has no JPEG");
    const bytes = Buffer.from(await (await fetch(file.url)).arrayBuffer());
    const transfer = await page.evaluateHandle((base64) => {
      const data = new DataTransfer();
      const content = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
      data.items.add(new File([content], "fox.jpeg", { type: "image/jpeg" }));
      return data;
    }, bytes.toString("base64"));
    await page.locator("main").dispatchEvent("dragover", { dataTransfer: transfer });
    await page.getByText("Drop the file to find its job").waitFor();
    await page.locator("main").dispatchEvent("drop", { dataTransfer: transfer });
    await tile(studio, fox).waitFor();
    await untilCount(studio, "1 job");
    await expect.poll(() => new URL(page.url()).search).toBe(`?hash=${file.hash}`);
    await expect.poll(() => page.getByLabel("SHA-256 of a file").inputValue()).toBe(file.hash);
    await expectAccessible(studio);

    await page.getByRole("button", { name: "Clear filters" }).click();
    await untilCount(studio, "4 jobs");
    const [chooser] = await Promise.all([
      page.waitForEvent("filechooser"),
      page.getByRole("button", { name: "Find by file" }).click(),
    ]);
    await chooser.setFiles({ name: "other.txt", mimeType: "text/plain", buffer: Buffer.from("x") });
    await page.getByText("No job of this account made this file").waitFor();
    await expectAccessible(studio);

    await page.locator("main").focus();
    await page.evaluate((hash) => {
      const clipboardData = new DataTransfer();
      clipboardData.setData("text/plain", hash);
      dispatchEvent(new ClipboardEvent("paste", { clipboardData }));
    }, file.hash.toUpperCase());
    await tile(studio, fox).waitFor();
    await page.getByLabel("SHA-256 of a file").fill("abc");
    await page.getByLabel("SHA-256 of a file").press("Enter");
    await page.getByText("A SHA-256 has 64 digits").waitFor();
  });

  it("says of a job that does not exist that it does not", async () => {
    const studio = await openLibrary(`?job=${crypto.randomUUID()}`);
    studio.allow(/404/);
    await dialog(studio).getByText("This job does not exist.").waitFor();
    await expect
      .poll(() => dialog(studio).getByRole("button", { name: "Try again" }).count())
      .toBe(0);
    await expectAccessible(studio);
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
    for (const prompt of ["a kite over the sea", "a kite over hills"]) {
      await order(owner, { prompt });
    }
    await tile(studio, "a kite over the sea").filter({ hasText: "Queued" }).waitFor();
    await tile(studio, "a kite over hills").filter({ hasText: "Queued" }).click();
    await dialog(studio).getByText("Requested", { exact: true }).waitFor();
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

  it("keeps running jobs at the top, also those that the filters hide, and cancels all", async () => {
    const owner = await stack.createAccount();
    await Promise.all(stack.workers.map((worker) => worker.stop()));
    for (const prompt of ["a kite", "a boat", "a lake"]) await order(owner, { prompt });
    const studio = await openLibrary("?status=completed", { account: owner });
    const { page } = studio;
    const running = page.getByRole("region", { name: /running/ });
    await page.getByText("No job matches these filters").waitFor();
    await running.getByRole("heading", { name: "3 jobs running" }).waitFor();
    await expectAccessible(studio);
    await running.getByRole("button", { name: "Cancel a boat" }).click();
    const one = page.getByRole("dialog", { name: "Cancel this job?" });
    await one.getByRole("button", { name: "Cancel this job" }).click();
    await running.getByRole("heading", { name: "2 jobs running" }).waitFor();
    // The button that had it is gone.
    await expect.poll(() => page.evaluate(() => document.activeElement?.id)).toBe("main");
    await running.getByRole("button", { name: "Cancel all" }).click();
    const all = page.getByRole("dialog", { name: "Cancel all running jobs?" });
    await expectAccessible(studio);
    await all.getByRole("button", { name: "Cancel all" }).click();
    await page.getByText("2 jobs cancelled.").waitFor();
    await running.waitFor({ state: "detached" });
    const response = await stack.request(owner, "GET", "/v1/jobs");
    const { jobs } = (await response.json()) as { jobs: { status: string }[] };
    expect(jobs.map(({ status }) => status)).toEqual(["cancelled", "cancelled", "cancelled"]);
    await stack.startWorker();
  });

  it("says of a cancelled job that it stops after its image in progress", async () => {
    const owner = await stack.createAccount();
    const { promise: released, resolve: release } = Promise.withResolvers<void>();
    let calls = 0;
    stack.provider.behave(async () => {
      calls += 1;
      if (calls > 1) return { kind: "rate-limit", retryAfterSeconds: 60 };
      await released;
      return { kind: "image" };
    });
    await order(owner, { model: "fake-blind", prompt: "a kite", n: 2 });
    const studio = await openLibrary("", { account: owner });
    const running = studio.page.getByRole("region", { name: "1 job running" });
    await running.getByText("0 of 2 images done").waitFor();
    await running.getByRole("button", { name: "Cancel a kite" }).click();
    await dialog(studio).getByRole("button", { name: "Cancel this job" }).click();
    await running.getByText("Stops after the current image").waitFor();
    await expect.poll(() => running.getByRole("button", { name: "Cancel a kite" }).count()).toBe(0);
    release();
    await running.waitFor({ state: "detached" });
    await tile(studio, "a kite").filter({ hasText: "Cancelled" }).waitFor();
  });

  it("deletes images after a confirmation and keeps their hashes", async () => {
    const owner = await stack.createAccount();
    const generated = await send({ prompt: "a boat" }, "image", owner);
    const { image_hash: hash } = (await generated.json()) as { image_hash: string };
    const studio = await openLibrary("", { account: owner });
    const { page } = studio;
    await tile(studio, "a boat").click();
    await dialog(studio).getByRole("button", { name: "Delete image" }).click();
    const confirmation = page.getByRole("dialog", { name: "Delete this image?" });
    await expectAccessible(studio);
    await confirmation.getByRole("button", { name: "Cancel" }).click();
    await dialog(studio).getByRole("button", { name: "Delete image" }).click();
    await confirmation.getByRole("button", { name: "Delete image" }).click();
    await dialog(studio).getByText("The files of this image are not kept any more.").waitFor();
    await dialog(studio).locator(`code[title="${hash}"]`).waitFor();
    // The button that had the focus is gone.
    await expect
      .poll(() => page.evaluate(() => document.activeElement?.getAttribute("aria-label")))
      .toBe("Close");
    await expectAccessible(studio);
    await page.keyboard.press("Escape");
    await dialog(studio).waitFor({ state: "detached" });
    await tile(studio, "a boat").getByText("Image deleted").first().waitFor();
    await page.reload();
    await tile(studio, "a boat").getByText(hash.slice(0, 12)).waitFor();
  });

  it("scrolls through 10,000 expired jobs with 60 a request, a small page and 30 MB", async () => {
    const [accountId = ""] = await fillHistory(stack.database, {
      accounts: 1,
      generations: 10_000,
    });
    const pepper = stack.environment["KEY_PEPPER"] ?? "";
    const { id, key } = await createKey(stack.database, { accountId, name: "old", pepper });
    const studio = await openLibrary("", { account: { accountId, keyId: id, key } as TestAccount });
    const requests = watchLists(studio);
    await untilCount(studio, "60 jobs shown, scroll for more");
    await tiles(studio).first().getByText("Not kept any more").first().waitFor();
    await expectAccessible(studio);
    await takePicture(studio, "library-expired", { isStreaming: true });
    await scrollThrough(studio);
    await untilCount(studio, "10,000 jobs");
    expect(requests.failed).toEqual([]);
    // Besides, the page looks for new jobs and for running ones.
    expect(requests.count).toBeLessThanOrEqual(Math.ceil(10_000 / 60) + 10);
    expect(requests.mostAtOnce).toBeLessThanOrEqual(3);
    await expect.poll(() => tiles(studio).count()).toBeLessThan(150);
    expect(await heapBytes(studio)).toBeLessThan(30_000_000);
    await tiles(studio).last().click();
    await dialog(studio).getByText("The files of this image are not kept any more.").waitFor();
  });

  it("offers a retry when the service does not answer", async () => {
    const studio = await openLibrary();
    await untilCount(studio, "4 jobs");
    studio.allow(/net::ERR_/);
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
  const seen = { failed: [] as string[], mostAtOnce: 0, count: 0 };
  let open = 0;
  const isList = (url: string) => new URL(url).pathname === "/v1/jobs";
  page.on("request", (request) => {
    if (!isList(request.url())) return;
    open += 1;
    seen.count += 1;
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

/** Returns the memory that the scripts of a page hold, in bytes. */
async function heapBytes({ page }: Studio): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send("HeapProfiler.collectGarbage");
  const { usedSize } = await session.send("Runtime.getHeapUsage");
  await session.detach();
  return usedSize;
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
