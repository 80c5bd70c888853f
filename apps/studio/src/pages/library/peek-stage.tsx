import type { Job } from "@atelier/schemas";
import { isFinal, jobQuery, queryClient } from "../../data/queries.ts";
import { formatWait } from "../../format.ts";
import { texts } from "../../texts/library.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Picture } from "../../ui/picture.tsx";
import { castPictures, isKept, type NamedImage } from "./images-of-job.ts";
import styles from "./peek.module.css";

/** The chosen image of a job and a strip of all its images, or the reason why the job has no image. */
export function PeekStage(props: {
  readonly job: Job;
  readonly images: readonly NamedImage[];
  readonly image: NamedImage | undefined;
  readonly onIndex: (index: number) => void;
}) {
  const { job, images, image, onIndex } = props;
  return (
    <div className={styles.stage}>
      <div className={styles.canvas}>
        <Shown job={job} image={image} />
      </div>
      {images.length > 1 && (
        <div className={styles.strip} role="group" aria-label={texts.library.images}>
          {images.map((one) => {
            const url = one.thumbnailUrl ?? one.url;
            return (
              <button
                key={one.index}
                type="button"
                aria-label={one.name}
                aria-pressed={one === image}
                onClick={() => onIndex(one.index)}
              >
                {url === undefined ? one.index + 1 : <img src={url} alt="" loading="lazy" />}
              </button>
            );
          })}
        </div>
      )}
    </div>
  );
}

function Shown({ job, image }: { readonly job: Job; readonly image: NamedImage | undefined }) {
  const url = image?.url;
  if (url !== undefined) {
    return (
      <Picture
        key={url}
        src={url}
        alt={image?.name ?? ""}
        onExpired={() => void queryClient.invalidateQueries(jobQuery(job.id))}
      />
    );
  }
  const cast = castPictures(job);
  if (cast.length > 0) {
    return (
      <div className={styles.running}>
        <div className={styles.arrived}>
          {cast.map((one) => (
            <img key={one} src={one} alt="" />
          ))}
        </div>
      </div>
    );
  }
  if (job.status === "completed" && (image === undefined || !isKept(image))) {
    return (
      <EmptyState icon="image" title={texts.library.expired} hint={texts.library.expiredHint} />
    );
  }
  if (!isFinal(job)) return <Running job={job} />;
  return (
    <EmptyState
      icon="alert"
      title={texts.library.states[job.status]}
      hint={job.error?.message ?? texts.library.nothingCharged}
    />
  );
}

function Running({ job }: { readonly job: Job }) {
  const { status, renders_total: total, renders_completed: done, renders = [] } = job;
  const wait = job.estimated_wait_seconds ?? null;
  const urls = renders.flatMap(({ thumbnail_url: url }) => url ?? []);
  return (
    <div className={styles.running}>
      <strong role="status">{texts.library.states[status]}</strong>
      {status === "pending" && wait !== null && <p>{texts.library.waitFor(formatWait(wait))}</p>}
      {total > 1 && <progress max={total} value={done} aria-label={texts.library.images} />}
      {total > 1 && <p className="num">{texts.library.progress(done, total)}</p>}
      <div className={styles.arrived}>
        {urls.map((url) => (
          <img key={url} src={url} alt="" />
        ))}
      </div>
    </div>
  );
}
