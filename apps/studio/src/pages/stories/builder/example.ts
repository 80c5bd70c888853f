import type { Model } from "@atelier/schemas";
import { texts } from "../../../texts/stories.ts";
import { newDraft, type StoryDraft } from "./draft.ts";

/** A story of two characters, ready to be generated, in the language of Studio. */
export function exampleDraft(): StoryDraft {
  const { title, prompt, style, mira, otto, harbour, scenes } = texts.stories.example;
  return {
    ...newDraft(),
    title,
    prompt,
    style,
    aspectRatio: "4:3",
    characters: [
      {
        id: "mira",
        name: mira.name,
        description: mira.description,
        reference: null,
        states: [
          {
            id: "mira-rain",
            key: mira.look,
            description: mira.lookDescription,
            reference: null,
          },
        ],
      },
      { id: "otto", ...otto, reference: null, states: [] },
    ],
    locations: [{ id: "harbour", ...harbour, reference: null }],
    scenes: [
      scene(scenes.morning, ["mira"]),
      scene(scenes.rain, ["mira:mira-rain"], null),
      scene(scenes.dusk, ["otto", "mira:mira-rain"]),
      scene(scenes.night, ["otto", "mira"]),
    ].map((one, index) => ({
      ...one,
      id: `scene-${index + 1}`,
      aspectRatio: index === 3 ? "16:9" : "",
    })),
  };
}

/** The example in shapes that the model offers. */
export function fitExample(draft: StoryDraft, { aspect_ratios: offered }: Model): StoryDraft {
  const fit = (ratio: string) => (offered.includes(ratio) ? ratio : "");
  return {
    ...draft,
    aspectRatio: fit(draft.aspectRatio),
    scenes: draft.scenes.map((one) => ({ ...one, aspectRatio: fit(one.aspectRatio) })),
  };
}

function scene(prompt: string, shown: readonly string[], locationId: string | null = "harbour") {
  const characters = shown.map((one) => {
    const [characterId = "", stateId = null] = one.split(":");
    return { characterId, stateId };
  });
  return { prompt, characters, locationId };
}
