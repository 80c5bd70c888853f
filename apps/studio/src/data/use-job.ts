import type { Job } from "@atelier/schemas";
import { useQuery } from "@tanstack/react-query";
import { useEffect } from "react";
import { followJob } from "./follow-job.ts";
import { accountQuery, isFinal, jobQuery, queryClient } from "./queries.ts";

/**
 * A job and its progress, live until it is final. When it ends, the balance and the lists of jobs are
 * read again.
 *
 * @param id null for no job.
 */
export function useJob(id: string | null): {
  readonly job: Job | undefined;
  readonly error: unknown;
} {
  const { data: job, error } = useQuery({ ...jobQuery(id ?? ""), enabled: id !== null });
  const isRunning = job !== undefined && !isFinal(job);
  useEffect(() => {
    if (id === null || !isRunning) return undefined;
    const stopping = new AbortController();
    const { queryKey } = jobQuery(id);
    void followJob(id, stopping.signal, (progress) => {
      queryClient.setQueryData(queryKey, (known) =>
        known === undefined ? known : { ...known, ...progress },
      );
    }).catch(() => queryClient.invalidateQueries({ queryKey }));
    return () => stopping.abort();
  }, [id, isRunning]);
  const hasEnded = job !== undefined && !isRunning;
  useEffect(() => {
    if (!hasEnded) return;
    void queryClient.invalidateQueries(accountQuery);
    void queryClient.invalidateQueries({ queryKey: ["jobs"] });
  }, [id, hasEnded]);
  return { job, error };
}
