// Changes images and combines them: node edit-images.mjs edit "at night" bay.png -o night.png
import { run, UsageError } from "./atelier.mjs";
import {
  commonUsage,
  makeImages,
  numberOf,
  readCommandLine,
  toDescribed,
  toSource,
} from "./images.mjs";

const usage = `usage: node edit-images.mjs edit <prompt> <image> [options]
       node edit-images.mjs combine <prompt> [options]
  An image is a file, an HTTPS URL, a job id, or <job id>:2 for its third image.
  --mask <image>          of edit: white marks what to change; the size of the image
  --strength <number>     of edit: 0 keeps the image, 1 replaces it
  --image <image> --description <text>   of combine: an image and what it shows; 2 to 5 such pairs
  --aspect-ratio <w:h>    of combine: such as 16:9
  --format <format>       png, jpeg or webp; default: as the file is called, or png
${commonUsage}`;

await run(usage, async () => {
  const { values, positionals } = readCommandLine({
    mask: false,
    strength: false,
    image: true,
    description: true,
    "aspect-ratio": false,
  });
  const [command, prompt, source, ...rest] = positionals;
  if (prompt === undefined || rest.length > 0) throw new UsageError(usage);
  if (command === "edit") {
    if (source === undefined || values.image.length > 0) throw new UsageError(usage);
    return makeImages("edit", values, async (settings) => ({
      prompt,
      image: await toSource(settings, source),
      mask: values.mask && (await toSource(settings, values.mask)),
      strength: numberOf("strength", values.strength),
    }));
  }
  const { image, description } = values;
  if (command !== "combine" || source !== undefined || image.length !== description.length) {
    throw new UsageError(usage);
  }
  return makeImages("combine", values, async (settings) => ({
    prompt,
    images: await toDescribed(settings, image, description),
    aspect_ratio: values["aspect-ratio"],
  }));
});
