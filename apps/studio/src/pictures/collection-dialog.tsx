import type { Collection } from "@atelier/schemas/endpoints";
import { useQuery } from "@tanstack/react-query";
import { changeCollection, collectionsQuery, createCollection } from "../data/collections.ts";
import { useSingleMutation } from "../data/use-single-mutation.ts";
import { texts } from "../texts/pictures.ts";
import { Dialog } from "../ui/dialogs/dialog.tsx";
import { NameEntry } from "../ui/dialogs/name-entry.tsx";
import { Icon } from "../ui/icons.tsx";
import { Loading } from "../ui/loading.tsx";
import { Problem } from "../ui/problem.tsx";
import { showToast } from "../ui/toast.tsx";
import styles from "./collection-dialog.module.css";

/** Adds jobs to one of the collections, or to a new one. */
export default function CollectionDialog(props: {
  readonly jobIds: readonly string[];
  readonly onAdded?: () => void;
  readonly onClose: () => void;
}) {
  const { jobIds, onAdded, onClose } = props;
  const { data: collections, error } = useQuery(collectionsQuery);
  const adding = useSingleMutation({
    /** @param to a collection, or the name of a new one. */
    mutationFn: async (to: Collection | string) => {
      const collection = typeof to === "string" ? await createCollection(to) : to;
      const changed = await changeCollection(collection.id, "add", jobIds);
      // Those that it had before must stay in it.
      const areNew = changed?.jobs === collection.jobs + jobIds.length;
      return { ...collection, areNew };
    },
    onSuccess: ({ id, name, areNew }) => {
      const undo = () => changeCollection(id, "remove", jobIds);
      showToast(texts.pictures.collections.added(jobIds.length, name), areNew ? undo : null);
      onClose();
      onAdded?.();
    },
  });
  const { title, hint, create: createText, name: nameText, count } = texts.pictures.collections;
  return (
    <Dialog title={title(jobIds.length)} onClose={onClose}>
      <div className={styles.collections}>
        {collections === undefined && error === null && <Loading />}
        {collections?.length === 0 && <p>{hint}</p>}
        {collections !== undefined && collections.length > 0 && (
          <ul>
            {collections.map((collection) => (
              <li key={collection.id}>
                <button
                  type="button"
                  disabled={adding.isPending}
                  onClick={() => adding.mutate(collection)}
                >
                  <Icon name="folder" size={16} />
                  <span dir="auto">{collection.name}</span>
                  <small className="num">{count(collection.jobs)}</small>
                </button>
              </li>
            ))}
          </ul>
        )}
        <Problem error={error ?? adding.error} />
        <NameEntry
          label={nameText}
          action={createText}
          isPending={adding.isPending}
          onEnter={adding.mutate}
        />
      </div>
    </Dialog>
  );
}
