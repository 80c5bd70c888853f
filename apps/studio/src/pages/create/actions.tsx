import type { Job, Model } from "@atelier/schemas";
import { texts } from "../../texts.ts";
import { Button } from "../../ui/button.tsx";
import { Icon } from "../../ui/icons.tsx";
import { showToast } from "../../ui/toast.tsx";
import styles from "./stage.module.css";
import { againOf, editOf, type DraftChange } from "./draft.ts";
import type { ResultImage } from "./images-of.ts";

/** What can be done with an image: show it large, refer to it, edit it, make it again. */
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
  function begin(change: Parameters<DraftChange>[0], message: string): void {
    onChange(change);
    showToast(message);
    document.querySelector("textarea")?.focus();
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
        <Button onClick={() => begin(editOf(source), texts.create.editStarted)}>
          <Icon name="brush" size={16} /> {texts.create.edit}
        </Button>
      )}
      {(job.operation === "image" || job.operation === "edit") && (
        <Button onClick={() => begin(againOf(job.request, image.seed), texts.create.againStarted)}>
          <Icon name="repeat" size={16} /> {texts.create.again}
        </Button>
      )}
    </div>
  );
}
