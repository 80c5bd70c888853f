import { randomUUID } from "node:crypto";
import { shareStack, type Stack } from "@atelier/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { createClient, image, type Client } from "./support/client.ts";
import { holdCalls } from "./support/hold-calls.ts";

let stack: Stack;
let owner: Client;
let stranger: Client;

beforeAll(async () => {
  stack = await shareStack();
  [owner, stranger] = await Promise.all([createClient(stack), createClient(stack)]);
});

afterAll(() => stack.stop());

/** The parts of a response that a client sees, without those that differ between any two requests. */
async function visible(response: Response) {
  const headers = Object.fromEntries(response.headers);
  for (const name of ["date", "x-request-id", "ratelimit"]) delete headers[name];
  // In an MCP result, the error is JSON within JSON.
  const body = (await response.text()).replace(/(request_id\\*":\\*")[^"\\]*/, "$1");
  return { status: response.status, headers, body };
}

it("an id of another account gets the same response as an unknown id, in every job state", async () => {
  stack.provider.behave(() => ({ kind: "refuse", categories: ["violence"] }));
  const failed = (await owner.generate(image)).headers.get("X-Service-Job-Id");
  const held = holdCalls(stack.provider);
  const processing = await owner.accept();
  await held.called;
  const pending = await owner.accept({ ...image, model: "fake-resumable" });
  const completed = (await owner.generate({ ...image, model: "builtin-pattern" })).headers.get(
    "X-Service-Job-Id",
  );

  for (const method of ["GET", "DELETE"]) {
    const ask = (id: string) =>
      stack.request(stranger.account, method, `/v1/jobs/${id}`).then(visible);
    const absent = await ask(randomUUID());
    expect(absent.status).toBe(404);
    for (const id of [processing, pending, completed, failed]) {
      expect(await ask(id ?? "")).toEqual(absent);
      expect(await ask((id ?? "").toUpperCase())).toEqual(absent);
    }
    expect(await ask("not-an-id")).toEqual(absent);
  }
  const askByMcp = async (id: string) => {
    const call = { name: "get_job", arguments: { job_id: id } };
    const message = { jsonrpc: "2.0", id: 1, method: "tools/call", params: call };
    const headers = { Accept: "application/json, text/event-stream" };
    const answer = await visible(
      await stack.request(stranger.account, "POST", "/mcp", message, headers),
    );
    expect(answer.body).toContain("job_not_found");
    return answer;
  };
  const absent = await askByMcp(randomUUID());
  for (const id of [processing, pending, completed, failed]) {
    expect(await askByMcp(id ?? "")).toEqual(absent);
  }
  held.release();
  stack.provider.behave(() => ({ kind: "image" }));
  expect(await owner.untilFinal(processing)).toMatchObject({ status: "completed" });
  expect(await owner.untilFinal(pending)).toMatchObject({ status: "completed" });
});

it("a list contains only the account's own jobs, also with another account's cursor", async () => {
  const first = await owner.accept();
  await owner.accept();
  const own = await stranger.accept();
  const { next_cursor } = await owner.list("?limit=1");
  for (const query of ["", "?status=completed", "?kind=image", `?cursor=${next_cursor}`]) {
    const { jobs } = await stranger.list(query);
    expect(jobs.filter(({ id }) => id !== own)).toEqual([]);
  }
  expect((await owner.list()).jobs.map(({ id }) => id)).toContain(first);
});

it("an Idempotency-Key is scoped to the account", async () => {
  const headers = { "Idempotency-Key": "the-same" };
  const first = await owner.generate(image, headers);
  const second = await stranger.generate({ ...image, prompt: "something else" }, headers);
  expect([first.status, second.status]).toEqual([200, 200]);
  expect(second.headers.has("Idempotent-Replayed")).toBe(false);
  expect(second.headers.get("X-Service-Job-Id")).not.toBe(first.headers.get("X-Service-Job-Id"));
  expect((await owner.generate(image, headers)).headers.get("Idempotent-Replayed")).toBe("true");
});

it("accounts have separate balances", async () => {
  const [rich, poor] = [await createClient(stack, "1"), await createClient(stack, "0")];
  expect((await rich.generate()).status).toBe(200);
  expect((await poor.generate()).status).toBe(402);
  expect(await rich.money()).toEqual({ balance_eur: "0.95", held_eur: "0.00" });
  expect(await poor.money()).toEqual({ balance_eur: "0.00", held_eur: "0.00" });
});
