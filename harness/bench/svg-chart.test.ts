import sharp from "sharp";
import { expect, it } from "vitest";
import { drawBars, drawLines } from "./svg-chart.ts";

const numbersOf = (svg: string, pattern: RegExp) =>
  [...svg.matchAll(pattern)].map(([, value]) => Number(value));

it("draws bars in proportion to their values", () => {
  const svg = drawBars("Rates", [
    { label: "bound", value: 20, text: "20.0", reference: true },
    { label: "service", value: 15, text: "15.0" },
    { label: "nothing", value: 0, text: "0" },
  ]);
  const [longest = 0, ...others] = numbersOf(svg, /<rect [^>]*width="([\d.]+)"/g);
  expect(longest).toBeGreaterThan(300);
  expect(others).toEqual([expect.closeTo(longest * 0.75, 0), 0]);
  expect(svg.match(/class="bar-reference"/g)).toHaveLength(1);
  for (const text of ["bound", "service", "20.0", "15.0"]) expect(svg).toContain(`>${text}</text>`);
});

it("draws all lines on one scale", () => {
  const svg = drawLines("Workers", { x: "workers", y: "images/s" }, [
    {
      name: "linear",
      points: [
        [1, 2],
        [4, 8],
      ],
      reference: true,
    },
    {
      name: "service",
      points: [
        [1, 2],
        [4, 4],
      ],
    },
  ]);
  const [linear = [], service = []] = [...svg.matchAll(/<polyline[^>]*points="([^"]*)"/g)].map(
    ([, points = ""]) => points.split(" ").map((point) => point.split(",").map(Number)),
  );
  expect(linear[0]).toEqual(service[0]);
  expect(linear[1]?.[0]).toBe(service[1]?.[0]);
  expect(linear[1]?.[1]).toBeLessThan(service[1]?.[1] ?? 0);
  expect(svg).toMatch(/class="line-reference"/);
});

it("renders with any text in light and dark mode", async () => {
  const charts = [
    drawBars(`<Bars> & "more"`, [{ label: "a < b", value: 1, text: "1 & 2" }]),
    drawBars("None", []),
    drawLines("<Lines>", { x: "&", y: ">" }, [{ name: `"<&>"`, points: [[1, 1]] }]),
  ];
  for (const svg of charts) {
    const { format, width } = await sharp(Buffer.from(svg)).metadata();
    expect({ format, width }).toEqual({ format: "svg", width: 680 });
    expect(svg).toContain("prefers-color-scheme: dark");
  }
});
