import { jobAccepted, type Job } from "@atelier/schemas";
import type { Stack, TestAccount } from "@atelier/testing";
import { expect } from "vitest";
import { until } from "./describe-queues.ts";

/** Sends a `POST /v1/generate/…` request, does not wait for its images, and returns the id of its job. */
export async function acceptJob(
  stack: Stack,
  account: TestAccount,
  operation: string,
  body: object,
): Promise<string> {
  const headers = { Prefer: "respond-async" };
  const path = `/v1/generate/${operation}`;
  const response = await stack.request(account, "POST", path, body, headers);
  expect(response.status).toBe(202);
  return jobAccepted.parse(await response.json()).job_id;
}

/** Waits until a job is final and returns it. */
export async function untilFinal(stack: Stack, account: TestAccount, jobId: string): Promise<Job> {
  let job: Job | undefined;
  await until(async () => {
    const response = await stack.request(account, "GET", `/v1/jobs/${jobId}`);
    job = (await response.json()) as Job;
    return job.status !== "pending" && job.status !== "processing";
  });
  if (job === undefined) throw new Error(`job ${jobId} was not found`);
  return job;
}
