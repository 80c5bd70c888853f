import type { ListedJob } from "@atelier/schemas";
import { useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { isFinal, jobQuery, queryClient } from "../../data/queries.ts";
import { formatTime } from "../../format.ts";
import { drawnPictures } from "../../pictures/images-of.ts";
import { texts } from "../../texts/stories.ts";
import { Icon } from "../../ui/icons.tsx";
import { Picture } from "../../ui/picture.tsx";
import { titleOfStory } from "./title-of-story.ts";
import { storiesQuery } from "./queries.ts";
import styles from "./stories.module.css";

/** Pictures of a cover: a large one and three small ones. */
const coverCount = 4;

/** A story of the list: its cover, title and state. */
export function StoryCard({ job }: { readonly job: ListedJob }) {
  const covers = coversOf(job);
  // Lists contain the title of completed stories only.
  const { data: whole } = useQuery({
    ...jobQuery(job.id),
    enabled: job.result === null,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const title = job.title ?? (whole === undefined ? "…" : titleOfStory(whole));
  return (
    <Link href={`/stories/${job.id}`} className={styles.story}>
      <div className={styles.cover} data-count={covers.length}>
        {covers.map((url) => (
          <Picture
            key={url.split("?", 1)[0]}
            src={url}
            alt=""
            loading="lazy"
            onExpired={() => void queryClient.invalidateQueries(storiesQuery)}
          />
        ))}
        {covers.length === 0 && (
          <span className={styles.noCover}>
            <Icon name={job.status === "failed" ? "alert" : "story"} size={28} />
            {job.status === "completed" && texts.stories.notKept}
          </span>
        )}
      </div>
      <h2 dir="auto">{title}</h2>
      <p>
        <State job={job} />
        <span className="num">{formatTime(job.created_at)}</span>
      </p>
    </Link>
  );
}

function State({ job }: { readonly job: ListedJob }) {
  const { status, scenes_total: scenes, renders_completed: done, renders_total: total } = job;
  if (status === "completed") {
    const isCast = scenes === 0;
    return <span>{isCast ? texts.stories.onlyCast : texts.stories.sceneCount(scenes ?? 0)}</span>;
  }
  const text = isFinal(job) ? texts.stories.states[status] : texts.stories.doneOf(done, total);
  return <span className={`${styles.state} ${styles[status]} num`}>{text}</span>;
}

/** Scenes first; portraits and places while there are no scenes yet. */
function coversOf({ renders = [], result }: ListedJob): readonly string[] {
  const scenes = result?.scenes ?? renders.filter(({ role }) => role === "scene");
  const urls = [...scenes, ...renders.filter(({ role }) => role !== "scene")].flatMap(
    ({ thumbnail_url: url }) => url ?? [],
  );
  const covers = urls.length > 0 || result === null ? urls : drawnPictures(result);
  return covers.slice(0, coverCount);
}
