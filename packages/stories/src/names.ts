import type { StoryRequest } from "@atelier/schemas";

/**
 * A name as it is compared and stored: without spaces around it, in Unicode's composed form, so
 * that a name typed on one system is found by the same name typed on another.
 */
export function cleanName(name: string): string {
  return name.trim().normalize("NFC");
}

/** The request with every name and state key clean; nothing else is changed. */
export function cleanNames(request: StoryRequest): StoryRequest {
  return {
    ...request,
    characters: request.characters.map((character) => ({
      ...character,
      name: cleanName(character.name),
      states:
        character.states &&
        Object.fromEntries(
          Object.entries(character.states).map(([key, state]) => [cleanName(key), state]),
        ),
    })),
    locations: request.locations?.map((location) => ({
      ...location,
      name: cleanName(location.name),
    })),
    scenes: request.scenes.map((scene) => ({
      ...scene,
      characters: scene.characters?.map(({ name, state }) => ({
        name: cleanName(name),
        state: state === undefined ? undefined : cleanName(state),
      })),
      location: scene.location === undefined ? undefined : cleanName(scene.location),
    })),
  };
}
