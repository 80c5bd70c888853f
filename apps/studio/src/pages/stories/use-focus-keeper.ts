import { useLayoutEffect, useRef } from "react";

/** Returns the focus to its element after a new order of the list has moved it in the page. */
export function useFocusKeeper(order: unknown): () => void {
  const focused = useRef<Element | null>(null);
  useLayoutEffect(() => {
    const element = focused.current;
    focused.current = null;
    if (!(element instanceof HTMLElement)) return;
    element.focus({ preventScroll: true });
    element.scrollIntoView({ block: "nearest" });
  }, [order]);
  return () => {
    focused.current = document.activeElement;
  };
}
