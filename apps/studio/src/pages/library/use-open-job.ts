import type { ListedJob } from "@atelier/schemas";
import { useCallback, useRef } from "react";
import { useSearchParams } from "wouter";

/** The job whose details are open, as the address names it. The browser's back button closes it. */
export function useOpenJob(jobs: readonly ListedJob[] = []) {
  const [search, setSearch] = useSearchParams();
  const id = search.get("job");
  /** The address of the list from which the job was opened; null for a link to the job. */
  const openedFrom = useRef<string | null>(null);
  const at = jobs.findIndex((job) => job.id === id);
  const neighbour = (by: 1 | -1) => (at === -1 ? undefined : jobs[at + by]);

  const addressOf = useCallback(
    (job: string | null) => {
      const next = new URLSearchParams(search);
      next.delete("job");
      if (job !== null) next.set("job", job);
      return next;
    },
    [search],
  );
  function open(job: string): void {
    openedFrom.current = addressOf(null).toString();
    setSearch(addressOf(job));
  }
  function close(): void {
    const list = addressOf(null);
    // A search that was typed right before the click may have changed the list since.
    if (openedFrom.current === list.toString()) history.back();
    else setSearch(list, { replace: true });
    openedFrom.current = null;
  }
  /** Opens the next older (1) or newer (-1) job. */
  function step(by: 1 | -1): void {
    const next = neighbour(by);
    if (next !== undefined) setSearch(addressOf(next.id), { replace: true });
  }
  return {
    id,
    open,
    close,
    step,
    canStep: (by: 1 | -1) => neighbour(by) !== undefined,
    hrefOf: (job: string) => `/studio/library?${addressOf(job)}`,
  };
}
