/**
 * Finds the aspect ratio nearest to the shape of an image, by the ratio of both.
 *
 * @param names such as `16:9`; at least one.
 */
export function nearestAspectRatio(
  names: readonly string[],
  { width, height }: { readonly width: number; readonly height: number },
): string {
  const deviation = (name: string) => {
    const [across = 1, down = 1] = name.split(":").map(Number);
    return Math.abs(Math.log(across / down / (width / height)));
  };
  const [nearest] = names.toSorted((one, other) => deviation(one) - deviation(other));
  if (nearest === undefined) throw new Error("There is no aspect ratio to choose from.");
  return nearest;
}
