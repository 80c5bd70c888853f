import type { Job, Model } from "@atelier/schemas";
import { texts } from "../../texts.ts";
import { Button } from "../../ui/button.tsx";
import { Icon } from "../../ui/icons.tsx";
import { showToast } from "../../ui/toast.tsx";
import styles from "./stage.module.css";
import { isFormOperation } from "./changes.ts";
import { againOf, changeOf, type DraftChange } from "./draft.ts";
import type { ResultImage } from "./images-of.ts";

/** Actions on an image: show it large, refer to it, edit it, make it again. */
export function Actions(props: {
  readonly job: Job;
  readonly image: ResultImage;
  readonly models: readonly Model[];
  readonly onZoom: () => void;
  readonly onRefer: () => void;
  readonly onChange: DraftChange;
}) {
  const { job, image, models, onZoom, onRefer, onChange } = props;
  const source = { job_id: job.id, image: image.index };
  function edit(): void {
    onChange((before) => changeOf(before, "edit", source));
    begin(texts.create.editStarted);
  }
  return (
    <div className={styles.actions}>
      <Button onClick={onZoom}>
        <Icon name="zoom" size={16} /> {texts.create.zoom}
      </Button>
      {models.some(({ supports_references: supportsReferences }) => supportsReferences) && (
        <Button onClick={onRefer}>
          <Icon name="image" size={16} /> {texts.create.useAsReference}
        </Button>
      )}
      {models.some(({ supports_edit: supportsEdit }) => supportsEdit) && (
        <Button onClick={edit}>
          <Icon name="brush" size={16} /> {texts.create.edit}
        </Button>
      )}
      <AgainButton job={job} seed={image.seed} models={models} onChange={onChange} />
    </div>
  );
}

/** Fills the form with the request of an image and its seed. */
export function AgainButton(props: {
  readonly job: Job;
  readonly seed: number | undefined;
  readonly models: readonly Model[];
  readonly onChange: DraftChange;
}) {
  const { job, seed, models, onChange } = props;
  if (!isFormOperation(job.operation)) return null;
  function again(): void {
    onChange(againOf(job, seed));
    begin(
      models.some(({ id }) => id === job.model)
        ? texts.create.againStarted
        : texts.create.againOtherModel,
    );
  }
  return (
    <Button onClick={again}>
      <Icon name="repeat" size={16} /> {texts.create.again}
    </Button>
  );
}

/** Leads to the prompt of a form that was just filled in. */
function begin(message: string): void {
  showToast(message);
  document.querySelector("textarea")?.focus();
}
