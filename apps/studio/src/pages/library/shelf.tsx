import type { ListedJob } from "@atelier/schemas";
import type { Collection } from "@atelier/schemas/endpoints";
import { useRef, useState } from "react";
import {
  createCollection,
  deleteCollection,
  renameCollection,
  useCanCollect,
  useCollections,
} from "../../data/collections.ts";
import { texts } from "../../texts/library.ts";
import { Button } from "../../ui/button.tsx";
import { ConfirmDialog } from "../../ui/dialogs/confirm-dialog.tsx";
import { FormDialog } from "../../ui/dialogs/form-dialog.tsx";
import { Icon } from "../../ui/icons.tsx";
import { Picture } from "../../ui/picture.tsx";
import { TextField } from "../../ui/text-field.tsx";
import type { Filters } from "./filters.ts";
import { imagesOfJob } from "./images-of-job.ts";
import { rereadJob } from "./library-query.ts";
import styles from "./shelf.module.css";

/** Id of the button that begins and ends a selection. */
export const selectId = "select-jobs";

/** Filters of the list by star, collection and a similar picture, and the actions for collections. */
export function Shelf(props: {
  readonly filters: Filters;
  readonly jobs: readonly ListedJob[];
  readonly onChange: (part: Partial<Filters>) => void;
  readonly isSelecting: boolean;
  readonly onSelecting: (isSelecting: boolean) => void;
}) {
  const { filters, jobs, onChange, isSelecting, onSelecting } = props;
  const collections = useCollections();
  const canCollect = useCanCollect();
  const [isCreating, setCreating] = useState(false);
  const star = useRef<HTMLButtonElement>(null);
  const shown = collections.find(({ id }) => id === filters.collection);
  const isStarred = filters.starred === "true";
  const { collection, allCollections, createCollection: create, starred } = texts.library;
  return (
    <div className={styles.shelf} role="group" aria-label={texts.library.shelf}>
      <Button
        ref={star}
        className={styles.chip}
        aria-pressed={isStarred}
        onClick={() => onChange({ starred: isStarred ? "" : "true" })}
      >
        <Icon name="star" size={16} /> {starred}
      </Button>
      {filters.similar_to !== "" && (
        <SimilarChip
          {...{ jobs }}
          hash={filters.similar_to}
          onRemove={() => {
            onChange({ similar_to: "" });
            star.current?.focus();
          }}
        />
      )}
      {(collections.length > 0 || filters.collection !== "") && (
        <select
          aria-label={collection}
          data-is-set={filters.collection !== ""}
          value={filters.collection}
          onChange={({ target }) => onChange({ collection: target.value })}
        >
          <option value="">{allCollections}</option>
          {filters.collection !== "" && shown === undefined && (
            <option value={filters.collection}>{filters.collection}</option>
          )}
          {collections.map(({ id, name, jobs: count }) => (
            <option key={id} value={id}>
              {texts.library.collectionOption(name, count)}
            </option>
          ))}
        </select>
      )}
      {canCollect && shown !== undefined && (
        <Manage key={shown.id} collection={shown} onDeleted={() => onChange({ collection: "" })} />
      )}
      {canCollect && (
        <Button look="ghost" onClick={() => setCreating(true)}>
          <Icon name="plus" size={16} /> {create}
        </Button>
      )}
      <Button
        id={selectId}
        className={styles.select}
        aria-pressed={isSelecting}
        onClick={() => onSelecting(!isSelecting)}
      >
        <Icon name="check" size={16} /> {texts.library.select}
      </Button>
      {isCreating && (
        <NameDialog
          title={create}
          action={texts.library.createAction}
          onSave={async (name) => onChange({ collection: (await createCollection(name)).id })}
          onClose={() => setCreating(false)}
        />
      )}
    </div>
  );
}

/** Removes the filter by a similar picture, which it shows if the list has it. */
function SimilarChip(props: {
  readonly hash: string;
  readonly jobs: readonly ListedJob[];
  readonly onRemove: () => void;
}) {
  const { hash, jobs, onRemove } = props;
  const [picture] = jobs.flatMap(({ id, result }) =>
    (result === null ? [] : imagesOfJob(result))
      .filter((image) => image.hash === hash)
      .map(({ thumbnailUrl, url }) => ({ id, url: thumbnailUrl ?? url })),
  );
  return (
    <Button
      className={styles.chip}
      data-is-set
      aria-label={texts.library.similarEnd}
      title={texts.library.similarEnd}
      onClick={onRemove}
    >
      {picture?.url === undefined ? (
        <Icon name="search" size={16} />
      ) : (
        <Picture src={picture.url} alt="" onExpired={() => rereadJob(picture.id)} />
      )}
      {texts.library.similar} <Icon name="close" size={16} />
    </Button>
  );
}

/** Renames or deletes the collection that is shown. */
function Manage(props: { readonly collection: Collection; readonly onDeleted: () => void }) {
  const { collection, onDeleted } = props;
  const [open, setOpen] = useState<"rename" | "delete" | null>(null);
  const close = () => setOpen(null);
  const { renameCollection: rename, deleteCollection: remove } = texts.library;
  return (
    <>
      <Button look="ghost" onClick={() => setOpen("rename")}>
        <Icon name="pencil" size={16} /> {rename}
      </Button>
      <Button look="ghost" onClick={() => setOpen("delete")}>
        <Icon name="trash" size={16} /> {remove}
      </Button>
      {open === "rename" && (
        <NameDialog
          title={rename}
          action={texts.common.save}
          first={collection.name}
          onSave={(name) => renameCollection(collection.id, name)}
          onClose={close}
        />
      )}
      {open === "delete" && (
        <ConfirmDialog
          title={texts.library.deleteCollectionTitle(collection.name)}
          action={remove}
          onConfirm={async () => {
            await deleteCollection(collection.id);
            onDeleted();
          }}
          onClose={close}
        >
          <p>{texts.library.deleteCollectionHint}</p>
        </ConfirmDialog>
      )}
    </>
  );
}

function NameDialog(props: {
  readonly title: string;
  readonly action: string;
  readonly first?: string;
  readonly onSave: (name: string) => Promise<void>;
  readonly onClose: () => void;
}) {
  const { title, action, first = "", onSave, onClose } = props;
  const [name, setName] = useState(first);
  async function save(): Promise<void> {
    await onSave(name.trim());
    onClose();
  }
  return (
    <FormDialog title={title} action={action} fields={["name"]} onSave={save} onClose={onClose}>
      {(problems) => (
        <TextField
          label={texts.library.collectionName}
          maxLength={100}
          problem={problems.at("name")}
          value={name}
          onChange={setName}
        />
      )}
    </FormDialog>
  );
}
