import { useEffect, useState, type PointerEvent, type RefObject } from "react";

/** A drag in progress. */
interface Drag {
  readonly from: number;
  /** The position that the item would get. */
  readonly to: number;
}

/** Distance from the edge of the window at which it scrolls, and by how much per move, in pixels. */
const edge = { size: 72, step: 18 };

/**
 * Orders the items of a list by dragging their handles with a mouse, a pen or a finger. The order
 * changes when the pointer is released, and not after Escape or a
 * cancelled gesture.
 *
 * @param list its children are the items, in one column.
 */
export function useDragOrder(
  list: RefObject<HTMLElement | null>,
  onMove: (from: number, to: number) => void,
) {
  const [drag, setDrag] = useState<Drag | null>(null);

  const isDragging = drag !== null;
  useEffect(() => {
    if (!isDragging) return undefined;
    function onKeyDown({ key }: KeyboardEvent): void {
      if (key === "Escape") setDrag(null);
    }
    addEventListener("keydown", onKeyDown);
    return () => removeEventListener("keydown", onKeyDown);
  }, [isDragging]);

  /** How many other items have their middle above the pointer. */
  function positionAt(y: number, from: number): number {
    const items = [...(list.current?.children ?? [])];
    return items.filter((item, index) => {
      const { top, height } = item.getBoundingClientRect();
      return index !== from && top + height / 2 < y;
    }).length;
  }

  function handleProps(index: number) {
    return {
      onPointerDown: (event: PointerEvent) => {
        if (event.button !== 0) return;
        event.currentTarget.setPointerCapture(event.pointerId);
        setDrag({ from: index, to: index });
      },
      onPointerMove: (event: PointerEvent) => {
        if (drag === null) return;
        scrollAtEdge(event);
        const to = positionAt(event.clientY, drag.from);
        if (to !== drag.to) setDrag({ ...drag, to });
      },
      onPointerUp: (event: PointerEvent) => {
        if (drag === null) return;
        const to = positionAt(event.clientY, drag.from);
        setDrag(null);
        if (to !== drag.from) onMove(drag.from, to);
      },
      onPointerCancel: () => setDrag(null),
    };
  }
  return { drag, handleProps };
}

function scrollAtEdge({ clientY, currentTarget }: PointerEvent): void {
  let by = 0;
  if (clientY < edge.size) by = -edge.step;
  else if (clientY > innerHeight - edge.size) by = edge.step;
  if (by === 0) return;
  // On wide screens, the scenes scroll within their column.
  const column = currentTarget.closest("[data-scrolls]");
  if (column !== null && column.scrollHeight > column.clientHeight) column.scrollBy(0, by);
  else scrollBy(0, by);
}
