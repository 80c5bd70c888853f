/** Files of more than 400 lines that existed when the check was added. Take out a name; add none. */
export const knownLongFiles: readonly string[] = [
  "apps/studio/src/pages/stories/board/board.module.css",
  "apps/studio/src/pages/stories/builder/builder.module.css",
  "packages/generations/src/accept.ts",
];

/** Folders of more than 40 files that existed when the check was added. Take out a name; add none. */
export const knownLargeFolders: readonly string[] = ["packages/illustrator/src/draw"];
