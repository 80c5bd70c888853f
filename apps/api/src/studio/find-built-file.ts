/** A file of the build. */
export interface BuiltFile {
  /** From the folder of the build. */
  readonly path: string;
  /** Whether its name contains a hash of its content. */
  readonly isAsset: boolean;
}

/** Names with an extension, which neither start with a dot nor leave their folder. */
const fileOfBuild = /^\/((assets\/)?[\w-]+(\.[\w-]+)+)$/;

/**
 * Finds the file for a path below `/studio`: the one that it names, or `index.html`, which shows the
 * page of every other path. Does not check that the file exists.
 *
 * @returns null for a path below `/assets` that names no file.
 */
export function findBuiltFile(path: string): BuiltFile | null {
  const [, file, folder] = fileOfBuild.exec(path) ?? [];
  if (file !== undefined) return { path: file, isAsset: folder !== undefined };
  return path.startsWith("/assets/") ? null : { path: "index.html", isAsset: false };
}
