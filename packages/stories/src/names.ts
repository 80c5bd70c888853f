import type { StoryRequest } from "@atelier/schemas";

/**
 * Normalises a name for comparison and storage: trimmed and in Unicode NFC, so that names typed on
 * different systems match.
 */
export function cleanName(name: string): string {
  return name.trim().normalize("NFC");
}

/** Returns the request with all names and state keys normalised. */
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
