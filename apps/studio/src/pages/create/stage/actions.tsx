import type { ImageSource, Job, Model } from "@atelier/schemas";
import { queryClient } from "../../../data/queries.ts";
import type { ResultImage } from "../../../pictures/images-of.ts";
import { KeepButton } from "../../../pictures/keep-button.tsx";
import { PictureMenu } from "../../../pictures/picture-menu.tsx";
import { texts } from "../../../texts/pictures.ts";
import { Button } from "../../../ui/button.tsx";
import { Icon } from "../../../ui/icons.tsx";
import { showToast } from "../../../ui/toast.tsx";
import { isFormOperation, type Change } from "../changes.ts";
import { againOf, changeOf, referenceOf, type DraftChange, type DraftReference } from "../draft.ts";
import styles from "./stage.module.css";

/** Actions on an image: show it large, refer to it, edit it, make it again, and those of every picture. */
export function Actions(props: {
  readonly job: Job;
  readonly image: ResultImage;
  readonly models: readonly Model[];
  readonly onZoom: () => void;
  readonly onRefer: (reference: DraftReference) => void;
  readonly onChange: DraftChange;
}) {
  const { job, image, models, onZoom, onRefer, onChange } = props;
  const source = { job_id: job.id, image: image.index };
  const reference = referenceOf(job, image);
  const onJob = () => void queryClient.invalidateQueries({ queryKey: ["jobs"] });
  function change(operation: Change, from: ImageSource): void {
    onChange((before) => changeOf(before, operation, from));
    begin(operation === "edit" ? texts.create.editStarted : texts.pictures.toolStarted);
  }
  return (
    <div className={styles.actions}>
      <Button onClick={onZoom}>
        <Icon name="zoom" size={16} /> {texts.create.zoom}
      </Button>
      {models.some(({ supports_references: supportsReferences }) => supportsReferences) && (
        <Button onClick={() => onRefer(reference)}>
          <Icon name="image" size={16} /> {texts.create.useAsReference}
        </Button>
      )}
      {models.some(({ supports_edit: supportsEdit }) => supportsEdit) && (
        <Button onClick={() => change("edit", source)}>
          <Icon name="brush" size={16} /> {texts.create.edit}
        </Button>
      )}
      <AgainButton job={job} seed={image.seed} models={models} onChange={onChange} />
      <KeepButton job={job} className={styles.keep} onJob={onJob} />
      <PictureMenu
        {...{ job, image }}
        isNamed
        title={reference.description || job.model}
        openIn="library"
        use={{ refer: onRefer, change }}
        onJob={onJob}
      />
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

/** Leads to the prompt of a form that was just filled in, or to the tool that is chosen. */
function begin(message: string): void {
  showToast(message);
  // The form changes first.
  setTimeout(() => {
    const form = document.querySelector("form");
    (form?.querySelector("textarea") ?? form?.querySelector<HTMLElement>("input:checked"))?.focus();
  });
}
