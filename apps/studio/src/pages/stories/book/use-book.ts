import type { Job } from "@atelier/schemas";
import { useEffect, useMemo, useRef, useState } from "react";
import { sendJson } from "../../../api.ts";
import { createAutoSave, type AutoSave, type SaveState } from "../../../data/auto-save.ts";
import { jobQuery, queryClient } from "../../../data/queries.ts";
import { changeSaved, readBook, type Book } from "./book.ts";
import { forgetKept, keepUnsaved, readKept } from "./kept-book.ts";

const pauseMs = 800;
const retryMs = 5_000;
const timeoutMs = 15_000;

/** Saves of all pages, one after another: a page that is opened again must not overtake itself. */
let saving: Promise<unknown> = Promise.resolve();

async function sendBook(storyId: string, book: object): Promise<void> {
  const path = `/v1/jobs/${storyId}`;
  const job = await sendJson<Job>("PATCH", path, { body: { book }, timeoutMs });
  // A read that began before has the earlier book.
  await queryClient.cancelQueries(jobQuery(storyId));
  queryClient.setQueryData(jobQuery(storyId).queryKey, job);
  forgetKept(storyId, book);
}

function saveBook(storyId: string, book: object): Promise<void> {
  const saved = saving.catch(() => undefined).then(() => sendBook(storyId, book));
  saving = saved;
  return saved;
}

/**
 * The book of a story, which the account keeps. Changes are saved while they are typed; until then, this
 * browser keeps them.
 *
 * @param fresh the book before its first change.
 */
export function useBook(job: Job, fresh: Book) {
  const { id, book: saved } = job;
  const [unsaved, setUnsaved] = useState(() => {
    const kept = readKept(id, saved !== null);
    return typeof kept === "object" ? kept : null;
  });
  /** Null before the first change. */
  const [state, setState] = useState<SaveState | null>(null);
  const saver = useRef<AutoSave<object> | null>(null);
  const atOpening = useRef(unsaved);
  useEffect(() => {
    const auto = createAutoSave<object>({
      save: async (book) => {
        await saveBook(id, book);
        setUnsaved((newest) => (newest === book ? null : newest));
      },
      onState: setState,
      pauseMs,
      retryMs,
    });
    saver.current = auto;
    if (atOpening.current !== null) {
      auto.change(atOpening.current);
      auto.flush();
    }
    const flush = () => auto.flush();
    document.addEventListener("visibilitychange", flush);
    return () => {
      document.removeEventListener("visibilitychange", flush);
      auto.stop();
    };
  }, [id]);
  const known = unsaved ?? saved;
  // A scene that was added since has a page as well.
  const shown = useMemo(
    () => readBook(known, fresh, job.scenes_total ?? 0),
    [known, fresh, job.scenes_total],
  );
  function change(next: Book): void {
    const changed = changeSaved(known, shown, next);
    setUnsaved(changed);
    keepUnsaved(id, changed);
    saver.current?.change(changed);
  }
  return { book: shown, change, state, flush: () => saver.current?.flush() };
}
