import { expect } from "vitest";
import { callApi, type TestAccount } from "./accounts.ts";
import type { Studio, useBrowser } from "./browser.ts";
import { provided } from "./provided.ts";

type Open = ReturnType<typeof useBrowser>;

/** A page of the console, and the number of requests that it has sent to the admin port. */
export interface Console extends Studio {
  readonly countRequests: () => number;
}

/**
 * Opens a page of the console and signs in with the key of the role.
 *
 * @param path below `/admin`.
 */
export async function openConsole(
  open: Open,
  path: string,
  options: Parameters<Open>[0] & { readonly role?: "operator" | "support" } = {},
): Promise<Console> {
  const { role = "operator", ...look } = options;
  const { adminUrl, adminKey, supportKey } = provided();
  const studio = await open({ ...look, account: null, url: adminUrl, path: `/admin${path}` });
  const { page } = studio;
  let requests = 0;
  page.on("request", (request) => {
    if (request.url().includes("/admin/v1/")) requests += 1;
  });
  await enterKey(studio, role === "operator" ? adminKey : supportKey);
  await page.locator("nav").first().waitFor({ state: "attached" });
  return { ...studio, countRequests: () => requests };
}

/** Enters a key into the field that has the focus. */
export async function enterKey({ page }: Pick<Studio, "page">, key: string): Promise<void> {
  await page.locator("input[type=password]:focus").fill(key);
  await page.keyboard.press("Enter");
}

/** A finished job of an account, and one of its files. */
export interface MadeJob {
  readonly id: string;
  readonly requestId: string;
  readonly sha256: string;
  readonly file: Buffer;
}

/** Makes an image for €0.01. */
export async function makeJob(account: TestAccount): Promise<MadeJob> {
  const requestId = `order-${account.accountId.slice(-12)}`;
  const response = await fetch(`${provided().url}/v1/generate/image`, {
    method: "POST",
    headers: {
      Authorization: `Bearer ${account.key}`,
      "Content-Type": "application/json",
      "X-Request-Id": requestId,
    },
    body: JSON.stringify({ model: "builtin-pattern", prompt: "a lighthouse at dusk" }),
  });
  expect(response.status).toBe(200);
  const made = (await response.json()) as { id: string; image_url: string; image_hash: string };
  const file = Buffer.from(await (await fetch(made.image_url)).arrayBuffer());
  return { id: made.id, requestId, sha256: made.image_hash, file };
}

/** Reads the balance of an account. */
export async function balanceOf(account: TestAccount): Promise<number> {
  const response = await callApi(account, "GET", "/v1/account");
  const { balance_eur: balance } = (await response.json()) as { balance_eur: string };
  return Number(balance);
}
