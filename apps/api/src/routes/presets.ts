import { createSavedItems } from "@atelier/generations/library";
import {
  deletePreset,
  listPresets,
  readPreset,
  savePreset,
  type PresetValues,
} from "@atelier/schemas/endpoints";
import { plainResource } from "./items.ts";

export const presets = createSavedItems<PresetValues>("presets", {
  operation: true,
  request: true,
  picture: true,
});

/** `/v1/presets`: properties of requests that the account saved, of the mode of the key. */
export const presetResource = plainResource(presets, {
  save: savePreset,
  list: listPresets,
  read: readPreset,
  remove: deletePreset,
});
