import type { ListedJob } from "@atelier/schemas";
import { Suspense } from "react";
import { Link } from "wouter";
import { queryClient, recentQuery } from "../../../data/queries.ts";
import { formatTime } from "../../../format.ts";
import { imagesOf } from "../../../pictures/images-of.ts";
import type { PictureUse } from "../../../pictures/picture-menu.tsx";
import { texts } from "../../../texts.ts";
import { loadLater } from "../../../ui/load-later.ts";
import { Picture } from "../../../ui/picture.tsx";
import { TestBadge } from "../../../ui/test-badge.tsx";
import { draggable } from "../references/use-dropped-files.ts";
import styles from "./stage.module.css";

const PictureMenu = loadLater(
  async () => (await import("../../../pictures/picture-menu.tsx")).PictureMenu,
);

/** The newest images of the account, each with its menu. */
export function Recent(props: {
  readonly jobs: readonly ListedJob[];
  readonly shownId: string | null;
  readonly use: PictureUse;
}) {
  const { jobs, shownId, use } = props;
  if (jobs.length === 0) return null;
  return (
    <section className={styles.recent} aria-labelledby="recent">
      <h2 id="recent">{texts.create.recent}</h2>
      <div className={styles.strip}>
        {jobs.map((job) => (
          <RecentImage key={job.id} job={job} isShown={job.id === shownId} use={use} />
        ))}
      </div>
    </section>
  );
}

function RecentImage(props: {
  readonly job: ListedJob;
  readonly isShown: boolean;
  readonly use: PictureUse;
}) {
  const { job, isShown, use } = props;
  const { id, mode, title, prompt, source, created_at: createdAt, result } = job;
  const name = title ?? prompt ?? source?.prompt ?? "";
  const image = result === null ? undefined : imagesOf(result)[0];
  return (
    <div className={styles.recentImage}>
      <Link
        href={`/?job=${id}`}
        {...draggable({ source: { job_id: id, image: 0 }, description: prompt ?? "" })}
        aria-label={texts.create.recentImage(name, formatTime(createdAt), mode === "test")}
        aria-current={isShown ? "true" : undefined}
      >
        <Picture
          src={result?.thumbnail_url ?? ""}
          alt=""
          loading="lazy"
          onExpired={() => void queryClient.invalidateQueries(recentQuery)}
        />
        <TestBadge mode={mode} />
      </Link>
      {image !== undefined && (
        <Suspense fallback={null}>
          <PictureMenu
            {...{ job, image, use }}
            className={styles.recentMenu}
            title={name}
            openIn="library"
            onJob={() => void queryClient.invalidateQueries({ queryKey: ["jobs"] })}
          />
        </Suspense>
      )}
    </div>
  );
}
