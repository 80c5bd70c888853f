import { useEffect, useState, type RefObject } from "react";

/** Space between tiles, and the height of the caption below a picture, in pixels. */
const gap = 16;
const captionHeight = 64;

/** Where the tiles are, and which rows of them are near the visible part of the page. */
export interface Grid {
  readonly columns: number;
  /** Width and height of a picture, in pixels. */
  readonly tile: number;
  /** From the top of one row to the top of the next, in pixels. */
  readonly rowHeight: number;
  /** The first and the last row to render. */
  readonly first: number;
  readonly last: number;
}

function measure(element: HTMLElement): Grid {
  const { width, top } = element.getBoundingClientRect();
  const smallest = width < 560 ? 140 : 200;
  const columns = Math.max(Math.floor((width + gap) / (smallest + gap)), 2);
  const tile = Math.floor((width - gap * (columns - 1)) / columns);
  const rowHeight = tile + captionHeight + gap;
  const margin = innerHeight;
  return {
    columns,
    tile,
    rowHeight,
    first: Math.max(Math.floor((-top - margin) / rowHeight), 0),
    last: Math.max(Math.floor((innerHeight + margin - top) / rowHeight), 0),
  };
}

/**
 * Lays out a grid of square tiles. Only rows within one screen of the visible part are to be rendered,
 * so that the page stays small however long the list is.
 */
export function useGrid(element: RefObject<HTMLElement | null>): Grid | null {
  const [grid, setGrid] = useState<Grid | null>(null);
  useEffect(() => {
    const { current } = element;
    if (current === null) return undefined;
    function update(): void {
      if (current === null) return;
      const next = measure(current);
      setGrid((before) => (before !== null && isSame(before, next) ? before : next));
    }
    const observer = new ResizeObserver(update);
    observer.observe(current);
    addEventListener("scroll", update, { passive: true });
    return () => {
      observer.disconnect();
      removeEventListener("scroll", update);
    };
  }, [element]);
  return grid;
}

function isSame(one: Grid, other: Grid): boolean {
  return (
    one.first === other.first &&
    one.last === other.last &&
    one.columns === other.columns &&
    one.tile === other.tile
  );
}

/** Where a tile is, in pixels from the top left corner of the grid. */
export function placeOf(index: number, { columns, tile, rowHeight }: Grid) {
  return {
    left: (index % columns) * (tile + gap),
    top: Math.floor(index / columns) * rowHeight,
    width: tile,
  };
}
