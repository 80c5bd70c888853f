import type { ListedJob } from "@atelier/schemas";
import { useRef, useState } from "react";

/** As many as one archive has. */
const mostSelected = 500;

/** The jobs of the list that actions are for. */
export interface Selection {
  /** Null outside of a selection. */
  readonly ids: ReadonlySet<string> | null;
  readonly begin: () => void;
  readonly end: () => void;
  readonly toggle: (id: string) => void;
  /** Selects all jobs from the last one that was selected, or else `from`, to another. */
  readonly extend: (from: string, to: string) => void;
  /** Selects the newest jobs, as far as `mostSelected`; begins a selection. */
  readonly selectAll: () => void;
}

/**
 * @param jobs those that the list shows.
 * @param readAll reads more of the list until it has a number of jobs, and returns them.
 */
export function useSelection(
  jobs: readonly ListedJob[],
  readAll: (count: number) => Promise<readonly ListedJob[]>,
): Selection {
  const [ids, setIds] = useState<ReadonlySet<string> | null>(null);
  const anchor = useRef<string | null>(null);
  const selectFirst = (list: readonly ListedJob[]) =>
    setIds(new Set(list.slice(0, mostSelected).map(({ id }) => id)));
  const add = (before: ReadonlySet<string>, more: readonly string[]) =>
    new Set([...before, ...more].slice(0, mostSelected));
  return {
    ids,
    begin: () => setIds(new Set()),
    end() {
      anchor.current = null;
      setIds(null);
    },
    toggle(id) {
      anchor.current = id;
      setIds((before) => {
        const next = new Set(before);
        return next.delete(id) ? next : add(next, [id]);
      });
    },
    extend(from, to) {
      const first = anchor.current ?? from;
      anchor.current = first;
      const [one = 0, other = 0] = [first, to]
        .map((id) =>
          Math.max(
            jobs.findIndex((job) => job.id === id),
            0,
          ),
        )
        .toSorted((a, b) => a - b);
      const range = jobs.slice(one, other + 1).map(({ id }) => id);
      setIds((before) => add(before ?? new Set(), range));
    },
    selectAll() {
      selectFirst(jobs);
      // What is read already stays selected when the rest cannot be read.
      void readAll(mostSelected).then(selectFirst, () => undefined);
    },
  };
}
