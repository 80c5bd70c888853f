import sharp from "sharp";

/** Creates a square PNG that compresses like a photograph: soft shapes under fine grain. */
export async function makePhoto(edge: number): Promise<Buffer> {
  const shapes = Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="${edge}" height="${edge}" viewBox="0 0 1024 1024">
      <defs><linearGradient id="sky" x2="0" y2="1"><stop stop-color="#7fb2d9"/>
        <stop offset="1" stop-color="#f2c894"/></linearGradient></defs>
      <rect width="1024" height="1024" fill="url(#sky)"/>
      <circle cx="700" cy="320" r="120" fill="#fff3d6"/>
      <path d="M0 700 C 200 500 420 760 640 600 S 900 640 1024 560 V 1024 H 0 Z" fill="#4a6b5d"/>
      <path d="M0 860 C 300 740 520 900 1024 780 V 1024 H 0 Z" fill="#2f4a3f"/></svg>`,
  );
  const grain = await sharp({
    create: {
      width: edge,
      height: edge,
      channels: 3,
      background: "#808080",
      noise: { type: "gaussian", mean: 128, sigma: 14 },
    },
  })
    .png()
    .toBuffer();
  return sharp(shapes)
    .composite([{ input: grain, blend: "soft-light" }])
    .removeAlpha()
    .png({ compressionLevel: 3 })
    .toBuffer();
}
