/** The size of a request: the name of one, or exact pixels such as `1360x768`; empty without a flag. */
export function readSize(size: string | undefined): {
  readonly width?: number;
  readonly height?: number;
  readonly image_size?: string;
} {
  if (size === undefined) return {};
  const [, width, height] = /^(\d+)x(\d+)$/.exec(size) ?? [];
  if (width === undefined || height === undefined) return { image_size: size };
  return { width: Number(width), height: Number(height) };
}

/** The output of a request; absent without a flag. */
export function outputOf({ quality }: { readonly quality?: number }): {
  readonly output?: { readonly quality: number };
} {
  return quality === undefined ? {} : { output: { quality } };
}
