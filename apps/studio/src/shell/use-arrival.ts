import { useEffect } from "react";

/** The page whose content has the focus; null before the first one, which takes no focus. */
let shownPath: string | null = null;
/** The address to which the browser went back or forward. */
let returnedTo: string | null = null;

addEventListener("popstate", () => {
  returnedTo = location.pathname;
});

const placeKey = "atelier.place";

/** How long a reloaded page may take to become as long as it was, in milliseconds. */
const returnWithinMs = 10_000;

addEventListener("pagehide", () => {
  try {
    sessionStorage.setItem(placeKey, JSON.stringify([location.href, scrollY]));
  } catch {
    // Without storage, a reload begins at the top.
  }
});

/** After a reload, scrolls to where the page was, as soon as it is that long again. Any other scroll ends it. */
function returnToPlace(): void {
  const [entry] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  if (entry?.type !== "reload") return;
  const [href, top] = JSON.parse(sessionStorage.getItem(placeKey) ?? "[]") as [string?, number?];
  if (href !== location.href || top === undefined || top === 0) return;
  const stopping = new AbortController();
  const { signal } = stopping;
  const follow = () => {
    scrollTo(0, top);
    // Lists read more at their end.
    if (Math.abs(scrollY - top) < 2) stopping.abort();
  };
  const watching = new ResizeObserver(follow);
  watching.observe(document.body);
  signal.addEventListener("abort", () => watching.disconnect());
  for (const type of ["wheel", "touchstart", "keydown", "pointerdown"]) {
    addEventListener(type, () => stopping.abort(), { signal, passive: true });
  }
  setTimeout(() => stopping.abort(), returnWithinMs);
}

/**
 * Does what a browser does when a page was loaded: moves the focus to its content and scrolls to its
 * top. After going back, the browser restores the scroll position itself.
 *
 * @param path below `/studio`, once its content is rendered.
 */
export function useArrival(path: string): void {
  useEffect(() => {
    if (shownPath === null) returnToPlace();
    const isOther = shownPath !== null && shownPath !== path;
    shownPath = path;
    if (!isOther) return;
    document.getElementById("main")?.focus({ preventScroll: true });
    if (returnedTo !== location.pathname) scrollTo(0, 0);
    returnedTo = null;
  }, [path]);
}
