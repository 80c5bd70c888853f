import { useQuery } from "@tanstack/react-query";
import { useEffect, useState, type CSSProperties } from "react";
import { useParams } from "wouter";
import { messageOf } from "../../api.ts";
import { accountQuery, isFinal, jobQuery, queryClient } from "../../data/queries.ts";
import { useJob } from "../../data/use-job.ts";
import { texts } from "../../texts/stories.ts";
import { EmptyState } from "../../ui/empty-state.tsx";
import { AgainDialog } from "./again-dialog.tsx";
import { BoardHead, titleOf } from "./board-head.tsx";
import styles from "./board.module.css";
import { fileName } from "./download.ts";
import { ImageCard } from "./image-card.tsx";
import { againQuery } from "./queries.ts";
import { StoryFailure, withBlame } from "./story-failure.tsx";
import { referenceImages, sceneImages, type StoryImage } from "./story-cards.ts";
import { Viewer } from "./viewer.tsx";

const none: readonly never[] = [];

/** How often a running story is read, beside its events. */
const startedMs = 4_000;

/** After the end of a story: the balance and the lists have changed. */
function refreshAccount(): void {
  void queryClient.invalidateQueries(accountQuery);
  void queryClient.invalidateQueries({ queryKey: ["jobs"] });
}

/** The page of one story: its images fill in as they are made. */
export default function Board() {
  const { id } = useParams<{ id: string }>();
  const { job, error } = useJob(id);
  // No event tells that an image was started.
  const isRunning = job !== undefined && !isFinal(job);
  useQuery({ ...jobQuery(id), refetchInterval: isRunning ? startedMs : false });
  useEffect(() => (isRunning ? refreshAccount : undefined), [isRunning]);
  const isCompleted = job?.status === "completed";
  const { data: again = none } = useQuery({ ...againQuery(id), enabled: isCompleted });
  const [openId, setOpenId] = useState<string | null>(null);
  const [sceneToRepeat, setSceneToRepeat] = useState<number | null>(null);

  if (job === undefined) {
    return (
      <main id="main" tabIndex={-1} className={styles.page}>
        {error === null ? (
          <h1 className="sr">{texts.common.loading}</h1>
        ) : (
          <EmptyState icon="alert" title={texts.stories.missing} hint={messageOf(error)} />
        )}
      </main>
    );
  }
  const references = referenceImages(job).map((image) => withBlame(image, job));
  const scenes = sceneImages(job, again).map((image) => withBlame(image, job));
  const cast = references.filter(({ role }) => role !== "location");
  const places = references.filter(({ role }) => role === "location");
  const viewable = [...references, ...scenes].filter(({ url }) => url !== undefined);
  function refresh(): void {
    void queryClient.invalidateQueries(jobQuery(id));
    void queryClient.invalidateQueries(againQuery(id));
  }
  function cards(images: readonly StoryImage[]) {
    return images.map((image) => (
      <li key={image.id} style={{ "--ratio": image.ratio } as CSSProperties}>
        <ImageCard
          image={image}
          onOpen={image.url === undefined ? null : () => setOpenId(image.id)}
          onAgain={
            isCompleted && image.scene !== undefined && image.version === 1
              ? () => setSceneToRepeat(image.scene ?? 1)
              : null
          }
          onExpired={refresh}
        />
      </li>
    ));
  }
  return (
    <main id="main" tabIndex={-1} className={styles.page}>
      <BoardHead job={job} hasImages={viewable.length > 0} />
      {isFinal(job) && !isCompleted && <StoryFailure job={job} />}
      <div className={styles.references}>
        {cast.length > 0 && (
          <section aria-labelledby="cast">
            <h2 id="cast">{texts.stories.characters}</h2>
            <ul className={styles.small}>{cards(cast)}</ul>
          </section>
        )}
        {places.length > 0 && (
          <section aria-labelledby="places">
            <h2 id="places">{texts.stories.places}</h2>
            <ul className={styles.small}>{cards(places)}</ul>
          </section>
        )}
      </div>
      <section aria-labelledby="scenes">
        <h2 id="scenes">{texts.stories.scenes}</h2>
        <ol className={styles.large}>{cards(scenes)}</ol>
      </section>
      {openId !== null && (
        <Viewer
          images={viewable}
          openId={openId}
          fileName={fileName(titleOf(job), "story")}
          onAgain={(number) => {
            setOpenId(null);
            setSceneToRepeat(number);
          }}
          onExpired={refresh}
          onClose={() => setOpenId(null)}
        />
      )}
      {sceneToRepeat !== null && (
        <AgainDialog job={job} number={sceneToRepeat} onClose={() => setSceneToRepeat(null)} />
      )}
    </main>
  );
}
