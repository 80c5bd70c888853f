import type { ListedJob } from "@atelier/schemas";
import { useMutation } from "@tanstack/react-query";
import { Suspense, useEffect, useMemo, useState } from "react";
import { messageOf } from "../../../api.ts";
import { changeCollection, useCanCollect } from "../../../data/collections.ts";
import { queryClient } from "../../../data/queries.ts";
import { deleteImages } from "../../../pictures/delete-images.ts";
import { longestTitle } from "../../../pictures/picture-menu.tsx";
import { changeKeeping, isKeptForever, keptQuery } from "../../../pictures/use-keeping.ts";
import { keepingBy, noteJob } from "../../../pictures/use-noting.ts";
import { mayChange } from "../../../session.ts";
import { texts } from "../../../texts/library.ts";
import { texts as pictureTexts } from "../../../texts/pictures.ts";
import { Button } from "../../../ui/button.tsx";
import { ConfirmDialog } from "../../../ui/dialogs/confirm-dialog.tsx";
import { Icon } from "../../../ui/icons.tsx";
import { loadLater } from "../../../ui/load-later.ts";
import { showToast } from "../../../ui/toast.tsx";
import { titleOf } from "../images-of-job.ts";
import { takeOver } from "../job-actions.ts";
import { selectId } from "../shelf.tsx";
import styles from "../shelf.module.css";
import { DownloadMenu } from "./download-menu.tsx";
import { selectedFiles } from "./selected-files.ts";
import { workThrough, type Outcome } from "./work-through.ts";

const Compare = loadLater(async () => (await import("../../../pictures/compare.tsx")).default);
const CollectionDialog = loadLater(
  async () => (await import("../../../pictures/collection-dialog.tsx")).default,
);

/** Requests for some jobs, and what undoes them. */
interface Work {
  readonly ids: readonly string[];
  readonly change: (id: string) => Promise<unknown>;
  /** The message about the jobs that were changed. */
  readonly done: (count: number) => string;
  /** Undoes the change of a job; null for one that is final. */
  readonly undo: ((id: string) => Promise<unknown>) | null;
}

/** The actions for the selected jobs; those that change jobs are for the ones that the session may change. */
export function SelectionBar(props: {
  readonly jobs: readonly ListedJob[];
  /** The collection that the list is limited to. */
  readonly collection: { readonly id: string; readonly name: string } | undefined;
  readonly onAll: () => void;
  /** Ends the selection. */
  readonly onDone: () => void;
}) {
  const { jobs, collection, onAll, onDone } = props;
  const ids = jobs.map(({ id }) => id);
  const files = useMemo(() => selectedFiles(jobs), [jobs]);
  const canCollect = useCanCollect();
  const own = useMemo(() => jobs.filter(mayChange), [jobs]);
  const ownFiles = useMemo(() => selectedFiles(own), [own]);
  const [open, setOpen] = useState<"collect" | "compare" | "delete" | null>(null);
  useEffect(
    () => () => {
      // After a dialog of the bar, which returns the focus to a button that is gone.
      requestAnimationFrame(() => document.getElementById(selectId)?.focus());
    },
    [],
  );
  const { run, progress } = useWork(onDone);
  const removing = useMutation({
    mutationFn: (from: { readonly id: string; readonly name: string }) =>
      changeCollection(from.id, "remove", ids),
    onSuccess: (_, { id, name }) => {
      showToast(pictureTexts.pictures.collections.removed(ids.length, name), () =>
        changeCollection(id, "add", ids),
      );
      onDone();
    },
    onError: (error) => showToast(messageOf(error)),
  });
  const { collections, keep, star } = pictureTexts.pictures;
  const isDisabled = ids.length === 0 || progress !== null || removing.isPending;
  const hasNoFiles = isDisabled || ownFiles.jobIds.length === 0;
  const unkept = own.filter((job) => !isKeptForever(job) && files.jobIds.includes(job.id));
  const [first, second] = jobs.filter(({ id }) => files.jobIds.includes(id));
  const unstarred = own.filter(({ starred }) => !starred);
  const idsOf = (some: readonly ListedJob[]) => some.map(({ id }) => id);
  return (
    <div className={styles.bar} role="group" aria-label={texts.library.selection}>
      <p role="status">
        {progress === null
          ? texts.library.selected(ids.length)
          : texts.library.workedThrough(progress.done, progress.of)}
      </p>
      <Button onClick={onAll}>{texts.library.selectAll}</Button>
      <DownloadMenu files={files} />
      <Button
        disabled={hasNoFiles}
        onClick={() =>
          void run({
            ids: idsOf(unkept),
            change: async (id) => takeOver(await changeKeeping(id, true)),
            done: texts.library.keptJobs,
            undo: async (id) => takeOver(await changeKeeping(id, false)),
          })
        }
      >
        <Icon name="keep" size={16} /> {keep}
      </Button>
      <Button
        disabled={isDisabled || own.length === 0}
        onClick={() => void run(starring(unstarred))}
      >
        <Icon name="star" size={16} /> {star}
      </Button>
      {first !== undefined && second !== undefined && files.jobIds.length === 2 && (
        <Button disabled={isDisabled} onClick={() => setOpen("compare")}>
          <Icon name="compare" size={16} /> {texts.library.compare}
        </Button>
      )}
      {canCollect && (
        <Button disabled={isDisabled} onClick={() => setOpen("collect")}>
          <Icon name="folder" size={16} /> {collections.add}
        </Button>
      )}
      {collection !== undefined && (
        <Button disabled={isDisabled} onClick={() => removing.mutate(collection)}>
          <Icon name="minus" size={16} />{" "}
          {collections.remove(collection.name.slice(0, longestTitle))}
        </Button>
      )}
      <Button look="danger" disabled={hasNoFiles} onClick={() => setOpen("delete")}>
        <Icon name="trash" size={16} /> {texts.library.deleteSelected}
      </Button>
      <Button look="primary" disabled={progress !== null} onClick={onDone}>
        {texts.library.selectDone}
      </Button>
      {open === "collect" && (
        <Suspense fallback={null}>
          <CollectionDialog jobIds={ids} onAdded={onDone} onClose={() => setOpen(null)} />
        </Suspense>
      )}
      {open === "compare" && first !== undefined && second !== undefined && (
        <Suspense fallback={null}>
          <Compare
            image={{ jobId: first.id, index: 0, title: titleOf(first) }}
            with={{ jobId: second.id, index: 0, title: titleOf(second) }}
            onClose={() => setOpen(null)}
          />
        </Suspense>
      )}
      {open === "delete" && (
        <ConfirmDialog
          title={texts.library.deleteTitle(ownFiles.images)}
          action={texts.library.deleteImages(ownFiles.images)}
          onConfirm={() =>
            run({
              ids: ownFiles.jobIds,
              change: async (id) => takeOver(await deleteImages(id)),
              done: texts.library.deletedJobs,
              undo: null,
            })
          }
          onClose={() => setOpen(null)}
        >
          <p>{texts.library.deleteHint(ownFiles.images)}</p>
          {progress !== null && (
            <p role="status">{texts.library.workedThrough(progress.done, progress.of)}</p>
          )}
        </ConfirmDialog>
      )}
    </div>
  );
}

/** Stars jobs. Undoing it also ends the keeping that began with a star. */
function starring(jobs: readonly ListedJob[]): Work {
  const before = new Map(jobs.map((job) => [job.id, job]));
  const kept = new Set<string>();
  const refused = new Set<string>();
  return {
    ids: [...before.keys()],
    async change(id) {
      const changed = await noteJob(id, { starred: true });
      takeOver(changed);
      const keeping = keepingBy(before.get(id) ?? changed, changed);
      if (keeping !== null) (keeping === "kept" ? kept : refused).add(id);
    },
    done: (count) =>
      [
        texts.library.starredJobs(count),
        ...(refused.size > 0 ? [texts.library.starredNotKept(refused.size)] : []),
      ].join(" "),
    async undo(id) {
      if (kept.has(id)) await changeKeeping(id, false);
      takeOver(await noteJob(id, { starred: false }));
    },
  };
}

/** Runs work on the selected jobs, says what was done, and offers to undo it. */
function useWork(onDone: () => void) {
  const [progress, setProgress] = useState<{ readonly done: number; readonly of: number } | null>(
    null,
  );
  async function run({ ids, change, done, undo }: Work): Promise<void> {
    const outcome = await workThrough(ids, change, (count) =>
      setProgress({ done: count, of: ids.length }),
    );
    void queryClient.invalidateQueries(keptQuery);
    if (outcome.isOver) return;
    setProgress(null);
    const isUndoable = undo !== null && outcome.done.length > 0;
    showToast(
      messageFor(outcome, done),
      isUndoable
        ? async () => {
            const undone = await workThrough(outcome.done, undo, () => undefined);
            void queryClient.invalidateQueries(keptQuery);
            if (undone.problem !== null && !undone.isOver) showToast(undone.problem);
          }
        : null,
    );
    onDone();
  }
  return { run, progress };
}

function messageFor({ done, problem }: Outcome, describe: (count: number) => string): string {
  return [describe(done.length), problem].filter((part) => part !== null).join(" ");
}
