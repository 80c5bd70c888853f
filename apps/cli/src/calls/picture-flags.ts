/** The size of a request: the name of one, or exact pixels such as `1360x768`. */
export function readSize(
  size: string | undefined,
): { readonly width: number; readonly height: number } | { readonly image_size: string | null } {
  const [, width, height] = /^(\d+)x(\d+)$/.exec(size ?? "") ?? [];
  if (width === undefined || height === undefined) return { image_size: size ?? null };
  return { width: Number(width), height: Number(height) };
}

/** The output of a request; absent without a flag. */
export function outputOf({ quality }: { readonly quality?: number }): {
  readonly output?: { readonly quality: number };
} {
  return quality === undefined ? {} : { output: { quality } };
}
