import type { Api } from "./api.ts";
import { createIdempotencyKey } from "./generate.ts";
import { assertHeaderValue } from "./headers.ts";
import type { CallOptions } from "./options.ts";
import { readJson } from "./transport.ts";
import type {
  CastQuery,
  ChangeCharacter,
  ChangeLocation,
  KeptCharacter,
  KeptCharacterList,
  KeptLocation,
  KeptLocationList,
  MemberAccepted,
  NewCharacter,
  NewLocation,
} from "./types.ts";

/** A character or location that has its images, or takes them from a story. */
type WithImages<New> = Omit<New, "model" | "style" | "seed">;

/** A character or location without images. */
type Drawing<New> = Omit<New, "story_job_id" | "reference"> & { readonly model: string };

type CreateOptions = CallOptions & { readonly idempotencyKey?: string | undefined };

export interface Characters {
  /**
   * Keeps a character of a completed story, or one that is described and shown by an image, until it is
   * deleted. Stories, scenes and images use it by its `id` as `character_id`.
   *
   * @param options.idempotencyKey for 24 hours, the same key with the same body returns the same character.
   *   Default: a new key for each call, kept for its retries.
   * @throws ConflictError `keep_quota_exceeded`; RefusedError `reference_unreachable`, `unknown_character`.
   *
   * @example
   * ```ts
   * const mira = await atelier.characters.create({ story_job_id: storyId, name: "Mira" });
   * await atelier.generateStory({
   *   model: "builtin-illustrator",
   *   characters: [{ character_id: mira.id }],
   *   scenes: [
   *     { prompt: "Mira finds a boat", characters: ["Mira"] },
   *     { prompt: "Mira rows out to the island", characters: ["Mira"] },
   *   ],
   * });
   * ```
   */
  create(character: WithImages<NewCharacter>, options?: CreateOptions): Promise<KeptCharacter>;
  /**
   * Has a character drawn from its description by a model, at the price of an image for each look. It is
   * kept when its job is completed.
   *
   * @param options.idempotencyKey for 24 hours, the same key with the same body returns the same job.
   *   Default: a new key for each call, kept for its retries.
   * @throws InsufficientCreditError; ConflictError `keep_quota_exceeded`.
   *
   * @example
   * ```ts
   * const { id, job_id } = await atelier.characters.draw({
   *   name: "Otto",
   *   description: "an old sailor with a white beard",
   *   model: "builtin-illustrator",
   * });
   * await atelier.jobs.wait(job_id);
   * console.log(id);
   * ```
   */
  draw(character: Drawing<NewCharacter>, options?: CreateOptions): Promise<MemberAccepted>;
  /**
   * Returns a page of the account's characters, the newest first.
   *
   * @example
   * ```ts
   * const { characters, next_cursor } = await atelier.characters.list({ limit: 10 });
   * console.log(characters.map(({ id, name }) => [id, name]), next_cursor);
   * ```
   */
  list(query?: CastQuery, options?: CallOptions): Promise<KeptCharacterList>;
  /**
   * Reads a character, with new signed URLs.
   *
   * @example
   * ```ts
   * const { name, states, reference_url } = await atelier.characters.get(characterId);
   * console.log(name, states.length, reference_url);
   * ```
   */
  get(characterId: string, options?: CallOptions): Promise<KeptCharacter>;
  /**
   * Changes a character: what the change does not name stays. Unfinished stories finish with the character as
   * it was. The request can be repeated: an image that it names is copied again, and a state of null that is
   * gone stays gone.
   *
   * @param change.states states to add or change, by their keys; null removes one.
   * @throws ConflictError `keep_quota_exceeded`, or `images_in_use` while a job draws it; RefusedError
   *   `reference_unreachable`.
   *
   * @example
   * ```ts
   * const snow = { description: "wearing a thick white coat", reference: { upload_id: uploadId } };
   * const { states } = await atelier.characters.update(characterId, { states: { snow } });
   * console.log(states.map(({ state }) => state));
   * ```
   */
  update(
    characterId: string,
    change: ChangeCharacter,
    options?: CallOptions,
  ): Promise<KeptCharacter>;
  /**
   * Deletes a character with its images.
   *
   * @throws ConflictError `images_in_use` while an unfinished job uses it.
   *
   * @example
   * ```ts
   * await atelier.characters.delete(characterId);
   * ```
   */
  delete(characterId: string, options?: CallOptions): Promise<void>;
}

export interface Locations {
  /**
   * Keeps a location, as `characters.create` does a character. Stories and scenes use it by its `id` as
   * `location_id`.
   *
   * @throws ConflictError `keep_quota_exceeded`; RefusedError `reference_unreachable`, `unknown_location`.
   *
   * @example
   * ```ts
   * const { id } = await atelier.locations.create({ story_job_id: storyId, name: "Harbour" });
   * console.log(id);
   * ```
   */
  create(location: WithImages<NewLocation>, options?: CreateOptions): Promise<KeptLocation>;
  /**
   * Has a location drawn from its description, as `characters.draw` does a character.
   *
   * @throws InsufficientCreditError; ConflictError `keep_quota_exceeded`.
   *
   * @example
   * ```ts
   * const { id, job_id } = await atelier.locations.draw({
   *   name: "Harbour",
   *   description: "a small harbour with a lighthouse",
   *   model: "builtin-illustrator",
   * });
   * await atelier.jobs.wait(job_id);
   * console.log(id);
   * ```
   */
  draw(location: Drawing<NewLocation>, options?: CreateOptions): Promise<MemberAccepted>;
  /**
   * Returns a page of the account's locations, the newest first.
   *
   * @example
   * ```ts
   * const { locations } = await atelier.locations.list();
   * console.log(locations.map(({ id, name }) => [id, name]));
   * ```
   */
  list(query?: CastQuery, options?: CallOptions): Promise<KeptLocationList>;
  /**
   * Reads a location, with a new signed URL.
   *
   * @example
   * ```ts
   * const { name, reference_url } = await atelier.locations.get(locationId);
   * console.log(name, reference_url);
   * ```
   */
  get(locationId: string, options?: CallOptions): Promise<KeptLocation>;
  /**
   * Changes a location, as `characters.update` does a character.
   *
   * @throws ConflictError `keep_quota_exceeded`, or `images_in_use` while a job draws it; RefusedError
   *   `reference_unreachable`.
   *
   * @example
   * ```ts
   * const { name } = await atelier.locations.update(locationId, { name: "Old harbour" });
   * console.log(name);
   * ```
   */
  update(locationId: string, change: ChangeLocation, options?: CallOptions): Promise<KeptLocation>;
  /**
   * Deletes a location with its image.
   *
   * @throws ConflictError `images_in_use` while an unfinished job uses it.
   *
   * @example
   * ```ts
   * await atelier.locations.delete(locationId);
   * ```
   */
  delete(locationId: string, options?: CallOptions): Promise<void>;
}

export function createCharacters(api: Api): Characters {
  return createMembers<KeptCharacter, KeptCharacterList>(api, "characters");
}

export function createLocations(api: Api): Locations {
  return createMembers<KeptLocation, KeptLocationList>(api, "locations");
}

function createMembers<Kept, List>({ send }: Api, name: "characters" | "locations") {
  const post = async <Result>(
    body: object,
    { signal, idempotencyKey = createIdempotencyKey() }: CreateOptions = {},
  ) => {
    assertHeaderValue("idempotencyKey", idempotencyKey);
    const headers = { "Idempotency-Key": idempotencyKey };
    return send(`POST /v1/${name}`, readJson<Result>, { body, signal, headers });
  };
  const one = `/v1/${name}/{id}`;
  return {
    create: (member: WithImages<NewCharacter | NewLocation>, options?: CreateOptions) =>
      post<Kept>(member, options),
    draw: (member: Drawing<NewCharacter | NewLocation>, options?: CreateOptions) =>
      post<MemberAccepted>(member, options),
    list: (query?: CastQuery, options?: CallOptions) =>
      send(`GET /v1/${name}`, readJson<List>, { query, ...options }),
    get: (id: string, options?: CallOptions) =>
      send(`GET ${one}`, readJson<Kept>, { params: { id }, ...options }),
    update: (id: string, body: ChangeCharacter | ChangeLocation, options?: CallOptions) =>
      send(`PATCH ${one}`, readJson<Kept>, { params: { id }, body, ...options }),
    delete: (id: string, options?: CallOptions) =>
      send(`DELETE ${one}`, async () => {}, { params: { id }, ...options }),
  };
}
