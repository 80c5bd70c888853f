import type { ChangeJobRequest, Job } from "@atelier/schemas";
import { useMutation } from "@tanstack/react-query";
import { call, messageOf } from "../api.ts";
import { jobQuery, queryClient } from "../data/queries.ts";
import { texts } from "../texts/pictures.ts";
import { showToast } from "../ui/toast.tsx";
import { isKeptForever, keptQuery } from "./use-keeping.ts";

/** Changes the star or the title of a job. */
export async function noteJob(id: string, change: ChangeJobRequest): Promise<Job> {
  const job = await call("PATCH /v1/jobs/{id}", { id, body: change });
  queryClient.setQueryData(jobQuery(id).queryKey, job);
  forgetLists("title" in change);
  return job;
}

/**
 * Lists of the library that are limited by a star or a text are read again when they are opened. A list
 * that is open hides jobs that lose their star itself, and is read again only after another title.
 */
function forgetLists(isTitle: boolean): void {
  const predicate = ({ queryKey: [list, query] }: { readonly queryKey: readonly unknown[] }) =>
    list === "library" && /\b(starred|q)=/.test(String(query));
  queryClient.removeQueries({ predicate, type: "inactive" });
  if (isTitle) void queryClient.invalidateQueries({ predicate });
}

/**
 * How a star changed the keeping of a job, in accounts that keep what they star; null if it did not.
 *
 * @param changed the job after it was starred.
 */
export function keepingBy(before: Pick<Job, "keep">, changed: Job): "kept" | "refused" | null {
  if (!changed.starred) return null;
  if (isKeptForever(changed)) return isKeptForever(before) ? null : "kept";
  const isRefused = changed.keep !== null && before.keep?.status !== "refused";
  return isRefused ? "refused" : null;
}

/** Stars a job, or removes its star. */
export function useStar(
  job: Pick<Job, "id" | "keep" | "starred">,
  onJob: (job: Job) => void,
): { readonly toggle: () => void; readonly isPending: boolean } {
  const { mutate, isPending } = useMutation({
    mutationFn: () => noteJob(job.id, { starred: !job.starred }),
    onSuccess: (changed) => {
      onJob(changed);
      void queryClient.invalidateQueries(keptQuery);
      if (keepingBy(job, changed) === "refused") showToast(texts.pictures.starredNotKept);
    },
    onError: (error) => showToast(messageOf(error)),
  });
  return { toggle: () => mutate(), isPending };
}
