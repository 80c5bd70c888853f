import type { Api } from "./api.ts";
import type { CallOptions } from "./options.ts";
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

export function createPresets({ call }: Api): Presets {
  return {
    save: (body, options) => call("POST /v1/presets", { body, ...options }),
    list: (query, options) => call("GET /v1/presets", { query, ...options }),
    get: (presetId, options) => call("GET /v1/presets/{id}", { params: { presetId }, ...options }),
    delete: (presetId, options) =>
      call("DELETE /v1/presets/{id}", { params: { presetId }, ...options }),
  };
}
