/** Width divided by height, of a ratio such as "16:9"; 1 for any other text. */
export function ratioOf(ratio: string): number {
  const [width = 0, height = 0] = ratio.split(":").map(Number);
  return width > 0 && height > 0 ? width / height : 1;
}

/** The outline of an aspect ratio. */
export function RatioShape({ ratio }: { readonly ratio: string }) {
  const shape = ratioOf(ratio);
  const width = shape >= 1 ? 20 : 20 * shape;
  const height = shape >= 1 ? 20 / shape : 20;
  return (
    <svg width="24" height="22" viewBox="-12 -11 24 22" aria-hidden="true">
      <rect
        x={-width / 2}
        y={-height / 2}
        width={width}
        height={height}
        rx="1.5"
        fill="none"
        stroke="currentColor"
        strokeWidth="1.75"
      />
    </svg>
  );
}
