import { createSavedItems } from "@atelier/generations/library";
import {
  deletePreset,
  listPresets,
  readPreset,
  savePreset,
  type NewPreset,
} from "@atelier/schemas/endpoints";
import { plainResource } from "./items.ts";

export const presets = createSavedItems<Omit<NewPreset, "name">>("presets", {
  operation: true,
  request: true,
});

/** `/v1/presets`: properties of requests that the account saved, of the mode of the key. */
export const presetResource = plainResource(presets, {
  save: savePreset,
  list: listPresets,
  read: readPreset,
  remove: deletePreset,
});
