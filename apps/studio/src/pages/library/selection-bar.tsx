import { useMutation } from "@tanstack/react-query";
import { Suspense, useEffect, useState } from "react";
import { messageOf } from "../../api.ts";
import { changeCollection } from "../../data/collections.ts";
import { longestTitle } from "../../pictures/picture-menu.tsx";
import { noteJob } from "../../pictures/use-noting.ts";
import { texts } from "../../texts/library.ts";
import { texts as pictureTexts } from "../../texts/pictures.ts";
import { Button } from "../../ui/button.tsx";
import { Icon } from "../../ui/icons.tsx";
import { loadLater } from "../../ui/load-later.ts";
import { showToast } from "../../ui/toast.tsx";
import { takeOver } from "./job-actions.ts";
import { selectId } from "./shelf.tsx";
import styles from "./shelf.module.css";

const CollectionDialog = loadLater(
  async () => (await import("../../pictures/collection-dialog.tsx")).default,
);

/** The actions for the selected jobs. */
export function SelectionBar(props: {
  readonly ids: readonly string[];
  /** The collection that the list is limited to. */
  readonly collection: { readonly id: string; readonly name: string } | undefined;
  /** Ends the selection. */
  readonly onDone: () => void;
}) {
  const { ids, collection, onDone } = props;
  const [isCollecting, setCollecting] = useState(false);
  useEffect(
    () => () => {
      // After a dialog of the bar, which returns the focus to a button that is gone.
      requestAnimationFrame(() => document.getElementById(selectId)?.focus());
    },
    [],
  );
  const starring = useMutation({
    mutationFn: async () => {
      for (const id of ids) takeOver(await noteJob(id, { starred: true }));
    },
    onSuccess: () => {
      showToast(texts.library.starredJobs(ids.length));
      onDone();
    },
    onError: (error) => showToast(messageOf(error)),
  });
  const removing = useMutation({
    mutationFn: (from: { readonly id: string; readonly name: string }) =>
      changeCollection(from.id, "remove", ids),
    onSuccess: (_, { name }) => {
      showToast(pictureTexts.pictures.collections.removed(ids.length, name));
      onDone();
    },
    onError: (error) => showToast(messageOf(error)),
  });
  const { collections, star } = pictureTexts.pictures;
  const isDisabled = ids.length === 0 || starring.isPending || removing.isPending;
  return (
    <div className={styles.bar} role="group" aria-label={texts.library.selection}>
      <p role="status">{texts.library.selected(ids.length)}</p>
      <Button disabled={isDisabled} onClick={() => starring.mutate()}>
        <Icon name="star" size={16} /> {star}
      </Button>
      <Button disabled={isDisabled} onClick={() => setCollecting(true)}>
        <Icon name="folder" size={16} /> {collections.add}
      </Button>
      {collection !== undefined && (
        <Button disabled={isDisabled} onClick={() => removing.mutate(collection)}>
          <Icon name="minus" size={16} />{" "}
          {collections.remove(collection.name.slice(0, longestTitle))}
        </Button>
      )}
      <Button look="primary" onClick={onDone}>
        {texts.library.selectDone}
      </Button>
      {isCollecting && (
        <Suspense fallback={null}>
          <CollectionDialog jobIds={ids} onAdded={onDone} onClose={() => setCollecting(false)} />
        </Suspense>
      )}
    </div>
  );
}
