import { shareStack, type Stack, type TestAccount } from "@atelier/testing";
import { afterAll, beforeAll, expect, it } from "vitest";
import { runInTest } from "../testing/run-in-test.ts";

let stack: Stack;
let account: TestAccount;

beforeAll(async () => {
  stack = await shareStack();
  account = await stack.createAccount("20");
});

afterAll(() => stack.stop());

async function command(...args: string[]) {
  return runInTest(args, { ATELIER_URL: stack.url, ATELIER_API_KEY: account.key });
}

async function json<Result>(...args: string[]): Promise<Result> {
  const { code, stdout, stderr } = await command(...args, "--json");
  expect({ code, stderr }).toEqual({ code: 0, stderr: "" });
  return JSON.parse(stdout) as Result;
}

it("webhooks are created, changed, tested, rotated and deleted", async () => {
  const url = "https://example.com/hook";
  const created = await json<{ id: string; secret: string }>("webhooks", "create", url);
  expect(created).toMatchObject({ url, enabled: true, secret: expect.stringMatching(/^whsec_/) });
  const { id } = created;
  const events = ["--events", "job.completed,job.failed", "--disable"];
  expect(await json("webhooks", "update", id, ...events)).toMatchObject({
    events: ["job.completed", "job.failed"],
    enabled: false,
  });
  expect((await command("webhooks")).stdout).toMatch(/disabled +job\.completed,job\.failed/);
  await json("webhooks", "update", id, "--enable");
  const delivery = await json<{ id: string }>("webhooks", "test", id);
  const page = await json<{ deliveries: unknown[] }>("webhooks", "deliveries", id);
  expect(page.deliveries).toMatchObject([{ id: delivery.id, type: "webhook.test" }]);
  expect(await json("webhooks", "retry", delivery.id)).toMatchObject({ status: "pending" });
  const rotated = await json<{ secret: string }>("webhooks", "rotate-secret", id);
  expect(rotated.secret).not.toBe(created.secret);
  expect((await command("webhooks", "delete", id)).code).toBe(0);
  expect(await json("webhooks", "list")).toEqual({ webhooks: [] });
});

it("webhooks name an unknown type of event, and what is missing", async () => {
  const unknown = await command("webhooks", "create", "https://example.com/", "--events", "job.x");
  expect(unknown.stderr).toContain('"job.x" is not one of job.updated');
  const emptyUpdate = await command("webhooks", "update", account.accountId);
  expect(emptyUpdate.stderr).toContain("Nothing to change");
});

it("jobs watch prints the events of a job until it is final", async () => {
  const response = await stack.request(account, "POST", "/v1/generate/image", {
    model: "fake-blind",
    prompt: "a lighthouse",
  });
  const jobId = response.headers.get("X-Service-Job-Id") ?? "";
  const { code, stdout } = await command("jobs", "watch", jobId);
  expect({ code, stdout: stdout.trim() }).toEqual({
    code: 0,
    stdout: "job.completed  completed  1 of 1 images",
  });
});
