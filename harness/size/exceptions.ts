/** Files of more than 400 lines that existed when the check was added. Take out a name; add none. */
export const knownLongFiles: readonly string[] = [
  "apps/studio/src/pages/stories/board.module.css",
  "apps/studio/src/pages/stories/builder.module.css",
  "packages/generations/src/accept.ts",
];

/** Folders of more than 40 files that existed when the check was added. Take out a name; add none. */
export const knownLargeFolders: readonly string[] = [
  "apps/api/src/generations",
  "apps/api/src/http",
  "apps/studio/src/pages/create",
  "apps/studio/src/pages/stories",
  "apps/studio/src/ui",
  "packages/generations/src",
  "packages/illustrator/src/draw",
  "packages/schemas/src",
];
