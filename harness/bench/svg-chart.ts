import { escapeMarkup } from "@atelier/kit/escape-markup";

interface Bar {
  readonly label: string;
  readonly value: number;
  /** Label at its end. */
  readonly text: string;
  /** Drawn in grey as the baseline. */
  readonly reference?: boolean;
}

interface Series {
  readonly name: string;
  readonly points: readonly (readonly [x: number, y: number])[];
  /** Drawn dashed and grey as the baseline. */
  readonly reference?: boolean;
}

const width = 680;
const labelWidth = 190;
const textWidth = 120;
const rowHeight = 30;

/** Readable on light and dark pages; viewers without colour scheme support show the light one. */
const style = `
  text { font: 13px system-ui, sans-serif; fill: #24292f; }
  .title { font-weight: 600; }
  .axis { stroke: #8c959f; }
  .bar-0, .dot-0 { fill: #0969da; } .line-0 { stroke: #0969da; }
  .bar-1, .dot-1 { fill: #bc4c00; } .line-1 { stroke: #bc4c00; }
  .bar-reference, .dot-reference { fill: #8c959f; }
  .line-reference { stroke: #8c959f; stroke-dasharray: 5 4; }
  .line-0, .line-1, .line-reference { fill: none; stroke-width: 2; }
  @media (prefers-color-scheme: dark) {
    text { fill: #e6edf3; }
    .bar-0, .dot-0 { fill: #58a6ff; } .line-0 { stroke: #58a6ff; }
    .bar-1, .dot-1 { fill: #f0883e; } .line-1 { stroke: #f0883e; }
  }`;

/** Draws horizontal bars from zero as an SVG document. Values must not be negative. */
export function drawBars(title: string, bars: readonly Bar[]): string {
  const largest = Math.max(...bars.map(({ value }) => value), Number.MIN_VALUE);
  const room = width - labelWidth - textWidth;
  const rows = bars.map(({ label, value, text, reference }, index) => {
    const top = 36 + index * rowHeight;
    const length = tenths((value / largest) * room);
    const middle = top + 15;
    return [
      `<text x="${labelWidth - 8}" y="${middle}" text-anchor="end">${escapeMarkup(label)}</text>`,
      `<rect class="bar-${reference === true ? "reference" : 0}" x="${labelWidth}" y="${top}" width="${length}" height="20" rx="2"/>`,
      `<text x="${labelWidth + length + 8}" y="${middle}">${escapeMarkup(text)}</text>`,
    ].join("\n");
  });
  return draw(title, 44 + bars.length * rowHeight, rows);
}

/** Draws lines on a common scale, with both axes starting at zero, as an SVG document. */
export function drawLines(
  title: string,
  axes: { readonly x: string; readonly y: string },
  series: readonly Series[],
): string {
  const [left, right, top, bottom] = [60, width - 150, 44, 300];
  const points = series.flatMap((one) => one.points);
  const largestX = Math.max(...points.map(([x]) => x), Number.MIN_VALUE);
  const largestY = Math.max(...points.map(([, y]) => y), Number.MIN_VALUE);
  const placeX = (x: number) => tenths(left + (x / largestX) * (right - left));
  const placeY = (y: number) => tenths(bottom - (y / largestY) * (bottom - top));

  const ticksX = [...new Set(points.map(([x]) => x))].map(
    (x) => `<text x="${placeX(x)}" y="${bottom + 18}" text-anchor="middle">${x}</text>`,
  );
  const ticksY = [0, largestY / 2, largestY].map(
    (y) => `<text x="${left - 8}" y="${placeY(y) + 4}" text-anchor="end">${tenths(y)}</text>`,
  );
  let coloured = 0;
  const lines = series.map(({ name, points: own, reference }, index) => {
    const kind = reference === true ? "reference" : String(coloured++ % 2);
    const path = own.map(([x, y]) => `${placeX(x)},${placeY(y)}`).join(" ");
    const dots = own.map(
      ([x, y]) => `<circle class="dot-${kind}" cx="${placeX(x)}" cy="${placeY(y)}" r="3.5"/>`,
    );
    const legendY = top + 12 + index * 22;
    return [
      `<polyline class="line-${kind}" points="${path}"/>`,
      ...(reference === true ? [] : dots),
      `<line class="line-${kind}" x1="${right + 24}" x2="${right + 44}" y1="${legendY - 4}" y2="${legendY - 4}"/>`,
      `<text x="${right + 50}" y="${legendY}">${escapeMarkup(name)}</text>`,
    ].join("\n");
  });
  return draw(title, 344, [
    `<path class="axis" fill="none" d="M${left} ${top}V${bottom}H${right}"/>`,
    ...ticksX,
    ...ticksY,
    `<text x="${(left + right) / 2}" y="${bottom + 38}" text-anchor="middle">${escapeMarkup(axes.x)}</text>`,
    `<text x="${left}" y="${top - 6}" text-anchor="middle">${escapeMarkup(axes.y)}</text>`,
    ...lines,
  ]);
}

function draw(title: string, height: number, parts: readonly string[]): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" role="img" aria-label="${escapeMarkup(title)}">
<style>${style}
</style>
<text class="title" x="8" y="20">${escapeMarkup(title)}</text>
${parts.join("\n")}
</svg>
`;
}

function tenths(value: number): number {
  return Math.round(value * 10) / 10;
}
