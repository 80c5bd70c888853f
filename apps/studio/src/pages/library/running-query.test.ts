import type { ListedJob } from "@atelier/schemas";
import { expect, it } from "vitest";
import { queryClient } from "../../data/queries.ts";
import { runningQuery, updateRunning } from "./running-query.ts";

it("a running job keeps the prompt of the image that it changes, which events do not have", () => {
  const source = { job_id: "1", image: 0, prompt: "a boat" };
  const job = { id: "2", status: "pending", source } as ListedJob;
  queryClient.setQueryData(runningQuery.queryKey, { jobs: [job], hasMore: false });
  const event = { ...job, status: "processing", source: { ...source, prompt: null } } as const;
  expect(updateRunning(event)).toBe("changed");
  const jobs = () => queryClient.getQueryData(runningQuery.queryKey)?.jobs;
  expect(jobs()).toEqual([{ ...job, status: "processing" }]);
  expect(updateRunning({ ...event, id: "3" })).toBe("added");
  expect(updateRunning({ ...event, status: "completed" })).toBe("changed");
  expect(jobs()?.map(({ id }) => id)).toEqual(["3"]);
});
