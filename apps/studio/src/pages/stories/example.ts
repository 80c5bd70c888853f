import type { Model } from "@atelier/schemas";
import { newDraft, type StoryDraft } from "./draft.ts";

/** A story of two characters, ready to be generated. */
export function exampleDraft(): StoryDraft {
  return {
    ...newDraft(),
    title: "The lantern",
    prompt: "A small adventure of a girl who brings a lantern to the lighthouse",
    style: "flat illustration",
    aspectRatio: "4:3",
    characters: [
      {
        id: "mira",
        name: "Mira",
        description: "a girl with long red hair, a green coat and yellow boots",
        reference: null,
        states: [
          {
            id: "mira-rain",
            key: "raincoat",
            description: "wearing a yellow raincoat and a blue hat",
            reference: null,
          },
        ],
      },
      {
        id: "otto",
        name: "Otto",
        description: "an old man with a white beard, glasses, a blue jacket and a red scarf",
        reference: null,
        states: [],
      },
    ],
    locations: [
      {
        id: "harbour",
        name: "Harbour",
        description: "a harbour village with colourful houses, boats and a lighthouse by the sea",
        reference: null,
      },
    ],
    scenes: [
      scene("Mira sets out in the morning, two sailing boats on the water", ["mira"]),
      scene("Rain falls and Mira waits under a tree with a fox", ["mira:mira-rain"], null),
      scene("Otto greets Mira at dusk with a lantern", ["otto", "mira:mira-rain"]),
      scene("Otto and Mira look at the stars at night, the moon over the sea", ["otto", "mira"]),
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
