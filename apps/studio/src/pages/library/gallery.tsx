import type { ListedJob } from "@atelier/schemas";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState, type KeyboardEvent } from "react";
import { accountQuery } from "../../data/queries.ts";
import { useInCreate } from "../../pictures/use-in-create.ts";
import { texts } from "../../texts/library.ts";
import { hasModifier } from "../../ui/input/has-modifier.ts";
import styles from "./gallery.module.css";
import type { Selection } from "./selection/use-selection.ts";
import { Tile } from "./tile.tsx";
import { placeOf, useGrid, type Grid } from "./use-grid.ts";

/** Rows of empty tiles in place of jobs that are not read yet. */
const skeletonRows = 2;

/** The tiles of the jobs. The arrow keys move between them in all four directions. */
export function Gallery(props: {
  /** Undefined until the first jobs are read. */
  readonly jobs: readonly ListedJob[] | undefined;
  /** Whether they are those of other filters, until the jobs are read. */
  readonly isStale: boolean;
  readonly hasMore: boolean;
  /** The job whose details are open; null for none. */
  readonly openId: string | null;
  /** The address of the details of a job. */
  readonly hrefOf: (id: string) => string;
  readonly onOpen: (id: string) => void;
  readonly selection: Selection;
  /** The collection that the list is limited to. */
  readonly collection:
    | { readonly name: string; readonly onRemove: (id: string) => void }
    | undefined;
  /** Called when the end of the list is near. */
  readonly onNearEnd: () => void;
}) {
  const { jobs = [], hasMore, openId, hrefOf, onOpen, onNearEnd } = props;
  const { selection, collection } = props;
  const list = useRef<HTMLUListElement>(null);
  const grid = useGrid(list);
  const use = useInCreate();
  const { data: account } = useQuery(accountQuery);
  const [active, setActive] = useActive(jobs, openId, list);

  const isWaiting = props.jobs === undefined || hasMore;
  const columns = grid?.columns ?? 1;
  const count = jobs.length + (isWaiting ? skeletonRows * columns : 0);
  const isNearEnd = grid !== null && hasMore && (grid.last + 1) * columns >= jobs.length;
  useEffect(() => {
    if (isNearEnd) onNearEnd();
  }, [isNearEnd, onNearEnd]);

  const isSelecting = selection.ids !== null;
  const hadFocus = useRef(false);
  useEffect(() => {
    // The tile that had the focus is another element now.
    if (isSelecting && hadFocus.current) focusActive(list.current);
    hadFocus.current = false;
  }, [isSelecting]);

  function onKeyDown(event: KeyboardEvent): void {
    if ((event.ctrlKey || event.metaKey) && event.key === "a") {
      event.preventDefault();
      hadFocus.current = !isSelecting;
      return selection.selectAll();
    }
    if (isSelecting && event.key === "Escape") return selection.end();
    const isRange = isSelecting && event.shiftKey;
    if (isRange ? event.altKey || event.ctrlKey || event.metaKey : hasModifier(event)) return;
    const next = nextOf(event.key, active, { columns, count: jobs.length });
    if (next === null) return;
    event.preventDefault();
    const [from, to] = [jobs[active], jobs[next]];
    if (from === undefined || to === undefined) return;
    setActive(next);
    if (isRange) selection.extend(from.id, to.id);
  }

  return (
    // The arrow keys move the focus between the links.
    // oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions
    <ul
      ref={list}
      className={styles.gallery}
      aria-label={texts.library.jobs}
      aria-busy={props.jobs === undefined || props.isStale}
      onKeyDown={onKeyDown}
      style={{ height: Math.ceil(count / columns) * (grid?.rowHeight ?? 300) }}
    >
      {grid !== null &&
        shownOf(grid, count, active).map((index) => {
          const job = jobs[index];
          return (
            <li
              key={job?.id ?? `empty-${index}`}
              style={placeOf(index, grid)}
              aria-hidden={job === undefined ? true : undefined}
              aria-setsize={hasMore ? -1 : jobs.length}
              aria-posinset={index + 1}
            >
              {job === undefined ? (
                <div className={styles.skeleton} style={{ height: grid.tile }} />
              ) : (
                <Tile
                  job={job}
                  size={grid.tile}
                  retentionHours={account?.retention_hours}
                  href={hrefOf(job.id)}
                  isActive={index === active}
                  use={use}
                  isSelected={selection.ids === null ? null : selection.ids.has(job.id)}
                  onSelect={(isRange) =>
                    isRange ? selection.extend(job.id, job.id) : selection.toggle(job.id)
                  }
                  collection={collection}
                  onFocus={() => setActive(index, { isFocused: true })}
                  onOpen={() => onOpen(job.id)}
                />
              )}
            </li>
          );
        })}
    </ul>
  );
}

/**
 * The tile that the Tab key reaches. It follows its job when jobs are added before it, and the job whose
 * details are open, which has the focus after they are closed.
 */
function useActive(
  jobs: readonly ListedJob[],
  openId: string | null,
  list: { readonly current: HTMLElement | null },
) {
  const [activeId, setActiveId] = useState<string | null>(null);
  const hasMoved = useRef(false);
  const active = Math.max(
    jobs.findIndex(({ id }) => id === activeId),
    0,
  );
  const wasOpen = useRef(openId);
  useEffect(() => {
    const shown = openId ?? wasOpen.current;
    const isClosed = openId === null && shown !== null;
    wasOpen.current = openId;
    if (shown !== null) setActiveId(shown);
    // The browser has returned the focus to the job that was opened first.
    hasMoved.current = isClosed;
    if (isClosed && shown === activeId) focusActive(list.current);
    // oxlint-disable-next-line react/exhaustive-deps
  }, [openId, list]);
  useEffect(() => {
    if (hasMoved.current) focusActive(list.current);
    hasMoved.current = false;
  }, [active, list]);
  function setActive(index: number, { isFocused = false } = {}): void {
    hasMoved.current = !isFocused && index !== active;
    setActiveId(jobs[index]?.id ?? null);
  }
  return [active, setActive] as const;
}

function focusActive(list: HTMLElement | null): void {
  list?.querySelector<HTMLElement>("[data-tile][tabindex='0']")?.focus();
}

/** Where an arrow key leads, which may be outside of the list; null for other keys. */
function nextOf(
  key: string,
  from: number,
  { columns, count }: { readonly columns: number; readonly count: number },
): number | null {
  switch (key) {
    case "ArrowRight":
      return from + 1;
    case "ArrowLeft":
      return from - 1;
    case "ArrowDown": {
      // The last row may be shorter.
      const isLastRow = Math.floor(from / columns) === Math.floor((count - 1) / columns);
      return isLastRow ? from : Math.min(from + columns, count - 1);
    }
    case "ArrowUp":
      return from - columns;
    case "Home":
      return 0;
    default:
      return null;
  }
}

/** The tiles of the rows near the visible part, and the active one, so that the Tab key finds it. */
function shownOf({ first, last, columns }: Grid, count: number, active: number): number[] {
  const start = Math.min(first * columns, count);
  const end = Math.min((last + 1) * columns, count);
  const shown = Array.from({ length: end - start }, (_, index) => start + index);
  if (active < start && active < count) return [active, ...shown];
  return active >= end && active < count ? [...shown, active] : shown;
}
