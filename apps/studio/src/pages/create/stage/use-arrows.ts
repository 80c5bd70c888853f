import { useEffect, useRef } from "react";
import { isTyping } from "../../../ui/input/is-typing.ts";

/** Calls `onMove` for the arrow keys and `onZoom` for Z, unless a field has the focus. */
export function useArrows(onMove: (by: 1 | -1) => void, onZoom: () => void): void {
  const latest = useRef({ onMove, onZoom });
  latest.current = { onMove, onZoom };
  useEffect(() => {
    function onKeyDown(event: KeyboardEvent): void {
      const { key, target, altKey, ctrlKey, metaKey } = event;
      if (altKey || ctrlKey || metaKey || isTyping(target)) return;
      // Arrows choose among radio buttons.
      if (target instanceof Element && target.matches("input")) return;
      if (key === "z" || key === "Z") latest.current.onZoom();
      if (key !== "ArrowLeft" && key !== "ArrowRight") return;
      event.preventDefault();
      latest.current.onMove(key === "ArrowRight" ? 1 : -1);
    }
    addEventListener("keydown", onKeyDown);
    return () => removeEventListener("keydown", onKeyDown);
  }, []);
}
