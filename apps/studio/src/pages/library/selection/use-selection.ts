import type { ListedJob } from "@atelier/schemas";
import { useEffect, useRef, useState } from "react";

/** As many as one archive has. */
const mostSelected = 500;

/** The jobs of the list that actions are for. */
export interface Selection {
  /** Null outside of a selection. */
  readonly ids: ReadonlySet<string> | null;
  readonly begin: () => void;
  readonly end: () => void;
  /** Outside of a selection, begins one. */
  readonly toggle: (id: string) => void;
  /** Selects all jobs from the last one that was toggled, or else `from`, to another. */
  readonly extend: (from: string, to: string) => void;
  /** Selects the newest jobs, at most `mostSelected`; begins a selection. */
  readonly selectAll: () => void;
}

/**
 * The selection of a list of jobs.
 *
 * @param list names the list of the jobs; pages of another one are not selected.
 * @param jobs those that the list shows.
 * @param readAll reads more of the list until it has a number of jobs, and returns them.
 */
export function useSelection(
  list: string,
  jobs: readonly ListedJob[],
  readAll: (count: number) => Promise<readonly ListedJob[]>,
): Selection {
  const [ids, setIds] = useState<ReadonlySet<string> | null>(null);
  const anchor = useRef<string | null>(null);
  /** While all jobs are read to select them: the ids that were listed before or toggled since. */
  const decided = useRef<Set<string> | null>(null);
  useEffect(
    () => () => {
      decided.current = null;
    },
    [list],
  );
  function start(first: ReadonlySet<string> | null): void {
    anchor.current = null;
    decided.current = null;
    setIds(first);
  }
  async function addRest(before: ReadonlySet<string>): Promise<void> {
    const all = await readAll(mostSelected);
    // The selection has ended, or another one has begun.
    if (decided.current !== before) return;
    decided.current = null;
    const more = all.map(({ id }) => id).filter((id) => !before.has(id));
    setIds((selected) => selected && add(selected, more));
  }
  return {
    ids,
    begin: () => start(new Set()),
    end: () => start(null),
    toggle(id) {
      anchor.current = id;
      decided.current?.add(id);
      setIds((before) => {
        const next = new Set(before);
        return next.delete(id) ? next : add(next, [id]);
      });
    },
    extend(from, to) {
      const listed = jobs.map(({ id }) => id);
      const range = rangeOf(listed, anchor.current ?? from, to);
      anchor.current = range.anchor;
      setIds((before) => add(before ?? new Set(), range.ids));
    },
    selectAll() {
      const listed = jobs.map(({ id }) => id);
      start(add(new Set(), listed));
      decided.current = new Set(listed);
      // The jobs that are read already stay selected when the rest cannot be read.
      void addRest(decided.current).catch(() => undefined);
    },
  };
}

/** Adds ids to a selection, up to `mostSelected`. */
function add(before: ReadonlySet<string>, more: readonly string[]): ReadonlySet<string> {
  return new Set([...before, ...more].slice(0, mostSelected));
}

/**
 * The ids of a list between two of them, in either direction, and the id that the next range begins at. If the
 * anchor is not listed any more, the range is the target alone.
 */
export function rangeOf(
  listed: readonly string[],
  anchor: string,
  target: string,
): { readonly ids: readonly string[]; readonly anchor: string } {
  const [from, to] = [listed.indexOf(anchor), listed.indexOf(target)];
  if (from === -1 || to === -1) return { ids: [target], anchor: target };
  return { ids: listed.slice(Math.min(from, to), Math.max(from, to) + 1), anchor };
}
