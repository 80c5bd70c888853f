import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { startStack, type Stack } from "@atelier/testing";
import { Webhook } from "standardwebhooks";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { newAccount, type TestAccount } from "./support/accounts.ts";
import {
  expectAccessible,
  looks,
  takePicture,
  useBrowser,
  type Studio,
} from "./support/browser.ts";
import { mintKey } from "./support/jobs.ts";
import { hasBrowser, provided } from "./support/provided.ts";

/** A request that the receiver got. */
interface Received {
  readonly path: string;
  readonly headers: Record<string, string>;
  readonly body: string;
}

describe.skipIf(!hasBrowser)("the Webhooks pages", () => {
  const open = useBrowser();
  const received: Received[] = [];
  /** Statuses by path; other paths accept. */
  const statuses = new Map<string, number>();
  const receiver = createServer((request, response) => {
    let body = "";
    request.on("data", (chunk) => (body += String(chunk)));
    request.on("end", () => {
      const path = request.url ?? "";
      received.push({ path, headers: request.headers as Received["headers"], body });
      response.writeHead(statuses.get(path) ?? 204).end();
    });
  });
  /** A service that may send to the receiver. */
  let stack: Stack;
  let base: string;

  beforeAll(async () => {
    receiver.listen(0, "127.0.0.1");
    await once(receiver, "listening");
    const host = `127.0.0.1:${(receiver.address() as AddressInfo).port}`;
    base = `http://${host}`;
    stack = await startStack({
      postgresUrl: provided().postgresUrl,
      environment: { WEBHOOK_PRIVATE_HOSTS: host },
    });
  });

  afterAll(async () => {
    receiver.closeAllConnections();
    receiver.close();
    await stack.stop();
  });

  async function create(account: TestAccount, target: string): Promise<string> {
    const response = await stack.request(account, "POST", "/v1/webhooks", {
      url: base + target,
      events: ["job.completed", "job.failed"],
      description: "The shop",
    });
    expect(response.status).toBe(201);
    return ((await response.json()) as { id: string }).id;
  }

  const openPage = (path: string, options: Parameters<typeof open>[0]) =>
    open({ ...options, path, url: stack.url });

  type State = "Delivered" | "Failed" | "Retrying";
  const inState = ({ page }: Pick<Studio, "page">, state: State) =>
    page.getByRole("cell").getByText(state, { exact: true }).first();

  /** Sends a test event and waits for the outcome. */
  async function sendTest({ page }: Studio, state: State) {
    await page.getByRole("button", { name: "Send a test event" }).click();
    await inState({ page }, state).waitFor();
  }

  it("creates a webhook whose secret verifies what the receiver gets", async () => {
    const account = await stack.createAccount();
    const { page } = await openPage("/studio/webhooks", { account });
    await page.getByRole("button", { name: "Create a webhook" }).click();
    await page.getByLabel("URL").fill(`${base}/first`);
    await page.getByRole("checkbox", { name: /^job.failed/ }).uncheck();
    await page.getByRole("dialog").getByRole("button", { name: "Create a webhook" }).click();
    const dialog = page.getByRole("dialog", { name: "The secret of the webhook" });
    const secret = (await dialog.locator("code").textContent()) ?? "";
    await page.mouse.click(5, 5);
    await page.keyboard.press("Escape");
    await dialog.getByRole("button", { name: "I have stored it" }).click();
    await page.getByRole("link", { name: /first/ }).click();
    await page.getByText("Nothing was sent yet").waitFor();
    await page.getByRole("button", { name: "Send a test event" }).click();
    await inState({ page }, "Delivered").waitFor();
    await page.getByText("Status 204").first().waitFor();
    const [request] = received.filter(({ path }) => path === "/first");
    const event = new Webhook(secret).verify(request?.body ?? "", request?.headers ?? {});
    expect(event).toMatchObject({ type: "webhook.test" });
    expect(await page.content()).not.toContain(secret);

    await page.getByRole("button", { name: /^Resend webhook.test/ }).click();
    await expect
      .poll(() => received.filter(({ path }) => path === "/first").length, { timeout: 60_000 })
      .toBe(2);
    await page.getByText("2 attempts").waitFor();
  });

  it("shows why a delivery failed and when it is tried next, and sends it again", async () => {
    statuses.set("/broken", 500);
    const account = await stack.createAccount();
    const id = await create(account, "/broken");
    const studio = await openPage(`/studio/webhooks/${id}`, { account });
    const { page } = studio;
    await sendTest(studio, "Retrying");
    const row = page.getByRole("row").filter({ hasText: "webhook.test" });
    await row.getByText(/500/).first().waitFor();
    // The next attempt is five seconds later, and may have been made.
    await row.getByText(/^Next attempt: .*\d/).waitFor();
    await row.getByText(/Status 500 · \d+ attempts?/).click();
    const attempts = row.getByRole("listitem").filter({ hasText: "Status 500" });
    await attempts.first().waitFor();
    await expectAccessible(studio);
    statuses.delete("/broken");
    await row.getByRole("button", { name: /^Resend webhook.test/ }).click();
    await inState({ page }, "Delivered").waitFor();
    await page.getByText("Enabled", { exact: true }).waitFor();
  });

  it("cannot send to a disabled webhook, and can again after it was enabled", async () => {
    statuses.set("/off", 500);
    const account = await stack.createAccount();
    const id = await create(account, "/off");
    const studio = await openPage(`/studio/webhooks/${id}`, { account });
    const { page } = studio;
    await sendTest(studio, "Retrying");
    await page.getByText(/Failing since/).waitFor();
    await page.getByRole("button", { name: "Disable" }).click();
    await inState({ page }, "Failed").waitFor();
    await expect
      .poll(() => page.getByRole("button", { name: "Send a test event" }).isDisabled())
      .toBe(true);
    statuses.delete("/off");
    await page.getByRole("button", { name: "Enable" }).click();
    await page.getByRole("button", { name: /^Resend webhook.test/ }).click();
    await inState({ page }, "Delivered").waitFor();
  });

  it("rotates the secret with an overlap, in which requests carry both signatures", async () => {
    const account = await stack.createAccount();
    const id = await create(account, "/rotated");
    const studio = await openPage(`/studio/webhooks/${id}`, { account });
    const { page } = studio;
    await page.getByRole("button", { name: "Rotate secret" }).click();
    await page.getByLabel("The old secret works for").selectOption("1 hour");
    await page.getByRole("dialog").getByRole("button", { name: "Rotate" }).click();
    const secret = (await page.getByRole("dialog").locator("code").textContent()) ?? "";
    expect(secret).toMatch(/^whsec_/);
    await page.getByRole("button", { name: "I have stored it" }).click();
    await sendTest(studio, "Delivered");
    const request = received.find(({ path }) => path === "/rotated");
    expect(request?.headers["webhook-signature"]?.split(" ")).toHaveLength(2);
    new Webhook(secret).verify(request?.body ?? "", request?.headers ?? {});
  });

  it("changes and deletes a webhook, and describes a URL that nothing is sent to beside it", async () => {
    const account = await stack.createAccount();
    const id = await create(account, "/old");
    const studio = await openPage(`/studio/webhooks/${id}`, { account });
    studio.allow(/400/);
    const { page } = studio;
    await page.getByRole("button", { name: "Edit" }).click();
    await page.getByLabel("URL").fill("https://10.0.0.1/");
    await page.getByRole("button", { name: "Save" }).click();
    const problem = page.getByRole("alert");
    await expect.poll(() => problem.textContent()).toMatch(/public HTTPS URL/);
    await expect.poll(() => problem.textContent()).toContain("WEBHOOK_PRIVATE_HOSTS=10.0.0.1:443");
    await page.getByLabel("URL").fill("http://localhost:4010/hook");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText("the operator sets WEBHOOK_PRIVATE_HOSTS=localhost:4010.").waitFor();
    const describes = async () => {
      const described = await page.getByLabel("URL").getAttribute("aria-describedby");
      return described?.split(" ").includes((await problem.getAttribute("id")) ?? "none");
    };
    await expect.poll(describes).toBe(true);
    await page.getByLabel("URL").fill(`${base}/new`);
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByText(`${base}/new`).waitFor();
    await page.getByRole("button", { name: "Delete" }).click();
    const dialog = page.getByRole("dialog", { name: `Delete ${base}/new` });
    await expectAccessible(studio);
    await dialog.getByRole("button", { name: "Delete" }).click();
    await page.getByText("No webhooks yet").waitFor();
    expect((await stack.request(account, "GET", `/v1/webhooks/${id}`)).status).toBe(404);
  });

  it("says that a webhook was deleted in another tab, whatever is done with it", async () => {
    const account = await stack.createAccount();
    for (const act of [
      (page: Studio["page"]) => page.getByRole("button", { name: "Send a test event" }).click(),
      (page: Studio["page"]) => page.getByRole("button", { name: "Disable" }).click(),
      async (page: Studio["page"]) => {
        await page.getByRole("button", { name: "Edit" }).click();
        await page.getByRole("button", { name: "Save" }).click();
      },
    ]) {
      const id = await create(account, "/deleted");
      const studio = await openPage(`/studio/webhooks/${id}`, { account });
      studio.allow(/404/);
      await studio.page.getByText("Nothing was sent yet").waitFor();
      // Between the deletion and the click, the page may look again by itself.
      const used = Promise.withResolvers<undefined>();
      await studio.page.route(`**/v1/webhooks/${id}*`, async (route) => {
        if (route.request().method() === "GET") await used.promise;
        await route.continue();
      });
      await stack.request(account, "DELETE", `/v1/webhooks/${id}`);
      await act(studio.page);
      used.resolve(undefined);
      await studio.page.getByText("This webhook does not exist.").waitFor();
      await expect.poll(() => studio.page.getByRole("dialog").count()).toBe(0);
    }
  });

  it("says that a webhook does not exist", async () => {
    const account = await stack.createAccount();
    const studio = await openPage("/studio/webhooks/nowhere", { account });
    studio.allow(/404/);
    await studio.page.getByText("This webhook does not exist.").waitFor();
    await expectAccessible(studio);
  });

  it("explains what a key without the permission lacks", async () => {
    const limited = await mintKey(await newAccount(), { name: "limited", scopes: ["generate"] });
    const studio = await open({ account: limited, path: "/studio/webhooks" });
    studio.allow(/403/);
    await studio.page.getByText('the permission "Manage"').waitFor();
    await expectAccessible(studio);
  });

  it.each(looks)("is accessible in each state: $name", async (look) => {
    statuses.set("/down", 503);
    statuses.delete("/orders");
    const account = await stack.createAccount();
    const studio = await openPage("/studio/webhooks", { ...look, account });
    const { page } = studio;
    await page.getByText("No webhooks yet").waitFor();
    await expectAccessible(studio);
    await page.getByRole("button", { name: "Create a webhook" }).click();
    await expectAccessible(studio);
    await page.keyboard.press("Escape");
    await page.getByRole("dialog").waitFor({ state: "detached" });
    await create(account, "/down");
    await create(account, "/orders");
    await page.reload();
    await page.getByRole("link", { name: /orders/ }).waitFor();
    await expectAccessible(studio);
    await takePicture(studio, `webhooks-${look.name}`);
    await page.getByRole("link", { name: /orders/ }).click();
    await sendTest(studio, "Delivered");
    statuses.set("/orders", 503);
    await sendTest(studio, "Retrying");
    await page.getByText(/503/).first().waitFor();
    await expectAccessible(studio);
    await takePicture(studio, `webhook-${look.name}`);
  });
});
