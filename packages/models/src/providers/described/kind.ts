import { resolve } from "node:path";
import * as z from "zod";
import { ownSettings, vendorOptions, type Kind } from "../kind.ts";
import type { Description } from "./description.ts";
import { readDescription } from "./shipped.ts";
import { listedPixels, makesExactSizes, parametersOf } from "./traits.ts";

interface DescribedSettings {
  readonly description: Description;
}

/** Providers whose HTTP API is described by data. */
export const described: Kind<DescribedSettings, null> = {
  keyVariable: null,
  servers: "one",
  own: ownSettings(
    { description_file: z.string().min(1) },
    "is required for the kind http, and for nothing else.",
    async ({ description_file: file }, folder) => ({
      description: await readDescription(resolve(folder, file)),
    }),
  ),
  canSize: (model, own) => makesExactSizes(own.description, model),
  parameters: (own) => parametersOf(own.description),
  pixels: ({ aspectRatio, imageSize, model }, own) =>
    listedPixels(own.description, model, aspectRatio, imageSize),
  loads: (model) => model,
  discovery: null,
  async create(settings, { fetchResult, svgDrawer }) {
    const { createDescribedProvider } = await import("./described.ts");
    return createDescribedProvider({
      ...vendorOptions(settings),
      ...settings.own,
      name: settings.name,
      fetchResult,
      svgDrawer,
    });
  },
  defaults: (own) => own.description,
};
