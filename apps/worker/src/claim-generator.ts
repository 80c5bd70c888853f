import manifest from "../package.json" with { type: "json" };

/** What made an image and signed its manifest, as the manifest says. */
export const claimGenerator = { name: "Atelier", version: manifest.version };
