import type { Job } from "@atelier/schemas";
import {
  failureOfJob,
  refusalCategory,
  refusalHelp,
  refusalReason,
} from "../../../form/problems.ts";
import { texts } from "../../../texts/stories.ts";
import { Notice } from "../../../ui/notice.tsx";
import { nameOfPath, type StoryImage } from "../story-cards.ts";
import styles from "./board.module.css";

/** Why a story was not made, which part of it is the reason, and what to do. */
export function StoryFailure({ job }: { readonly job: Job }) {
  const { error } = job;
  if (job.status === "cancelled") {
    return <Notice kind="neutral">{texts.stories.cancelled}</Notice>;
  }
  if (error === null) return null;
  const failure = failureOfJob(error);
  const category = refusalCategory(failure);
  const path = problemPaths(job)[0];
  return (
    <Notice kind="bad">
      <p>{category === null ? texts.stories.failed : texts.create.refused}</p>
      <dl className={styles.reason}>
        {path !== undefined && (
          <div>
            <dt>{texts.stories.concerns}</dt>
            <dd>{nameOfPath(path, job)}</dd>
          </div>
        )}
        <div>
          <dt>{texts.create.refusalReason}</dt>
          <dd>{category === null ? failure.message : refusalReason(category)}</dd>
        </div>
        {category !== null && (
          <div>
            <dt>{texts.create.refusalHelp}</dt>
            <dd>{refusalHelp(failure, texts.stories.refusalHelp)}</dd>
          </div>
        )}
      </dl>
      <p>{texts.create.nothingCharged}</p>
    </Notice>
  );
}

/** The image with the state that a failed story gives it: only those are failed that its error names. */
export function withBlame(image: StoryImage, job: Job): StoryImage {
  const paths = problemPaths(job);
  if (job.status !== "failed" || paths.length === 0) return image;
  if (image.status === "completed" || image.status === "supplied") return image;
  const { path, role } = image;
  const isNamed = paths.some(
    (one) =>
      `${one}.`.startsWith(`${path}.`) &&
      !(role === "portrait" && one.startsWith(`${path}.states.`)),
  );
  return { ...image, status: isNamed ? "failed" : "cancelled" };
}

/** The paths in the request that the error of a story names. */
function problemPaths({ error }: Job): readonly string[] {
  if (!Array.isArray(error?.details)) return [];
  return error.details.flatMap(({ path }: { readonly path?: unknown }) =>
    typeof path === "string" && path !== "" ? [path] : [],
  );
}
