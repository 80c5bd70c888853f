import type { ListedJob } from "@atelier/schemas";
import { useEffect, useRef } from "react";
import { accountQuery, isFinal, queryClient } from "../../data/queries.ts";
import { followAccount } from "./follow-account.ts";
import { libraryQuery, refreshNewest, updateJob } from "./library-query.ts";
import { runningQuery, updateRunning } from "./running-query.ts";

/** Between reads of new jobs, however many are made. */
const refreshMs = 1_000;

/** Keeps the list of a query up to date while jobs are made. */
export function useLive(query: string): void {
  const shown = useRef(query);
  useEffect(() => {
    shown.current = query;
  }, [query]);
  useEffect(() => {
    const stopping = new AbortController();
    let timer: ReturnType<typeof setTimeout> | undefined;
    let readsRunning = false;
    function refreshSoon(): void {
      timer ??= setTimeout(() => {
        timer = undefined;
        void queryClient.invalidateQueries(accountQuery);
        if (readsRunning) void queryClient.invalidateQueries(runningQuery);
        readsRunning = false;
        // The next event or poll tries again.
        void refreshNewest(shown.current).catch(() => undefined);
      }, refreshMs);
    }
    function onJob(job: ListedJob): void {
      // Events lack the prompt of the changed image, which names a job without a prompt of its own.
      const { source, ...state } = job;
      updateJob(state);
      if (updateRunning(job) === "added" && source !== null) {
        readsRunning = true;
        refreshSoon();
      }
      if (isFinal(job) || !isListed(shown.current, job.id)) refreshSoon();
    }
    function onGap(): void {
      void queryClient.invalidateQueries(runningQuery);
      refreshSoon();
    }
    void followAccount(stopping.signal, { job: onJob, gap: onGap });
    return () => {
      stopping.abort();
      clearTimeout(timer);
    };
  }, []);
}

function isListed(query: string, id: string): boolean {
  const known = queryClient.getQueryData(libraryQuery(query).queryKey);
  return known?.jobs.some((job) => job.id === id) ?? false;
}
