import type { Cast, ShownSubject, Story } from "./story-references.ts";
import {
  limitReferences,
  previousSceneReference,
  showSubjects,
  styleReferences,
  subjectReference,
} from "./references.ts";
import { contextTexts, styleTexts } from "./texts.ts";
import { sceneTitles } from "./titles.ts";
import { scenePrompt } from "./wording.ts";

/**
 * Plans the scenes in order. The first scene waits for all portraits and locations, including those
 * it does not show, so that no scene is made when a reference fails. Each later scene waits
 * for the previous one. A scene references its characters in their states, its location, the
 * previous scene, and the shared images.
 */
export function planScenes({ request, model, renders }: Story, cast: Cast): void {
  const titles = sceneTitles(request.scenes.map(({ prompt }) => prompt));
  const allReferences = renders.planned.map((_, position) => position);
  let previous: number | null = null;
  for (const [index, scene] of request.scenes.entries()) {
    const characters = (scene.characters ?? []).flatMap(({ name, state }) =>
      present(cast.characters.get(name)?.get(state ?? null)),
    );
    const locations =
      scene.location === undefined ? [] : present(cast.locations.get(scene.location));
    const references = limitReferences(
      [
        ...characters.map(({ subject, source }) => subjectReference("character", subject, source)),
        ...locations.map(({ subject, source }) => subjectReference("location", subject, source)),
        ...(previous === null ? [] : [previousSceneReference(previous)]),
        ...styleReferences(request.reference_images),
      ],
      model,
    );
    const path = `scenes.${index}.prompt`;
    const raw = request.raw_prompts === true;
    const wording = {
      prompt: scene.prompt,
      characters: characters.map(({ subject }) => subject),
      location: locations[0]?.subject,
      seesReferences: showSubjects(references),
    };
    const { position } = renders.add({
      role: "scene",
      prompt: raw ? scene.prompt : scenePrompt(wording, request),
      rawPrompt: raw,
      path,
      aspectRatio: scene.aspect_ratio ?? request.aspect_ratio ?? model.defaultAspectRatio,
      references,
      texts: [
        { path, text: scene.prompt },
        ...[...locations, ...characters].flatMap(({ texts }) => texts),
        ...(raw ? [] : contextTexts(request)),
        ...styleTexts(references),
      ],
      after: previous === null ? allReferences : [previous],
      title: titles[index],
    });
    previous = position;
  }
}

function present(shown: ShownSubject | undefined): ShownSubject[] {
  return shown === undefined ? [] : [shown];
}
