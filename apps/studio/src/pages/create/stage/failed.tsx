import type { Job } from "@atelier/schemas";
import {
  failureOfJob,
  refusalCategory,
  refusalHelp,
  refusalReason,
} from "../../../form/problems.ts";
import { texts } from "../../../texts.ts";
import { EmptyState } from "../../../ui/empty-state.tsx";
import styles from "./stage.module.css";

/** A job without images: why, and what to do. */
export function Failed({ job }: { readonly job: Job }) {
  const { error } = job;
  if (error === null) {
    return (
      <div className={styles.board}>
        <EmptyState icon="alert" title={texts.create.cancelled} hint={texts.create.cancelledHint} />
      </div>
    );
  }
  const failure = failureOfJob(error);
  const category = refusalCategory(failure);
  return (
    <div className={styles.board}>
      <div className={`${styles.canvas} ${styles.blank}`}>
        <EmptyState
          icon="alert"
          title={category === null ? texts.create.failed : texts.create.refused}
          hint={category === null ? failure.message : texts.create.nothingCharged}
        >
          {category !== null && (
            <dl className={styles.reason}>
              <div>
                <dt>{texts.create.refusalReason}</dt>
                <dd>{refusalReason(category)}</dd>
              </div>
              <div>
                <dt>{texts.create.refusalHelp}</dt>
                <dd>{refusalHelp(failure, texts.create.refusalPolicy)}</dd>
              </div>
            </dl>
          )}
        </EmptyState>
      </div>
    </div>
  );
}
