import type { Job } from "@atelier/schemas";
import { againMetadata } from "./queries.ts";
import type { ShownRequest } from "./story-cards.ts";
import type { StoryBody } from "./story-request.ts";

const maxDescription = 4_000;

/**
 * The body of `POST /v1/generate/scene` that makes a scene of a completed story again, with the
 * portraits and the place of its result.
 *
 * @param number position of the scene, from 1.
 * @returns null when one of these pictures is not kept any more.
 */
export function againRequest(job: Job, number: number, prompt: string): StoryBody | null {
  const request: ShownRequest = job.request;
  const scene = request.scenes?.[number - 1];
  if (scene === undefined || job.result === null) return null;
  const { characters: portraits = [], locations: places = [] } = job.result;

  const characters = (scene.characters ?? []).map(({ name, state }) => {
    const character = request.characters?.find((one) => one.name === name);
    const look = state === undefined ? undefined : character?.states?.[state]?.description;
    const portrait = portraits.find((one) => one.name === name && one.state === state);
    return {
      name,
      description: describe(character?.description ?? name, look),
      reference_url: portrait?.reference_url,
    };
  });
  const place = places.find(({ name }) => name === scene.location);
  const location =
    scene.location === undefined
      ? undefined
      : {
          name: scene.location,
          description:
            request.locations?.find(({ name }) => name === scene.location)?.description ??
            scene.location,
          reference_url: place?.reference_url,
        };
  const subjects = location === undefined ? characters : [...characters, location];
  if (subjects.some(({ reference_url: url }) => url === undefined)) return null;
  return {
    model: job.model,
    prompt: prompt.trim(),
    style: request.style,
    setting: request.setting,
    characters: characters.length === 0 ? undefined : characters,
    location,
    aspect_ratio: scene.aspect_ratio ?? request.aspect_ratio,
    image_size: request.image_size,
    strictness: request.strictness,
    raw_prompts: request.raw_prompts,
    negative_prompt: request.negative_prompt,
    parameters: request.parameters,
    metadata: { [againMetadata.story]: job.id, [againMetadata.scene]: String(number) },
  };
}

/** A look as the service words it for stories: the last statement takes precedence. */
function describe(base: string, look: string | undefined): string {
  const text = look === undefined ? base : `${base}. Now appearing differently: ${look}`;
  return text.slice(0, maxDescription);
}
