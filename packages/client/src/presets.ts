import { pathSegment, withQuery } from "./addresses.ts";
import type { Api } from "./api.ts";
import type { CallOptions } from "./options.ts";
import { readJson } from "./transport.ts";
import type { KeptQuery, NewPreset, Preset, PresetList } from "./types.ts";

export interface Presets {
  /**
   * Saves properties of a request under a name, in place of the preset that has the name.
   *
   * @throws ConflictError `too_many_items`.
   *
   * @example
   * ```ts
   * const { id } = await atelier.presets.save({
   *   name: "Cover",
   *   operation: "image",
   *   request: { model: "builtin-illustrator", aspect_ratio: "3:4" },
   * });
   * console.log(id);
   * ```
   */
  save(preset: NewPreset, options?: CallOptions): Promise<Preset>;
  /**
   * Returns a page of the account's presets, the newest first.
   *
   * @example
   * ```ts
   * const { presets, next_cursor } = await atelier.presets.list({ limit: 10 });
   * console.log(presets.map(({ name, operation }) => [name, operation]), next_cursor);
   * ```
   */
  list(query?: KeptQuery, options?: CallOptions): Promise<PresetList>;
  /**
   * Reads a preset.
   *
   * @example
   * ```ts
   * const { name, request } = await atelier.presets.get(presetId);
   * console.log(name, request);
   * ```
   */
  get(presetId: string, options?: CallOptions): Promise<Preset>;
  /**
   * Deletes a preset.
   *
   * @example
   * ```ts
   * await atelier.presets.delete(presetId);
   * ```
   */
  delete(presetId: string, options?: CallOptions): Promise<void>;
}

export function createPresets(api: Api): Presets {
  const path = (id: string) => `/v1/presets/${pathSegment("presetId", id)}`;
  return {
    save: async (preset, options) => api.post("/v1/presets", preset, readJson<Preset>, options),
    list: (query = {}, options) =>
      api.getJson<PresetList>(withQuery("/v1/presets", { ...query }), options),
    get: async (id, options) => api.getJson<Preset>(path(id), options),
    delete: async (id, options) => api.delete(path(id), options),
  };
}
