import { describe, expect, it } from "vitest";
import { startStack } from "@atelier/testing";
import { newAccount } from "./support/accounts.ts";
import { expectAccessible, takePicture, useBrowser } from "./support/browser.ts";
import { hasBrowser, provided } from "./support/provided.ts";

describe.skipIf(!hasBrowser)("failures of the Create page", () => {
  const open = useBrowser();

  it("explains a refused prompt beside the prompt", async () => {
    const account = await newAccount();
    const studio = await open({ account });
    studio.allow(/422/);
    const { page } = studio;
    const prompt = page.getByLabel("Prompt", { exact: true });
    await prompt.fill("a zombie with its guts spilling out");
    await page.keyboard.press("Control+Enter");
    await expect.poll(() => prompt.getAttribute("aria-invalid")).toBe("true");
    await page.getByText("This was refused: gore.").waitFor();
    await expectAccessible(studio);
    await takePicture(studio, "create-refused-wide-light");
    await page.getByText("€10.00").first().waitFor();
    await prompt.fill("a zombie waving");
    await expect.poll(() => prompt.getAttribute("aria-invalid")).toBe(null);
  });

  it("says before and after the click that the balance does not cover the price", async () => {
    const account = await newAccount("0");
    const studio = await open({ account });
    studio.allow(/402/);
    const { page } = studio;
    await page.getByText("Your balance does not cover this request.").waitFor();
    await page.getByLabel("Prompt", { exact: true }).fill("a lighthouse at dusk");
    const [response] = await Promise.all([
      page.waitForResponse((one) => one.url().endsWith("/v1/generate/image")),
      page.keyboard.press("Control+Enter"),
    ]);
    expect(response.status()).toBe(402);
    await page.getByText("ask the operator to add credit").waitFor();
    await expectAccessible(studio);
    await expect.poll(() => new URL(page.url()).search).toBe("");
  });

  it("shows the problem of a field beside it", async () => {
    const studio = await open();
    studio.allow(/400/);
    const { page } = studio;
    const seed = page.getByLabel("Seed");
    await seed.fill("9999999999");
    await page.getByLabel("Prompt", { exact: true }).fill("a lighthouse at dusk");
    await page.keyboard.press("Control+Enter");
    await expect.poll(() => seed.getAttribute("aria-invalid")).toBe("true");
    await seed.fill("1");
    await expect.poll(() => seed.getAttribute("aria-invalid")).toBe(null);
  });

  it("says that a job does not exist", async () => {
    const studio = await open({ path: `/studio/?job=${crypto.randomUUID()}` });
    studio.allow(/404/);
    await studio.page.getByRole("heading", { name: "This job does not exist." }).waitFor();
    await expectAccessible(studio);
  });
});

describe.skipIf(!hasBrowser)("a job of the Create page", () => {
  const open = useBrowser();

  it("is completed after its worker and the API were killed, without a reload of the page", async () => {
    const stack = await startStack({ postgresUrl: provided().postgresUrl, processes: true });
    try {
      const account = await stack.createAccount();
      const called = Promise.withResolvers<void>();
      stack.provider.behave((_call, count) => {
        called.resolve();
        return count === 1 ? { kind: "hang" } : { kind: "image" };
      });
      const studio = await open({ account, url: stack.url });
      studio.allow(/Failed to load resource|ERR_/);
      const { page } = studio;
      await page.getByLabel("Model").selectOption("fake-blind");
      await page.getByLabel("Prompt", { exact: true }).fill("a lighthouse at dusk");
      await page.keyboard.press("Control+Enter");
      await called.promise;
      await page.getByText("Making and signing").first().waitFor();
      await Promise.all([stack.workers[0]?.kill(), stack.api.kill()]);
      await Promise.all([stack.startWorker(), stack.startApi()]);
      await page.getByRole("button", { name: /^Show in full size/ }).waitFor();
      await page.getByText("€9.95").first().waitFor();
      expect(stack.provider.calls).toHaveLength(2);
    } finally {
      await stack.stop();
    }
  });

  it("survives a reload and can be cancelled; a request above the rate limit is told when to try again", async () => {
    const stack = await startStack({
      postgresUrl: provided().postgresUrl,
      processes: true,
      environment: { GENERATIONS_PER_MINUTE: "1" },
    });
    try {
      const account = await stack.createAccount();
      const answer = Promise.withResolvers<void>();
      stack.provider.behave(async () => {
        await answer.promise;
        return { kind: "unavailable", retryAfterSeconds: 1 };
      });
      const studio = await open({ account, url: stack.url });
      const { page } = studio;
      await page.getByLabel("Model").selectOption("fake-blind");
      await page.getByLabel("Images").selectOption("2");
      await page.getByLabel("Prompt", { exact: true }).fill("a lighthouse at dusk");
      await page.keyboard.press("Control+Enter");
      await page.getByText("0 of 2 images done").waitFor();
      await expectAccessible(studio);
      await page.reload();
      await page.getByText("0 of 2 images done").waitFor();
      await page.getByText("€0.10 held for jobs").waitFor();
      const cancelled = page.waitForResponse(
        (response) => response.request().method() === "DELETE",
      );
      await page.getByRole("button", { name: "Cancel" }).click();
      await cancelled;
      // The job is cancelled when the images in progress have ended.
      answer.resolve();
      await page.getByRole("heading", { name: "This job was cancelled." }).waitFor();
      await page.getByText("€10.00").first().waitFor();
      await expect.poll(() => page.getByText("held for jobs").count()).toBe(0);

      studio.allow(/429/);
      await page.getByRole("button", { name: /^Generate 2 images/ }).click();
      await page.getByText(/^Try again in \d+ seconds?\.$/).waitFor();
    } finally {
      await stack.stop();
    }
  });
});
