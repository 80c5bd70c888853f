import { Suspense } from "react";
import type { PictureUse } from "../../../pictures/picture-menu.tsx";
import { texts } from "../../../texts.ts";
import { Icon } from "../../../ui/icons.tsx";
import { loadLater } from "../../../ui/load-later.ts";
import { Picture } from "../../../ui/picture.tsx";
import type { DraftReference } from "../draft.ts";
import styles from "./references.module.css";
import { useSource } from "./use-source.ts";

const JobMenu = loadLater(async () => (await import("../../../pictures/job-menu.tsx")).JobMenu);

/** One reference image: its picture, what it shows, and a button to remove it. */
export function Reference(props: {
  readonly reference: DraftReference;
  readonly number: number;
  readonly problem: string | undefined;
  readonly onChange: (description: string) => void;
  readonly onRemove: () => void;
  readonly use: PictureUse;
}) {
  const { reference, number, onChange, onRemove, use } = props;
  const { thumbnailUrl, isMissing, refresh } = useSource(reference.source);
  const problem = isMissing ? texts.create.referenceMissing : props.problem;
  return (
    <li className={styles.reference}>
      <span className={styles.picture}>
        {thumbnailUrl !== undefined && <Picture src={thumbnailUrl} alt="" onExpired={refresh} />}
      </span>
      <input
        dir="auto"
        value={reference.description}
        onChange={(event) => onChange(event.target.value)}
        placeholder={texts.create.referencePlaceholder}
        aria-label={texts.create.referenceDescription(number)}
        aria-invalid={problem === undefined ? undefined : true}
        maxLength={4_000}
      />
      {reference.source.job_id !== undefined && (
        <Suspense fallback={null}>
          <JobMenu jobId={reference.source.job_id} index={reference.source.image ?? 0} use={use} />
        </Suspense>
      )}
      <button
        type="button"
        className={styles.remove}
        onClick={onRemove}
        aria-label={texts.create.removeReference(number)}
        title={texts.create.removeReference(number)}
      >
        <Icon name="close" size={16} />
      </button>
      {problem !== undefined && (
        <p className={styles.problem} role="alert">
          {problem}
        </p>
      )}
    </li>
  );
}
