import type { ListedJob } from "@atelier/schemas";
import { Link } from "wouter";
import { queryClient, recentQuery } from "../../data/queries.ts";
import { formatTime } from "../../format.ts";
import { texts } from "../../texts.ts";
import { Picture } from "../../ui/picture.tsx";
import { TestBadge } from "../../ui/test-badge.tsx";
import styles from "./stage.module.css";
import { draggable } from "./use-dropped-files.ts";

/** The newest images of the account. */
export function Recent(props: {
  readonly jobs: readonly ListedJob[];
  readonly shownId: string | null;
}) {
  const { jobs, shownId } = props;
  if (jobs.length === 0) return null;
  return (
    <section className={styles.recent} aria-labelledby="recent">
      <h2 id="recent">{texts.create.recent}</h2>
      <div className={styles.strip}>
        {jobs.map(({ id, mode, prompt, created_at: createdAt, result }) => (
          <Link
            key={id}
            href={`/?job=${id}`}
            {...draggable({ source: { job_id: id, image: 0 }, description: prompt ?? "" })}
            aria-label={texts.create.recentImage(
              prompt ?? "",
              formatTime(createdAt),
              mode === "test",
            )}
            aria-current={id === shownId ? "true" : undefined}
          >
            <Picture
              src={result?.thumbnail_url ?? ""}
              alt=""
              loading="lazy"
              onExpired={() => void queryClient.invalidateQueries(recentQuery)}
            />
            <TestBadge mode={mode} />
          </Link>
        ))}
      </div>
    </section>
  );
}
