import { newId } from "@atelier/database";
import { expect, onTestFinished } from "vitest";
import { callApi, openDatabase, type TestAccount } from "./accounts.ts";
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

/**
 * Makes the lane `broken` of a failing provider, whose worker on the host `lost` was killed, and the lane `whole`, whose
 * worker on the host `moved` was replaced. They are removed after the test.
 */
export async function breakLane(): Promise<void> {
  const workers = [
    { id: newId(), host: "lost", lane: "broken", started: 3, seen: 2 },
    { id: newId(), host: "moved", lane: "whole", started: 3, seen: 2 },
    { id: newId(), host: "next", lane: "whole", started: 1, seen: 0 },
  ];
  const database = openDatabase();
  onTestFinished(async () => {
    await database.query("DELETE FROM worker WHERE id = ANY ($1)", [workers.map(({ id }) => id)]);
    await database.query("DELETE FROM lane_health WHERE lane = 'broken'");
    await database.query("DELETE FROM provider_call WHERE provider = 'broken'");
  });
  for (const { id, host, lane, started, seen } of workers) {
    await database.query(
      `INSERT INTO worker (id, host, version, lanes, started_at, seen_at)
       VALUES ($1, $2, '0.4.0', ARRAY[$3], now() - $4 * interval '1 hour', now() - $5 * interval '1 hour')`,
      [id, host, lane, started, seen],
    );
  }
  await database.query(
    `INSERT INTO lane_health (lane, failures, last_render_id, reason, open_until)
     VALUES ('broken', 3, $1, 'status 503 of https://images.example.com/v1/predictions', now() + interval '10 minutes')`,
    [newId()],
  );
  await database.query(
    `INSERT INTO provider_call (id, render_id, attempt, provider, model, outcome, finished_at)
     SELECT $1, id, 100, 'broken', 'm', 'timed_out', now() FROM render LIMIT 1`,
    [newId()],
  );
}
