import type { Job } from "@atelier/schemas";
import { useQuery } from "@tanstack/react-query";
import { Link, useSearchParams } from "wouter";
import { recentQuery } from "../../../data/queries.ts";
import { texts } from "../../../texts/pictures.ts";
import { Icon } from "../../../ui/icons.tsx";
import { Picture } from "../../../ui/picture.tsx";
import { isFormOperation } from "../changes.ts";
import { useSource } from "../references/use-source.ts";
import styles from "./history.module.css";
import {
  historyQuery,
  isImage,
  latestChange,
  otherChanges,
  sourceOf,
  type Step,
} from "./read-history.ts";

/**
 * Links to the images that led to an image by changes and to its newest changes, and below them to the other changes
 * of these images among the newest jobs. An image without changes has no history.
 */
export function History({ job, image }: { readonly job: Job; readonly image: number }) {
  const [search] = useSearchParams();
  const { data: recent } = useQuery(recentQuery);
  // The address names the last image of the history, so that earlier images are shown with the later ones.
  const completed = (recent?.jobs ?? []).filter(({ status }) => status === "completed");
  const latest = latestChange(completed, { jobId: job.id, image });
  const [laterId = latest.jobId, laterImage = latest.image] = search.get("of")?.split(".") ?? [];
  const { data: ofLater } = useQuery({
    ...historyQuery(laterId, Number(laterImage)),
    enabled: laterId !== job.id,
  });
  const { data: ofOwn } = useQuery({
    ...historyQuery(job.id, image),
    enabled: sourceOf(job) !== undefined,
  });
  const isPart = ofLater?.some((step) => isImage(step, job.id, image)) ?? false;
  const steps = (isPart ? ofLater : ofOwn) ?? [];
  const last = steps.at(-1);
  if (steps.length < 2 || last === undefined) return null;
  const names = texts.pictures.history;
  const others = otherChanges(completed, steps);
  return (
    <nav aria-label={names.title} className={styles.histories}>
      <ol className={styles.history}>
        {steps.map((step, index) => (
          <li key={JSON.stringify(step.source)}>
            <StepLink
              step={step}
              name={index === 0 ? names.original : nameOf(step)}
              isShown={isImage(step, job.id, image)}
              last={last}
            />
          </li>
        ))}
      </ol>
      {others.length > 0 && (
        <div>
          <h2 id="other-changes">{names.others}</h2>
          <ul className={styles.history} aria-labelledby="other-changes">
            {others.map((step) => (
              <li key={step.source.job_id}>
                <StepLink step={step} name={nameOf(step)} isShown={false} last={step} />
              </li>
            ))}
          </ul>
        </div>
      )}
    </nav>
  );
}

function nameOf({ operation }: Step): string {
  if (operation === null || !isFormOperation(operation)) return texts.pictures.history.original;
  return texts.create.operations[operation];
}

function StepLink(props: {
  readonly step: Step;
  readonly name: string;
  readonly isShown: boolean;
  readonly last: Step;
}) {
  const { step, name, isShown, last } = props;
  const { source } = step;
  const { thumbnailUrl, refresh } = useSource(source);
  const content = (
    <>
      <span className={styles.picture}>
        {thumbnailUrl === undefined ? (
          <Icon name="image" />
        ) : (
          <Picture src={thumbnailUrl} alt="" onExpired={refresh} />
        )}
      </span>
      {name}
    </>
  );
  // A file that was sent has no job to show.
  if (source.job_id === undefined) return <span className={styles.step}>{content}</span>;
  const image = source.image ? `&image=${source.image}` : "";
  const of = step === last ? "" : `&of=${last.source.job_id}.${last.source.image ?? 0}`;
  return (
    <Link
      href={`/?job=${source.job_id}${image}${of}`}
      className={styles.step}
      aria-current={isShown ? "step" : undefined}
    >
      {content}
    </Link>
  );
}
