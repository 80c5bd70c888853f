import type { ListedJob } from "@atelier/schemas";
import { describe, expect, it } from "vitest";
import { appendPage, changeJob, mergeNewest, type JobList } from "./job-list.ts";

const job = (id: number, status = "completed") => ({ id: String(id), status }) as ListedJob;
const list = (ids: readonly number[], next: string | null): JobList => ({
  jobs: ids.map((id) => job(id)),
  next_cursor: next,
});
const idsOf = ({ jobs }: JobList) => jobs.map(({ id }) => Number(id));

const known = list([6, 5, 4, 3], "3");

describe("a list of jobs", () => {
  it("grows at its end by the next page", () => {
    expect(appendPage(known, "3", list([2, 1], null))).toEqual(list([6, 5, 4, 3, 2, 1], null));
  });

  it("ignores a page that does not follow its end", () => {
    expect(appendPage(known, "5", list([4, 3], "3"))).toBe(known);
  });

  it("has a job changed in its place", () => {
    const changed = changeJob(known, "5", (before) => ({ ...before, status: "cancelled" }));
    expect(idsOf(changed)).toEqual([6, 5, 4, 3]);
    expect(changed.jobs[1]?.status).toBe("cancelled");
    expect(changeJob(known, "9", (before) => before)).toBe(known);
  });

  it("begins with new jobs, and takes over changes of known ones", () => {
    const newest: JobList = { jobs: [job(8), job(7), job(6, "failed")], next_cursor: "6" };
    const merged = mergeNewest(known, newest);
    expect(idsOf(merged)).toEqual([8, 7, 6, 5, 4, 3]);
    expect(merged.jobs[2]?.status).toBe("failed");
    expect(merged.next_cursor).toBe("3");
  });

  it("starts again when jobs between are missing", () => {
    const newest = list([12, 11, 10], "10");
    expect(mergeNewest(known, newest)).toBe(newest);
  });

  it("takes the first jobs when it was empty", () => {
    expect(mergeNewest(list([], null), list([1], null))).toEqual(list([1], null));
  });
});
