import type { Job } from "@atelier/schemas";
import { useQuery } from "@tanstack/react-query";
import { useEffect, useState, type CSSProperties, type ReactNode } from "react";
import { useParams } from "wouter";
import { accountQuery, isFinal, jobQuery, queryClient } from "../../../data/queries.ts";
import { useJob } from "../../../data/use-job.ts";
import { mayChange } from "../../../session.ts";
import { texts } from "../../../texts/stories.ts";
import { Problem } from "../../../ui/problem.tsx";
import { SaveState } from "../book/save-state.tsx";
import { useBook } from "../book/use-book.ts";
import { useFreshBook } from "../book/use-fresh-book.ts";
import { chooseMember, memberChoiceOf } from "../cast/cast.ts";
import { MemberDialog } from "../cast/member-dialog.tsx";
import { useCast } from "../cast/use-cast.ts";
import { fileName } from "../file-name.ts";
import { againQuery, shownScenesQuery, showVersion } from "../queries.ts";
import { choiceOf, sceneImages, type StoryImage } from "../story-cards.ts";
import { titleOfStory } from "../title-of-story.ts";
import { BoardHead } from "./board-head.tsx";
import styles from "./board.module.css";
import { ImageCard } from "./image-card.tsx";
import { OutdatedNotice } from "./outdated-notice.tsx";
import { SceneOrder } from "./scene-order.tsx";
import { SceneToMake } from "./scene-to-make.tsx";
import { StoryFailure, withBlame } from "./story-failure.tsx";
import { StoryMenu } from "./story-menu.tsx";
import { StoryUnread, useOnlyStories } from "./story-unread.tsx";
import { useOutdated } from "./use-outdated.ts";
import { useVersions } from "./use-versions.ts";
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
  useOnlyStories(job);
  if (job === undefined) return <StoryUnread id={id} error={error} />;
  return <StoryBoard key={id} job={job} />;
}

function StoryBoard({ job }: { readonly job: Job }) {
  const { id } = job;
  const isCompleted = job.status === "completed";
  const versions = useVersions(id, isCompleted);
  const againRead = versions.again;
  const { data: again = none } = againRead;
  const { data: shown } = versions.shown;
  const isRepeating = again.some((one) => !isFinal(one));
  useEffect(() => (isRepeating ? refreshAccount : undefined), [isRepeating]);
  const [openId, setOpenId] = useState<string | null>(null);
  const [toMake, setToMake] = useState<{
    readonly image: StoryImage;
    readonly number: number | null;
  } | null>(null);

  const scenes = sceneImages(job, again).map((image) => withBlame(image, job));
  const fresh = useFreshBook(job, scenes);
  const { book, change, saveState } = useBook(job, fresh);
  const isOwn = mayChange(job);
  // The book cannot be changed while scenes that were added are not read.
  const canChange = isOwn && isCompleted && againRead.data !== undefined;
  const { cast, areRead, hasTries } = useCast(job, again, book.cast);
  const references = cast.images.map((image) => withBlame(image, job));
  const inStory = scenes.filter(({ scene = 0 }) => !book.leftOut.includes(scene));
  const outdated = useOutdated(job, inStory, shown, hasTries && areRead ? cast.shown : null);
  const characters = references.filter(({ role }) => role !== "location");
  const places = references.filter(({ role }) => role === "location");
  const viewable = [...references, ...scenes].filter(({ url }) => url !== undefined);

  function refresh(): void {
    void queryClient.invalidateQueries({ queryKey: ["job"] });
    void queryClient.invalidateQueries(againQuery(id));
    void queryClient.invalidateQueries(shownScenesQuery(id));
  }
  const canRepeat = ({ scene, status }: StoryImage) =>
    scene === undefined ? canChange && status !== "supplied" : isOwn && isCompleted;
  const cardOf = (image: StoryImage) => ({
    image,
    storyId: id,
    canCancel: mayChange(again.find((one) => one.id === image.jobId) ?? job),
    onOpen: image.url === undefined ? null : () => setOpenId(image.id),
    onAgain:
      canRepeat(image) && image.version === 1 ? () => setToMake({ image, number: null }) : null,
    onChanged: refresh,
    onExpired: refresh,
  });
  function memberCards(images: readonly StoryImage[]) {
    return images.map((image) => (
      <li key={image.id} style={{ "--ratio": image.ratio } as CSSProperties}>
        <ImageCard
          {...cardOf(image)}
          choice={canChange ? memberChoiceOf(image, cast) : null}
          onChoose={() => change({ ...book, cast: chooseMember(book.cast, image, id) })}
          outdated={
            [...cast.outdated].some((one) => one.id === image.id)
              ? texts.stories.outdatedLook
              : null
          }
        />
      </li>
    ));
  }
  const sceneCard = (image: StoryImage, order: ReactNode) => (
    <ImageCard
      {...cardOf(image)}
      choice={choiceOf(image, scenes, shown, isOwn)}
      onChoose={() => showVersion(id, image.scene ?? 0, image.jobId)}
      outdated={outdated.marked.has(image.id) ? texts.stories.outdatedScene : null}
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
    />
  );
  return (
    <main id="main" tabIndex={-1} className={styles.page}>
      <BoardHead
        job={job}
        hasImages={viewable.length > 0}
        cast={cast.shown}
        again={againRead.data}
      />
      {isFinal(job) && !isCompleted && <StoryFailure job={job} />}
      <SaveState {...saveState} isBrief />
      <div className={styles.references}>
        {characters.length > 0 && (
          <section aria-labelledby="cast">
            <h2 id="cast">{texts.stories.characters}</h2>
            <ul className={styles.small}>{memberCards(characters)}</ul>
          </section>
        )}
        {places.length > 0 && (
          <section aria-labelledby="places">
            <h2 id="places">{texts.stories.places}</h2>
            <ul className={styles.small}>{memberCards(places)}</ul>
          </section>
        )}
      </div>
      <Problem error={againRead.error} onRetry={() => void againRead.refetch()} />
      {isOwn && outdated.toMake.length > 0 && <OutdatedNotice job={job} scenes={outdated.toMake} />}
      {(scenes.length > 0 || !isCompleted) && (
        <SceneOrder
          {...{ job, scenes, book, fresh }}
          onChange={canChange ? change : null}
          onAdd={(image, number) => setToMake({ image, number })}
        >
          {sceneCard}
        </SceneOrder>
      )}
      {openId !== null && (
        <Viewer
          images={viewable}
          openId={openId}
          fileName={fileName(titleOfStory(job), "story")}
          canRepeat={canRepeat}
          onAgain={(image) => {
            setOpenId(null);
            setToMake({ image, number: null });
          }}
          onExpired={refresh}
          onClose={() => setOpenId(null)}
        />
      )}
      {toMake !== null &&
        (toMake.image.scene === undefined ? (
          <MemberDialog
            job={job}
            image={toMake.image}
            cast={cast.shown}
            onClose={() => setToMake(null)}
          />
        ) : (
          <SceneToMake {...toMake} job={job} cast={cast.shown} onClose={() => setToMake(null)} />
        ))}
    </main>
  );
}
