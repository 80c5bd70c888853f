/** Whether a stroke adds to the area that changes or removes from it. */
export type StrokeMode = "add" | "erase";

/** The use of a drawing: the area that changes, or hints over the image. */
export type DrawingKind = "mask" | "markup";

/** A step of drawing a mask, in pixels of the image. */
export type Stroke =
  | {
      readonly kind: "brush";
      readonly mode: StrokeMode;
      /** Diameter. */
      readonly size: number;
      readonly points: readonly (readonly [x: number, y: number])[];
    }
  | {
      readonly kind: "rectangle";
      readonly mode: StrokeMode;
      readonly x: number;
      readonly y: number;
      readonly width: number;
      readonly height: number;
      /** Width of its outline; undefined for a filled one. */
      readonly line?: number | undefined;
    }
  | { readonly kind: "invert" }
  | { readonly kind: "clear" };

/** The steps of a drawing, and those that were undone, the last one first. */
export interface Drawing {
  readonly strokes: readonly Stroke[];
  readonly undone: readonly Stroke[];
}

export const emptyDrawing: Drawing = { strokes: [], undone: [] };

/** A drawing after one more step. Steps that were undone before are gone. */
export function draw({ strokes }: Drawing, stroke: Stroke): Drawing {
  return { strokes: [...strokes, stroke], undone: [] };
}

/** A drawing without its last step; the same one if it has none. */
export function undo(drawing: Drawing): Drawing {
  const last = drawing.strokes.at(-1);
  if (last === undefined) return drawing;
  return { strokes: drawing.strokes.slice(0, -1), undone: [last, ...drawing.undone] };
}

/** A drawing with the step that was undone last; the same one if none was. */
export function redo(drawing: Drawing): Drawing {
  const [next, ...undone] = drawing.undone;
  return next === undefined ? drawing : { strokes: [...drawing.strokes, next], undone };
}

/** Draws the area of all strokes in a colour on a transparent canvas. */
export function drawStrokes(
  canvas: HTMLCanvasElement,
  strokes: readonly Stroke[],
  color: string,
): void {
  const context = contextOf(canvas);
  context.globalCompositeOperation = "source-over";
  context.clearRect(0, 0, canvas.width, canvas.height);
  context.fillStyle = color;
  context.strokeStyle = color;
  context.lineCap = "round";
  context.lineJoin = "round";
  for (const stroke of strokes) drawStroke(context, stroke);
}

function drawStroke(context: CanvasRenderingContext2D, stroke: Stroke): void {
  if (stroke.kind === "clear") {
    context.clearRect(0, 0, context.canvas.width, context.canvas.height);
    return;
  }
  if (stroke.kind === "invert") {
    // Keeps what is transparent of either: the area becomes transparent, the rest coloured.
    context.globalCompositeOperation = "xor";
    context.fillRect(0, 0, context.canvas.width, context.canvas.height);
    return;
  }
  context.globalCompositeOperation = stroke.mode === "add" ? "source-over" : "destination-out";
  if (stroke.kind === "rectangle" && stroke.line !== undefined) {
    context.lineWidth = stroke.line;
    context.strokeRect(stroke.x, stroke.y, stroke.width, stroke.height);
    return;
  }
  if (stroke.kind === "rectangle") {
    context.fillRect(stroke.x, stroke.y, stroke.width, stroke.height);
    return;
  }
  const [first, ...others] = stroke.points;
  if (first === undefined) return;
  // A line without a length draws nothing.
  context.beginPath();
  context.arc(...first, stroke.size / 2, 0, 2 * Math.PI);
  context.fill();
  context.lineWidth = stroke.size;
  context.beginPath();
  context.moveTo(...first);
  for (const point of others) context.lineTo(...point);
  context.stroke();
}

/** Whether nothing is drawn. */
function isEmpty(canvas: HTMLCanvasElement): boolean {
  const { data } = contextOf(canvas).getImageData(0, 0, canvas.width, canvas.height);
  for (let at = 3; at < data.length; at += 4) if ((data[at] ?? 0) > 127) return false;
  return true;
}

/** The colour of hints. */
export const markupColor = "#e5201b";

/**
 * A drawing as a PNG of the size of the image; null when nothing is drawn. In a mask, white changes and
 * black is kept; hints are coloured on a transparent ground.
 */
export async function exportDrawing(
  kind: DrawingKind,
  size: { readonly width: number; readonly height: number },
  strokes: readonly Stroke[],
): Promise<Blob | null> {
  const area = createCanvas(size);
  drawStrokes(area, strokes, kind === "mask" ? "#ffffff" : markupColor);
  if (isEmpty(area)) return null;
  if (kind === "markup") return toPng(area);
  const mask = createCanvas(size);
  const context = contextOf(mask);
  context.fillStyle = "#000000";
  context.fillRect(0, 0, size.width, size.height);
  context.drawImage(area, 0, 0);
  return toPng(mask);
}

function toPng(canvas: HTMLCanvasElement): Promise<Blob | null> {
  const { promise, resolve } = Promise.withResolvers<Blob | null>();
  canvas.toBlob(resolve, "image/png");
  return promise;
}

function createCanvas({ width, height }: { readonly width: number; readonly height: number }) {
  const canvas = document.createElement("canvas");
  canvas.width = width;
  canvas.height = height;
  return canvas;
}

function contextOf(canvas: HTMLCanvasElement): CanvasRenderingContext2D {
  const context = canvas.getContext("2d");
  if (context === null) throw new Error("the browser has no canvas");
  return context;
}
