import type { ImageFormat } from "./responses.ts";

/**
 * Where the files of renders are: `renders/<render>/<attempt>.<format>` for finished images, and
 * `staged/<render>/<attempt>/…` for what a provider made, as it came, with
 * `staged/<first render>/references/…` for what its generation looks at.
 */
export const filePrefixes = { renders: "renders/", staged: "staged/" } as const;

/**
 * A try at a render. It is in every key (decisions/004): a stalled worker that wakes up writes beside
 * the files of its successor and never over them, whose hashes are recorded already.
 */
interface Attempt {
  readonly renderId: string;
  readonly attempt: number;
}

/** The key of a finished image. */
export function imageKey({ renderId, attempt }: Attempt, format: ImageFormat): string {
  return `${filePrefixes.renders}${renderId}/${attempt}.${format}`;
}

/** What the keys of everything that was staged of a render begin with, whichever try staged it. */
export function stagedPrefix(renderId: string): string {
  return `${filePrefixes.staged}${renderId}/`;
}

/** The key of a staged file. */
export function stagedKey({ renderId, attempt }: Attempt, name: string): string {
  return `${stagedPrefix(renderId)}${attempt}/${name}`;
}

/** What the keys of images begin with that were fetched from elsewhere for a generation. */
export function keptReferencesPrefix(firstRenderId: string): string {
  return `${stagedPrefix(firstRenderId)}references/`;
}

/** The key of such an image, whichever render and try fetched it. */
export function keptReferenceKey(firstRenderId: string, name: string): string {
  return `${keptReferencesPrefix(firstRenderId)}${name}`;
}

/** Which try staged the file with a key, and under which name. */
export function readStagedKey(key: string): { readonly attempt: number; readonly name: string } {
  const [, , attempt = "", name = ""] = key.split("/");
  return { attempt: Number(attempt), name };
}

/** The render that a file belongs to, if its key is one of those above; else whatever stands there. */
export function renderIdOf(key: string): string {
  return key.split("/")[1] ?? "";
}
