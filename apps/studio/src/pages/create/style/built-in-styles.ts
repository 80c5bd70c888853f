/**
 * The styles that every account has, by the names of their texts and pictures. The words are English in every language
 * of Studio: models know them best in it, and the pictures were drawn with them.
 */
export const builtInStyles = {
  storybook: "storybook illustration, warm colours, gentle details",
  flat: "flat design, geometric shapes, bold plain colours",
  watercolour: "watercolour painting, loose washes, paper texture",
  ink: "ink drawing, fine hatching, cream paper",
  pastel: "pastel chalk drawing, pale powdery tones",
  neon: "neon glow, deep shadows, vivid light in the dark",
  poster: "retro travel poster, screen print, few inks",
  monochrome: "black and white, high contrast, soft greys",
  golden: "golden hour, warm low sunlight at sunset",
  mist: "thick morning mist, muted colours, calm light",
  winter: "falling snow, cold blue winter light",
  storm: "thunderstorm, dark clouds, heavy rain, dramatic light",
} as const;

/** The model of the service that drew their pictures. */
export const pictureModel = "builtin-illustrator";
