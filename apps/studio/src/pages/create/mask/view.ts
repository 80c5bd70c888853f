/** How the image is shown: enlarged, and moved from the centre in CSS pixels. */
export interface View {
  readonly scale: number;
  readonly x: number;
  readonly y: number;
}

/** A point, a distance or a size in CSS pixels. */
interface Pair {
  readonly x: number;
  readonly y: number;
}

/** The whole image. */
export const wholeImage: View = { scale: 1, x: 0, y: 0 };

/** The factor of one step of zooming by a button or a key. */
export const zoomStep = 1.5;
const largestScale = 12;

/**
 * Zooms by a factor, so that the point below the pointer stays where it is.
 *
 * @param point from the centre of the stage.
 * @param image the size of the image as it is shown whole.
 */
export function zoomBy(view: View, factor: number, point: Pair, image: Pair): View {
  const scale = Math.min(Math.max(view.scale * factor, 1), largestScale);
  const by = scale / view.scale;
  return moveTo(
    { scale, x: point.x - by * (point.x - view.x), y: point.y - by * (point.y - view.y) },
    image,
  );
}

/** Moves the image by a distance. */
export function moveBy(view: View, { x, y }: Pair, image: Pair): View {
  return moveTo({ ...view, x: view.x + x, y: view.y + y }, image);
}

/** Keeps the centre of the stage on the image. */
function moveTo({ scale, x, y }: View, image: Pair): View {
  const clamp = (value: number, size: number) => {
    const most = ((scale - 1) * size) / 2;
    return Math.min(Math.max(value, -most), most);
  };
  return { scale, x: clamp(x, image.x), y: clamp(y, image.y) };
}

/**
 * Moves the image as little as needed to show a point of it.
 *
 * @param at the point as parts of the image's sides, from 0 to 1.
 * @param stage the size of the area that shows the image.
 */
export function showPoint(view: View, at: Pair, image: Pair, stage: Pair): View {
  const shown = (value: number, part: number, size: number, room: number) => {
    const offset = (part - 0.5) * size * view.scale;
    const most = Math.max(0, room / 2 - 16);
    return Math.min(Math.max(value, -most - offset), most - offset);
  };
  return moveTo(
    {
      ...view,
      x: shown(view.x, at.x, image.x, stage.x),
      y: shown(view.y, at.y, image.y, stage.y),
    },
    image,
  );
}
