import { useQuery } from "@tanstack/react-query";
import { useEffect, useState, type CSSProperties, type ReactNode } from "react";
import { useParams } from "wouter";
import { accountQuery, isFinal, jobQuery, queryClient } from "../../data/queries.ts";
import { useJob } from "../../data/use-job.ts";
import { texts } from "../../texts/stories.ts";
import { Problem } from "../../ui/problem.tsx";
import { BoardHead, titleOf } from "./board-head.tsx";
import styles from "./board.module.css";
import { fileName } from "./file-name.ts";
import { ImageCard } from "./image-card.tsx";
import { againQuery, shownScenesQuery } from "./queries.ts";
import { SceneOrder } from "./scene-order.tsx";
import { SceneToMake } from "./scene-to-make.tsx";
import { StoryMenu } from "./story-menu.tsx";
import { StoryFailure, withBlame } from "./story-failure.tsx";
import {
  choiceOf,
  columnOf,
  referenceImages,
  sceneImages,
  type StoryImage,
} from "./story-cards.ts";
import { StoryUnread, useOnlyStories } from "./story-unread.tsx";
import { Viewer } from "./viewer.tsx";

const none: readonly never[] = [];

/** How often a running story is read, beside its events. */
const startedMs = 4_000;

/** After the end of a story, or of a scene that was made again: the balance and the lists have changed. */
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
  const againRead = useQuery({ ...againQuery(id), enabled: isCompleted });
  const { data: again = none } = againRead;
  const { data: shown } = useQuery({ ...shownScenesQuery(id), enabled: isCompleted });
  const isRepeating = again.some((one) => !isFinal(one));
  useEffect(() => (isRepeating ? refreshAccount : undefined), [isRepeating]);
  const [openId, setOpenId] = useState<string | null>(null);
  const [toMake, setToMake] = useState<{
    readonly image: StoryImage;
    readonly number: number | null;
  } | null>(null);
  const setImageToRepeat = (image: StoryImage) => setToMake({ image, number: null });

  useOnlyStories(job);
  if (job === undefined) return <StoryUnread id={id} error={error} />;
  const references = referenceImages(job).map((image) => withBlame(image, job));
  const scenes = sceneImages(job, again).map((image) => withBlame(image, job));
  const cast = references.filter(({ role }) => role !== "location");
  const places = references.filter(({ role }) => role === "location");
  const viewable = [...references, ...scenes].filter(({ url }) => url !== undefined);
  function refresh(): void {
    void queryClient.invalidateQueries(jobQuery(id));
    void queryClient.invalidateQueries(againQuery(id));
    void queryClient.invalidateQueries(shownScenesQuery(id));
  }
  const card = (image: StoryImage, order?: ReactNode) => (
    <ImageCard
      image={image}
      storyId={id}
      onOpen={image.url === undefined ? null : () => setOpenId(image.id)}
      onAgain={
        isCompleted && image.scene !== undefined && image.version === 1
          ? () => setImageToRepeat(image)
          : null
      }
      choice={choiceOf(image, scenes, shown)}
      order={
        <>
          <StoryMenu
            image={image}
            job={image.jobId === id ? job : again.find((one) => one.id === image.jobId)}
            onJob={refresh}
          />
          {order}
        </>
      }
      onChanged={refresh}
      onExpired={refresh}
    />
  );
  function cards(images: readonly StoryImage[]) {
    return images.map((image) => (
      <li key={image.id} style={{ "--ratio": image.ratio } as CSSProperties}>
        {card(image)}
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
      <Problem error={againRead.error} onRetry={() => void againRead.refetch()} />
      {/* The order cannot be changed while scenes that were added are not read. */}
      {isCompleted && againRead.data !== undefined && scenes.length > 0 ? (
        <SceneOrder
          key={id}
          {...{ job, scenes }}
          onAdd={(image, number) => setToMake({ image, number })}
        >
          {card}
        </SceneOrder>
      ) : (
        <section aria-labelledby="scenes">
          <h2 id="scenes">{texts.stories.scenes}</h2>
          <ol className={styles.large} style={{ "--column": columnOf(scenes) } as CSSProperties}>
            {cards(scenes)}
          </ol>
        </section>
      )}
      {openId !== null && (
        <Viewer
          images={viewable}
          openId={openId}
          fileName={fileName(titleOf(job), "story")}
          onAgain={(image) => {
            setOpenId(null);
            setImageToRepeat(image);
          }}
          onExpired={refresh}
          onClose={() => setOpenId(null)}
        />
      )}
      {toMake !== null && <SceneToMake {...toMake} job={job} onClose={() => setToMake(null)} />}
    </main>
  );
}
