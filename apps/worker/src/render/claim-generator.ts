import manifest from "../../package.json" with { type: "json" };

/** The claim generator of the manifest: the software that made the image and signed it. */
export const claimGenerator = { name: "Atelier", version: manifest.version };
