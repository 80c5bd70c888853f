import type { Job } from "@atelier/schemas";
import { useState } from "react";
import { jobQuery, queryClient } from "../../data/queries.ts";
import { formatEur } from "../../format.ts";
import { texts } from "../../texts/stories.ts";
import { Button } from "../../ui/button.tsx";
import { Dialog } from "../../ui/dialog.tsx";
import { Field } from "../../ui/field.tsx";
import { failureOf, problemsByField } from "../create/problems.ts";
import { addedRequest, withNumber, type SceneContent } from "./added-request.ts";
import styles from "./board.module.css";
import { onEnter } from "./on-enter.ts";
import { CreditNotice, FailureNotice } from "./order-notices.tsx";
import { againQuery } from "./queries.ts";
import { SceneCharacters } from "./scene-characters.tsx";
import type { ShownRequest } from "./story-cards.ts";
import type { StoryBody } from "./story-request.ts";
import { usePrice } from "./use-price.ts";
import { useSubmission } from "./use-submission.ts";

/** Gives a new scene its number directly before it is sent. */
async function numbered(body: StoryBody, storyId: string): Promise<StoryBody> {
  const [job, again] = await Promise.all([
    queryClient.fetchQuery({ ...jobQuery(storyId), staleTime: 0 }),
    queryClient.fetchQuery({ ...againQuery(storyId), staleTime: 0 }),
  ]);
  return withNumber(body, job, again);
}

/** Adds a scene to a completed story, or makes one again that was added: with the cast of the story. */
export function SceneDialog(props: {
  readonly job: Job;
  readonly number: number;
  /** The first values of the fields. */
  readonly first: SceneContent;
  readonly isNew: boolean;
  readonly onClose: () => void;
}) {
  const { job, number, first, isNew, onClose } = props;
  const { characters = [], locations = [] }: ShownRequest = job.request;
  const [scene, setScene] = useState(first);
  const change = (part: Partial<SceneContent>) => setScene((before) => ({ ...before, ...part }));
  const body = addedRequest(job, isNew ? null : number, scene);
  const {
    quote,
    isQuoteStale,
    error: quoteError,
  } = usePrice("scene", { ...body, prompt: "scene" });
  const submission = useSubmission(
    "scene",
    async () => {
      await queryClient.invalidateQueries(againQuery(job.id));
      onClose();
    },
    // Another browser may have added a scene since this one read the story.
    isNew ? (added) => numbered(added, job.id) : undefined,
  );
  const lacksCredit = quote?.affordable === false;
  const failure = failureOf(submission.error) ?? failureOf(quoteError);
  const canGenerate = scene.prompt.trim() !== "" && !submission.isPending;
  function generate(): void {
    if (canGenerate) submission.mutate(body);
  }
  const isUnchanged = submission.variables?.["prompt"] === body["prompt"];
  const problem = isUnchanged ? problemsByField(failure).get("prompt") : undefined;
  const cast = characters.map(({ name, states = {} }) => ({
    id: name,
    name,
    description: "",
    reference: null,
    states: Object.keys(states).map((key) => ({ id: key, key, description: "", reference: null })),
  }));
  const { addSceneAction, addSceneHint, againTitle, makeAgain, sceneToAdd } = texts.stories;
  return (
    <Dialog title={isNew ? sceneToAdd(number) : againTitle(number)} size="large" onClose={onClose}>
      {/* Ctrl or Cmd and Enter generate from its fields. */}
      {/* oxlint-disable-next-line jsx-a11y/no-noninteractive-element-interactions */}
      <form
        className={styles.again}
        noValidate
        onKeyDown={(event) => onEnter(event, generate)}
        onSubmit={(event) => {
          event.preventDefault();
          generate();
        }}
      >
        <Field
          label={texts.stories.happens}
          hint={isNew ? addSceneHint : texts.stories.againHint}
          problem={problem}
        >
          {(control) => (
            <textarea
              {...control}
              rows={3}
              value={scene.prompt}
              maxLength={32_000}
              placeholder={texts.stories.happensPlaceholder}
              onChange={({ target }) => change({ prompt: target.value })}
            />
          )}
        </Field>
        <SceneCharacters
          draft={{ characters: cast }}
          shown={scene.characters.map(({ name, state }) => ({
            characterId: name,
            stateId: state ?? null,
          }))}
          problem={undefined}
          onChange={(shown) =>
            change({
              characters: shown.map(({ characterId, stateId }) => ({
                name: characterId,
                state: stateId ?? undefined,
              })),
            })
          }
        />
        {locations.length > 0 && (
          <Field label={texts.stories.place}>
            {(control) => (
              <select
                {...control}
                value={scene.location ?? ""}
                onChange={({ target }) => change({ location: target.value || undefined })}
              >
                <option value="">{texts.stories.anyPlace}</option>
                {locations.map(({ name }) => (
                  <option key={name}>{name}</option>
                ))}
              </select>
            )}
          </Field>
        )}
        {failure !== null && problem === undefined && !lacksCredit && (
          <FailureNotice failure={failure} />
        )}
        {lacksCredit && <CreditNotice quote={quote} hint={texts.stories.noCreditForSceneHint} />}
        <Button look="primary" isBig type="submit" disabled={!canGenerate}>
          {submission.isPending ? texts.stories.sending : isNew ? addSceneAction : makeAgain}
          <span className="num">
            {isQuoteStale ? "…" : quote !== undefined && formatEur(quote.price_eur)}
          </span>
        </Button>
      </form>
    </Dialog>
  );
}
