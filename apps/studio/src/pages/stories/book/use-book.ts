import type { Job } from "@atelier/schemas";
import { useEffect, useMemo, useRef, useState } from "react";
import { call } from "../../../api.ts";
import { createAutoSave, type AutoSave, type SaveState } from "../../../data/auto-save.ts";
import { jobQuery, queryClient } from "../../../data/queries.ts";
import { beforeLeaving } from "../../../session.ts";
import { changeSaved, readBook, type Book } from "./book.ts";
import { forgetOlder, forgetUnsaved, keepUnsaved, openKept } from "./kept-book.ts";
import { onSavedElsewhere, tellSaved } from "./saved-elsewhere.ts";

const pauseMs = 800;
const retryMs = 5_000;
const timeoutMs = 15_000;

/** Saves of all pages, one after another: a page that is opened again must not overtake itself. */
let saving: Promise<unknown> = Promise.resolve();

/** @returns the book that the account now has. */
async function sendBook(storyId: string, book: object): Promise<unknown> {
  const job = await call("PATCH /v1/jobs/{id}", {
    id: storyId,
    body: { book: { ...book } },
    timeoutMs,
  });
  // A read that began before has the earlier book.
  await queryClient.cancelQueries(jobQuery(storyId));
  queryClient.setQueryData(jobQuery(storyId).queryKey, job);
  forgetUnsaved(storyId, book);
  tellSaved(storyId);
  return job.book;
}

function saveBook(storyId: string, book: object): Promise<unknown> {
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
  const [kept] = useState(() => openKept(id, saved));
  const [unsaved, setUnsaved] = useState(kept.unsaved);
  const [older, setOlder] = useState(kept.older);
  /** Null before the first change. */
  const [state, setState] = useState<SaveState | null>(null);
  /** Whether the unsaved changes are in the storage of this browser. */
  const [isKept, setIsKept] = useState(true);
  const saver = useRef<AutoSave<object> | null>(null);
  /** The newest unsaved change, and the book of the account at the first one. */
  const newest = useRef<{ base: unknown; book: object | null }>({ base: saved, book: unsaved });
  function keep(book: object): void {
    setIsKept(keepUnsaved(id, { base: newest.current.base, book }));
  }
  useEffect(() => {
    const auto = createAutoSave<object>({
      save: async (book) => {
        const base = await saveBook(id, book);
        const { book: next } = newest.current;
        newest.current = { base, book: next === book ? null : next };
        if (next !== null && next !== book) keepUnsaved(id, { base, book: next });
        setUnsaved((shown) => (shown === book ? null : shown));
      },
      onState: setState,
      pauseMs,
      retryMs,
    });
    saver.current = auto;
    const { base, book } = newest.current;
    if (book !== null) {
      keepUnsaved(id, { base, book });
      auto.change(book);
      void auto.flush();
    }
    const settle = async () => {
      await auto.retry();
      return auto.isSaved();
    };
    beforeLeaving.add(settle);
    const flush = () => void auto.flush();
    document.addEventListener("visibilitychange", flush);
    return () => {
      document.removeEventListener("visibilitychange", flush);
      void auto.stop().finally(() => beforeLeaving.delete(settle));
    };
  }, [id]);
  useEffect(
    () => onSavedElsewhere(id, () => void queryClient.invalidateQueries(jobQuery(id))),
    [id],
  );
  function changeTo(book: object): void {
    const { base, book: before } = newest.current;
    newest.current = { base: before === null ? saved : base, book };
    setUnsaved(book);
    keep(book);
    saver.current?.change(book);
  }
  function dropOlder(): void {
    forgetOlder(id);
    setOlder(null);
  }
  const known = unsaved ?? saved;
  // A scene that was added since has a page as well.
  const shown = useMemo(
    () => readBook(known, fresh, job.scenes_total ?? 0),
    [known, fresh, job.scenes_total],
  );
  return {
    book: shown,
    change: (next: Book) => changeTo(changeSaved(known, shown, next)),
    flush: () => void saver.current?.flush(),
    /** For `SaveState`. */
    saveState: {
      state,
      isKept,
      onRetry: () => void saver.current?.retry(),
      older:
        older === null
          ? null
          : {
              onUse: () => {
                changeTo(older);
                dropOlder();
              },
              onDiscard: dropOlder,
            },
    },
  };
}
