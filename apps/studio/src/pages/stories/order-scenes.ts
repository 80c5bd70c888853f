import type { ListedJob, Operation } from "@atelier/schemas";
import { queryClient } from "../../data/queries.ts";
import { submitOnce } from "../../data/submit-once.ts";
import { againMetadata, againQuery } from "./queries.ts";
import type { StoryBody } from "./story-request.ts";

/**
 * Begins to order pictures of scenes that a completed story needs. A picture that another tab has ordered since this
 * page read the jobs for the story is not ordered again.
 *
 * @returns the function that orders one picture, and returns the id of its job.
 */
export function beginOrdering(storyId: string) {
  const query = againQuery(storyId);
  const known = new Set((queryClient.getQueryData(query.queryKey) ?? []).map(({ id }) => id));
  return (operation: Operation, body: StoryBody): Promise<string> =>
    submitOnce(operation, body, async () => {
      // A read that began before may not have the newest jobs.
      await queryClient.cancelQueries({ queryKey: query.queryKey });
      const jobs = await queryClient.fetchQuery({ ...query, staleTime: 0 });
      return jobs.find((job) => !known.has(job.id) && makes(job, body))?.id ?? body;
    });
}

/** Whether a job makes the picture that a request asks for. */
function makes({ status, metadata }: ListedJob, body: StoryBody): boolean {
  const wanted = body["metadata"] as Readonly<Record<string, string>> | undefined;
  return (
    status !== "failed" &&
    status !== "cancelled" &&
    Object.values(againMetadata).every((name) => metadata[name] === wanted?.[name])
  );
}
