// Draws a graphic: node draw-graphic.mjs "a rocket" --kind icon -o rocket.svg
import { pixelFormats, run, UsageError } from "./atelier.mjs";
import { commonUsage, makeImages, readCommandLine } from "./images.mjs";

const usage = `usage: node draw-graphic.mjs <prompt> [options]
  --kind <kind>           icon (default), logo or illustration
  --color <#rrggbb>       a colour to use; up to 8
  --background <colour>   transparent (default) or a colour such as #ffffff
  --aspect-ratio <w:h>    such as 1:1
  --format <format>       png, jpeg, webp or svg; default: as the file is called, or png
${commonUsage}`;

await run(usage, async () => {
  const { values, positionals } = readCommandLine({
    kind: false,
    color: true,
    background: false,
    "aspect-ratio": false,
  });
  if (positionals.length !== 1) throw new UsageError(usage);
  const makeFields = () => ({
    prompt: positionals[0],
    kind: values.kind ?? "icon",
    background: values.background,
    aspect_ratio: values["aspect-ratio"],
    ...(values.color.length > 0 && { palette: values.color }),
  });
  await makeImages("graphic", values, makeFields, [...pixelFormats, "svg"]);
});
