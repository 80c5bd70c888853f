import { useEffect } from "react";

/** The page whose content has the focus; null before the first one, which takes no focus. */
let shownPath: string | null = null;
/** The address to which the browser went back or forward. */
let returnedTo: string | null = null;

addEventListener("popstate", () => {
  returnedTo = location.pathname;
});

/**
 * Does what a browser does when a page was loaded: moves the focus to its content and scrolls to its
 * top. After going back, the browser restores the scroll position itself.
 *
 * @param path below `/studio`, once its content is rendered.
 */
export function useArrival(path: string): void {
  useEffect(() => {
    const isOther = shownPath !== null && shownPath !== path;
    shownPath = path;
    if (!isOther) return;
    document.getElementById("main")?.focus({ preventScroll: true });
    if (returnedTo !== location.pathname) scrollTo(0, 0);
    returnedTo = null;
  }, [path]);
}
