import type { Job, ListedJob } from "@atelier/schemas";
import { useMutation, useQuery } from "@tanstack/react-query";
import { Link } from "wouter";
import { call, messageOf, send } from "../../../api.ts";
import { useLostSince } from "../../../data/connection.ts";
import { accountQuery, isFinal, jobQuery, queryClient } from "../../../data/queries.ts";
import { saveFile } from "../../../data/save-file.ts";
import { formatEur, formatSeconds, formatTime, formatWait } from "../../../format.ts";
import { endOfLife } from "../../../pictures/life.ts";
import { ShareButton } from "../../../pictures/share-button.tsx";
import { Warnings } from "../../../pictures/warnings.tsx";
import { mayChange } from "../../../session.ts";
import { texts } from "../../../texts/stories.ts";
import { Button } from "../../../ui/button.tsx";
import { Icon, type IconName } from "../../../ui/icons.tsx";
import { showToast } from "../../../ui/toast.tsx";
import type { StoryDraft } from "../builder/draft.ts";
import { readStory } from "../builder/read-story.ts";
import { useOpenDraft } from "../builder/use-story-draft.ts";
import { withCast } from "../cast/cast-draft.ts";
import { useJobs } from "../cast/use-cast.ts";
import { fileName } from "../file-name.ts";
import type { ShownRequest, StoryImage } from "../story-cards.ts";
import { titleOfStory } from "../title-of-story.ts";
import { contentOfAdded } from "./added-request.ts";
import styles from "./board.module.css";
import { isAboutNames, warningsNow } from "./warnings-now.ts";

/** Title, state and price of a story, and what can be done with it. */
export function BoardHead(props: {
  readonly job: Job;
  readonly hasImages: boolean;
  /** The pictures of the cast that scenes use. */
  readonly cast: readonly StoryImage[];
  /** The jobs that added scenes or made images again; undefined until they are read. */
  readonly again: readonly ListedJob[] | undefined;
}) {
  const { job, hasImages, cast, again } = props;
  const { data: account } = useQuery(accountQuery);
  const isCast = job.status === "completed" && job.scenes_total === 0;
  const keptUntil = endOfLife(job, account?.retention_hours);
  return (
    <header className={styles.head}>
      <div className={styles.title}>
        <Link href="/stories" className={styles.back}>
          <Icon name="left" size={16} /> {texts.pages.stories}
        </Link>
        <h1 dir="auto">{titleOfStory(job)}</h1>
        {isFinal(job) && <p className="num">{describeEnd(job, again ?? [])}</p>}
        {again !== undefined && <WarningsNow job={job} again={again} />}
        {isCast && <p>{texts.stories.castHint}</p>}
        {hasImages && keptUntil !== null && (
          <p className="num">{texts.stories.keptUntil(formatTime(keptUntil))}</p>
        )}
      </div>
      <div className={styles.actions}>
        {job.status === "completed" && hasImages && <Downloads job={job} />}
        {job.status === "completed" && hasImages && !isCast && <ShareButton job={job} />}
        {isFinal(job) && (
          <OpenInForm request={job.request} icon="copy" name={texts.stories.editCopy} />
        )}
        {isCast && hasImages && (
          <OpenInForm
            request={withScenes(withCast(job, cast))}
            toDraft={hasScenes(job.request) ? undefined : withoutScenes}
            icon="check"
            name={texts.stories.useCast}
            look="primary"
          />
        )}
      </div>
      {!isFinal(job) && <Progress job={job} />}
    </header>
  );
}

/** The warnings of the story, except for names that scenes added since name. */
function WarningsNow({ job, again }: { readonly job: Job; readonly again: readonly ListedJob[] }) {
  const { result } = job;
  const mayBeOutdated = result?.warnings?.some(isAboutNames) === true;
  const scenes = again.filter(
    ({ operation, status }) => operation === "scene" && !isUnmade(status),
  );
  // Lists do not have the requests, which name the characters.
  const { jobs, areRead } = useJobs(mayBeOutdated ? scenes.map(({ id }) => id) : []);
  if (result === null || !areRead) return null;
  const added = jobs.map((one) => contentOfAdded(job, one));
  return (
    <Warnings result={{ ...result, warnings: [...warningsNow(result.warnings ?? [], added)] }} />
  );
}

const isUnmade = (status: Job["status"]) => status === "failed" || status === "cancelled";

/** The number of images and the price of a story, with those that were made for it since. */
function describeEnd(job: Job, again: readonly ListedJob[]): string {
  const { status, created_at: from, completed_at: to } = job;
  if (status !== "completed") return texts.stories.states[status];
  const made = [job, ...again.filter((one) => one.status === "completed")];
  const images = made.reduce((sum, { renders_total: count }) => sum + count, 0);
  const cost = made.reduce((sum, { cost_eur: eur }) => sum + Number(eur), 0);
  const parts = [texts.stories.imageCount(images), formatEur(cost)];
  if (to !== null && made.length === 1)
    parts.push(formatSeconds((Date.parse(to) - Date.parse(from)) / 1_000));
  return [...parts, formatTime(from)].join(" · ");
}

/** How far a story is, how long it waits, and the way to stop it. */
function Progress({ job }: { readonly job: Job }) {
  const { renders_completed: done, renders_total: total } = job;
  const cancelling = useMutation({
    mutationFn: () => call("DELETE /v1/jobs/{id}", { id: job.id }),
    onSuccess: (cancelled) => {
      if (!isFinal(cancelled)) showToast(texts.stories.cancelling);
    },
    onError: (error) => showToast(messageOf(error)),
    onSettled: () => queryClient.invalidateQueries(jobQuery(job.id)),
  });
  const isLost = useLostSince() !== null;
  return (
    <div className={styles.progress}>
      <progress max={total} value={done} aria-label={texts.stories.progress} />
      <p role="status" className="num">
        {isLost ? texts.shell.noConnection : describeProgress(job)}
      </p>
      {mayChange(job) && (
        <Button
          onClick={() => cancelling.mutate()}
          disabled={cancelling.isPending || cancelling.isSuccess}
        >
          {texts.common.cancel}
        </Button>
      )}
    </div>
  );
}

function describeProgress(job: Job): string {
  const { renders_completed: done, renders_total: total, estimated_wait_seconds: wait } = job;
  if (job.status !== "pending") {
    return texts.stories.progressOf(done, total, job.scenes_completed ?? 0, job.scenes_total ?? 0);
  }
  return wait == null ? texts.create.waitUnknown : texts.create.waitFor(formatWait(wait));
}

function Downloads({ job }: { readonly job: Job }) {
  const downloading = useMutation({
    mutationFn: async () => {
      const response = await send("GET", `/studio/stories/${job.id}/archive`);
      saveFile(`${fileName(titleOfStory(job), "story")}.zip`, await response.blob());
    },
    onError: (error) => showToast(messageOf(error)),
  });
  return (
    <>
      {job.scenes_total !== 0 && (
        <Link href={`/stories/${job.id}/pages`} className={styles.link}>
          <Icon name="story" size={16} /> {texts.pages.book}
        </Link>
      )}
      <Link href={`/stories/${job.id}/sheet`} className={styles.link}>
        <Icon name="gallery" size={16} /> {texts.pages.contactSheet}
      </Link>
      <Button onClick={() => downloading.mutate()} disabled={downloading.isPending}>
        <Icon name="download" size={16} />{" "}
        {downloading.isPending ? texts.stories.downloading : texts.stories.downloadAll}
      </Button>
    </>
  );
}

/** Opens a request in the form: that of the story, or one whose scenes use the cast that the job drew. */
function OpenInForm(props: {
  readonly request: Job["request"];
  readonly icon: IconName;
  readonly name: string;
  readonly look?: "primary";
  /** Changes the draft of the request before it is opened. */
  readonly toDraft?: ((draft: StoryDraft) => StoryDraft) | undefined;
}) {
  const { request, icon, name, look, toDraft = (draft) => draft } = props;
  const openDraft = useOpenDraft();
  const opening = useMutation({
    mutationFn: () => readStory(request),
    onSuccess: (story) => {
      if ("problems" in story) {
        showToast(texts.stories.notCopied);
        return;
      }
      openDraft(toDraft(story.draft));
    },
    onError: (error) => showToast(messageOf(error)),
  });
  return (
    <Button look={look} onClick={() => opening.mutate()} disabled={opening.isPending}>
      <Icon name={icon} size={16} /> {name}
    </Button>
  );
}

const hasScenes = ({ scenes = [] }: ShownRequest): boolean => scenes.length > 0;

/** A story needs two scenes, which the request for a cast may lack. */
function withScenes(story: ShownRequest): Job["request"] {
  const cast = (story.characters ?? []).map(({ name }) => ({ name }));
  const blank = { prompt: texts.stories.happensPlaceholder, characters: cast };
  return hasScenes(story) ? story : { ...story, scenes: [blank, blank] };
}

/** The draft without the texts that a request needs. */
function withoutScenes(draft: StoryDraft): StoryDraft {
  return { ...draft, scenes: draft.scenes.map((scene) => ({ ...scene, prompt: "" })) };
}
