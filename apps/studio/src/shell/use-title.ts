import type { Job } from "@atelier/schemas";
import { useEffect, useState, useSyncExternalStore } from "react";
import { isFinal, queryClient } from "../data/queries.ts";
import { texts } from "../texts.ts";

/** Whether the page shows a job that is not final yet. */
function isWorking(): boolean {
  return queryClient
    .getQueryCache()
    .findAll({ queryKey: ["job"], type: "active" })
    .some(({ state }) => state.data !== undefined && !isFinal(state.data as Job));
}

function subscribe(listener: () => void): () => void {
  return queryClient.getQueryCache().subscribe(listener);
}

/**
 * Names the page in the title of its tab, with its job in front: while it is made, and when it is done
 * while another tab is shown, until this one is shown again.
 */
export function useTitle(name: string): void {
  const working = useSyncExternalStore(subscribe, isWorking);
  const [wasWorking, setWasWorking] = useState(working);
  const [isNews, setNews] = useState(false);
  if (wasWorking !== working) {
    setWasWorking(working);
    setNews(!working && document.hidden);
  }
  useEffect(() => {
    const { working: workingText, done } = texts.shell.titles;
    const news = working ? workingText : isNews ? done : null;
    document.title = [news, name, "Atelier Studio"].filter((part) => part !== null).join(" · ");
  }, [name, working, isNews]);
  useEffect(() => {
    const onVisible = () => document.hidden || setNews(false);
    document.addEventListener("visibilitychange", onVisible);
    return () => document.removeEventListener("visibilitychange", onVisible);
  }, []);
}
