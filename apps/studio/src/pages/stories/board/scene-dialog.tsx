import type { Job } from "@atelier/schemas";
import { useState } from "react";
import { jobQuery, queryClient } from "../../../data/queries.ts";
import { texts } from "../../../texts/stories.ts";
import { Field } from "../../../ui/field.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { shownOf } from "../cast/cast.ts";
import { againQuery } from "../queries.ts";
import { SceneCharacters } from "../scene-characters.tsx";
import type { ShownRequest, StoryImage } from "../story-cards.ts";
import type { StoryBody } from "../story-request.ts";
import { addedRequest, membersOf, withNumber, type SceneContent } from "./added-request.ts";
import { SceneForm } from "./scene-form.tsx";

/** Gives a new scene its number directly before it is sent. */
async function numbered(body: StoryBody, storyId: string): Promise<StoryBody> {
  const [job, again] = await Promise.all([
    queryClient.fetchQuery({ ...jobQuery(storyId), staleTime: 0 }),
    queryClient.fetchQuery({ ...againQuery(storyId), staleTime: 0 }),
  ]);
  return withNumber(body, job, again);
}

/** Adds a scene to a completed story, or makes one again: with the cast of the story. */
export function SceneDialog(props: {
  readonly job: Job;
  readonly number: number;
  /** The first values of the fields. */
  readonly first: SceneContent;
  readonly isNew: boolean;
  /** The pictures of the cast that scenes use. */
  readonly cast: readonly StoryImage[];
  readonly onClose: () => void;
}) {
  const { job, number, first, isNew, cast, onClose } = props;
  const { characters = [], locations = [] }: ShownRequest = job.request;
  const [scene, setScene] = useState(first);
  const change = (part: Partial<SceneContent>) => setScene((before) => ({ ...before, ...part }));
  const isGone = membersOf(scene).some((member) => {
    const image = shownOf(cast, member);
    return image !== undefined && image.status !== "supplied" && image.url === undefined;
  });
  const body = isGone ? null : addedRequest(job, isNew ? null : number, scene, cast);
  const drafts = characters.map(({ name, states = {} }) => ({
    id: name,
    name,
    description: "",
    reference: null,
    states: Object.keys(states).map((key) => ({ id: key, key, description: "", reference: null })),
  }));
  const { addSceneAction, addSceneHint, againHint, againTitle, makeAgain, sceneToAdd } =
    texts.stories;
  return (
    <SceneForm
      {...{ job, body, onClose }}
      operation="scene"
      path="prompt"
      label={texts.stories.happens}
      quoted={body === null ? null : { ...body, prompt: "scene" }}
      title={isNew ? sceneToAdd(number) : againTitle(number)}
      hint={isNew ? addSceneHint : againHint}
      action={isNew ? addSceneAction : makeAgain}
      rows={3}
      placeholder={texts.stories.happensPlaceholder}
      prompt={scene.prompt}
      onPrompt={(prompt) => change({ prompt })}
      // Another browser may have added a scene since this one read the story.
      complete={isNew ? (added) => numbered(added, job.id) : undefined}
    >
      <SceneCharacters
        draft={{ characters: drafts }}
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
      {isGone && <Notice kind="bad">{texts.stories.referencesGone}</Notice>}
    </SceneForm>
  );
}
