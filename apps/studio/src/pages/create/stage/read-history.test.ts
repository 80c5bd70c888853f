import { expect, it } from "vitest";
import { latestChange, otherChanges } from "./read-history.ts";

const job = (id: string, of: string | null, image = 0) => ({
  id,
  source: of === null ? null : { job_id: of, image, prompt: null },
});

it("follows the newest change of each image to the last one", () => {
  const jobs = [job("d", "c"), job("c", "a"), job("b", "a"), job("a", null)];
  expect(latestChange(jobs, { jobId: "a", image: 0 })).toEqual({ jobId: "d", image: 0 });
  expect(latestChange(jobs, { jobId: "d", image: 0 })).toEqual({ jobId: "d", image: 0 });
});

it("ignores changes of another image of the job", () => {
  const jobs = [job("b", "a", 1), job("a", null)];
  expect(latestChange(jobs, { jobId: "a", image: 0 })).toEqual({ jobId: "a", image: 0 });
  expect(latestChange(jobs, { jobId: "a", image: 1 })).toEqual({ jobId: "b", image: 0 });
});

it("finds the changes that are not part of a history", () => {
  const changed = (...made: Parameters<typeof job>) => ({
    ...job(...made),
    operation: "edit" as const,
  });
  const jobs = [
    changed("e", "x"),
    changed("d", "b"),
    changed("c", "a"),
    changed("b", "a"),
    changed("f", "a", 1),
  ];
  const steps = ["a", "b"].map((id) => ({ source: { job_id: id }, operation: null }));
  expect(otherChanges(jobs, steps).map(({ source }) => source.job_id)).toEqual(["d", "c"]);
});
