// Makes images and saves them: node generate-image.mjs "a red boat at sunset" -o boat.png
import { run, UsageError } from "./atelier.mjs";
import { commonUsage, makeImages, readCommandLine, toDescribed } from "./images.mjs";

const usage = `usage: node generate-image.mjs <prompt> [options]
  --aspect-ratio <w:h>    such as 16:9
  --background <name>     opaque or transparent
  --after <step>          upscale:2 (to 4) or remove-background; several times
  --reference <image> --reference-description <text>   an image to go by: a file, an HTTPS URL
                          or a job id; up to 5 such pairs
  --format <format>       png, jpeg or webp; default: as the file is called, or png
${commonUsage}`;

await run(usage, async () => {
  const { values, positionals } = readCommandLine({
    "aspect-ratio": false,
    background: false,
    after: true,
    reference: true,
    "reference-description": true,
  });
  const { reference, "reference-description": descriptions } = values;
  if (positionals.length !== 1 || reference.length !== descriptions.length) {
    throw new UsageError(usage);
  }
  await makeImages("image", values, async (settings) => ({
    prompt: positionals[0],
    aspect_ratio: values["aspect-ratio"],
    background: values.background,
    after: values.after.length > 0 ? values.after : undefined,
    reference_images: await toDescribed(settings, reference, descriptions),
  }));
});
