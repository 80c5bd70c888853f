import { mix, shade } from "../colour.ts";
import { drawHill, rollingRidge } from "../draw/land.ts";
import { inAir } from "../draw/stage.ts";
import type { Stage } from "../draw/stage.ts";
import { blob, box, oval, polygon, range, short, smooth } from "../geometry.ts";
import type { Terrain } from "./landscape.ts";

const nowhere = { edge: "", middleOnFront: true, headland: null, stream: null } as const;

function belowAll(ridge: (x: number) => number, { width: wide, height: high }: Stage): string {
  return `${smooth(
    range(15).map(
      (index) => [(index / 14) * (wide + 40) - 20, ridge((index / 14) * wide)] as const,
    ),
    false,
  )}L${short(wide + 20)} ${short(high + 20)}L-20 ${short(high + 20)}Z`;
}

/** The sea floor: light from above, weeds, corals, bubbles. */
export function laySeabed(stage: Stage): Terrain {
  const { pen, width, height, air } = stage;
  const random = stage.random.fork("seabed");
  const dark = air.ambient[0] < 0.9;
  const water = random.pick([
    ["#8fe0dc", "#3fa3b8", "#1f5f8f", "#173f6b"],
    ["#9fe6d0", "#4fb0b0", "#2a7391", "#1d4a72"],
    ["#a3dcec", "#4f9ccf", "#2b62a3", "#1f3f7a"],
  ] as const);
  const deep = dark ? water.map((colour) => shade(colour, -0.2)) : water;
  const rays = range(6).map((index) => {
    const x = width * (0.02 + index * 0.19 + random.between(-0.04, 0.04));
    const w = width * random.between(0.03, 0.075);
    const lean = width * 0.16;
    return polygon([
      [x, -6],
      [x + w, -6],
      [x + w * 2.4 + lean, height * random.between(0.66, 0.86)],
      [x + lean, height * 0.8],
    ]);
  });
  const sand = mix("#e6d2a0", deep[2] ?? "#2b62a3", 0.3);
  const near = rollingRidge(random.fork("sand"), width, height * 0.83, height * 0.05);
  const far = rollingRidge(random.fork("reef"), width, height * 0.72, height * 0.09);
  const weed = (x: number, y: number, tall: number, tone: string): string => {
    const sway = random.between(-0.2, 0.2) * tall;
    const blades = range(4).map((index) => {
      const at = x + (index - 1.5) * tall * 0.09;
      const top = y - tall * random.between(0.6, 1);
      return smooth(
        [
          [at - 5, y],
          [at - 9 + sway * 0.3, y - tall * 0.4],
          [at + sway * 0.6, top + tall * 0.2],
          [at + sway, top],
          [at + sway * 0.6 + 8, top + tall * 0.24],
          [at + 6 + sway * 0.3, y - tall * 0.35],
          [at + 5, y],
        ],
        true,
        0.9,
      );
    });
    return pen.fill(blades.join(""), tone);
  };
  const coral = (x: number, y: number, size: number, tone: string): string => {
    const arms = range(5).map((index) => {
      const lean = (index - 2) * 0.34;
      const long = size * random.between(0.66, 1);
      const [tipX, tipY] = [x + Math.sin(lean) * long, y - Math.cos(lean) * long];
      return `M${short(x)} ${short(y)}Q${short(x + Math.sin(lean) * long * 0.3)} ${short(y - long * 0.6)} ${short(tipX)} ${short(tipY)}M${short(x + (tipX - x) * 0.6)} ${short(y + (tipY - y) * 0.62)}l${short(size * 0.14 * (index % 2 === 0 ? 1 : -1))} ${short(-size * 0.2)}`;
    });
    return (
      pen.line(arms.join(""), tone, size * 0.13) +
      pen.fill(oval(x, y, size * 0.26, size * 0.1), tone)
    );
  };
  const tones = ["#e8788a", "#f0a35e", "#c98ad0", "#f2c45f"];
  const back = [
    pen.fill(belowAll(far, stage), mix(deep[2] ?? "#2b62a3", deep[1] ?? "#3fa3b8", 0.25), 0.9),
    ...range(5).map((index) => {
      const x = width * (0.06 + index * 0.23 + random.between(-0.05, 0.05));
      return weed(
        x,
        far(x) + 10,
        height * random.between(0.16, 0.26),
        mix("#3f8a6a", deep[2] ?? "#2b62a3", 0.5),
      );
    }),
  ];
  const front = [
    drawHill(
      { ...stage, air: { ...air, haze: deep[2] ?? "#2b62a3", ambient: [1, 1, 1] } },
      near,
      sand,
      0.05,
      0.1,
    ),
    ...range(4).map((index) => {
      const x = width * ((index < 2 ? 0.03 : 0.8) + (index % 2) * 0.12 + random.between(0, 0.05));
      return weed(
        x,
        near(x) + 26,
        height * random.between(0.2, 0.34),
        ["#4f9a5f", "#6fae5a", "#3f8a74", "#8fae4f"][index] ?? "#4f9a5f",
      );
    }),
    ...range(5).map((index) => {
      const x = width * (0.1 + index * 0.2 + random.between(-0.06, 0.06));
      return coral(x, near(x) + 20, height * random.between(0.07, 0.13), random.pick(tones));
    }),
    pen.fill(
      range(8)
        .map(() =>
          blob(
            random,
            random.between(0, width),
            random.between(height * 0.9, height),
            random.between(12, 34),
            random.between(7, 15),
            0.14,
            8,
          ),
        )
        .join(""),
      shade(sand, -0.1),
      0.9,
    ),
    pen.line(
      range(34)
        .map(() =>
          oval(
            random.between(0, width),
            random.between(height * 0.08, height * 0.8),
            random.between(2.5, 9),
          ),
        )
        .join(""),
      "#e8fbff",
      1.8,
      0.6,
    ),
  ];
  return {
    ...nowhere,
    sky:
      pen.fill(
        box(-4, -4, width + 8, height + 8),
        pen.linear(deep.map((colour, index) => [index / 3, colour] as const)),
      ) +
      pen.light(
        rays.join(""),
        pen.linear([
          [0, "#f3fff6", dark ? 0.1 : 0.3],
          [1, "#f3fff6", 0],
        ]),
      ),
    back: back.join(""),
    front: front.join(""),
    middle: near,
    near,
    water: [height * 0.2, height * 0.74],
  };
}

/** The surface of a moon below planets and nebulae. */
export function layMoonscape(stage: Stage): Terrain {
  const { pen, width, height } = stage;
  const random = stage.random.fork("space");
  const [top, bottom, cloud, second] = random.pick([
    ["#0b0d2a", "#2a2360", "#8a5ad0", "#e0708f"],
    ["#061426", "#123a5a", "#3fa3b0", "#7f8af0"],
    ["#160d2e", "#4a2358", "#e0709a", "#f0a86a"],
  ] as const);
  const stars = (count: number, low: number, high: number): string =>
    range(count)
      .map(() =>
        oval(random.between(0, width), random.between(0, height * 0.85), random.between(low, high)),
      )
      .join("");
  const nebulae = range(6).map((index) =>
    pen.light(
      oval(
        random.between(0, width),
        random.between(0, height * 0.6),
        random.between(180, 330),
        random.between(110, 190),
      ),
      pen.glow(index % 2 === 0 ? cloud : second, 0.34),
    ),
  );
  const planet = (x: number, y: number, radius: number, colour: string, ring: boolean): string => {
    const bands = range(4).map((index) =>
      pen.fill(
        `M${short(x - radius)} ${short(y - radius * 0.5 + index * radius * 0.34)}q${short(radius)} ${short(radius * 0.24)} ${short(radius * 2)} 0v${short(radius * 0.13)}q${short(-radius)} ${short(radius * 0.24)} ${short(-radius * 2)} 0Z`,
        shade(colour, index % 2 === 0 ? 0.08 : -0.07),
        0.8,
      ),
    );
    const disc = oval(x, y, radius);
    const halo = pen.light(oval(x, y, radius * 1.6), pen.glow(colour, 0.4));
    const hoop = `M${short(x - radius * 1.75)} ${short(y + radius * 0.3)}A${short(radius * 1.78)} ${short(radius * 0.4)} -10 0 0 ${short(x + radius * 1.75)} ${short(y - radius * 0.3)}`;
    return (
      halo +
      pen.fill(disc, colour) +
      pen.clip(
        disc,
        bands.join("") +
          pen.fill(oval(x + radius * 0.5, y + radius * 0.35, radius * 1.05), "#120c24", 0.26),
      ) +
      (ring
        ? pen.line(hoop, "#f3dcb0", radius * 0.15, 0.85) +
          pen.line(hoop, "#c9a070", radius * 0.04, 0.9)
        : "")
    );
  };
  const ringed = random.chance(0.5);
  const side = random.pick([-1, 1]);
  const sky = [
    pen.fill(
      box(-4, -4, width + 8, height + 8),
      pen.linear([
        [0, top],
        [1, bottom],
      ]),
    ),
    ...nebulae,
    pen.light(stars(190, 0.6, 1.8), "#fff9e6", 0.85),
    pen.light(stars(16, 2, 3.4), "#fffdf2", 0.95),
    planet(
      width * (0.5 + side * 0.26),
      height * random.between(0.2, 0.3),
      Math.min(width, height) * random.between(0.11, 0.16),
      random.pick(["#e09a5f", "#d97f8a", "#6fa8d0"]),
      ringed,
    ),
    planet(
      width * (0.5 - side * random.between(0.2, 0.36)),
      height * random.between(0.34, 0.46),
      Math.min(width, height) * 0.05,
      random.pick(["#8fc4b0", "#c9a8e0", "#e8c98a"]),
      !ringed,
    ),
  ];
  const rock = random.pick(["#8f8aa8", "#a38f9a", "#7f93a8"]);
  const near = rollingRidge(random.fork("ground"), width, height * 0.76, height * 0.06);
  const far = rollingRidge(random.fork("hills"), width, height * 0.69, height * 0.12);
  const airless = { ...stage, air: { ...stage.air, haze: bottom, ambient: [1, 1, 1] as const } };
  const craters = range(9).map(() => {
    const t = random.next();
    const [x, r] = [random.between(0, width), 16 + t * 56];
    const y = height * (0.82 + t * 0.15);
    return (
      pen.fill(oval(x, y, r, r * 0.3), shade(rock, -0.13)) +
      pen.fill(oval(x, y + r * 0.06, r * 0.86, r * 0.21), shade(rock, -0.05))
    );
  });
  return {
    ...nowhere,
    sky: sky.join(""),
    back: drawHill(airless, far, shade(rock, -0.12), 0.4),
    front:
      drawHill(airless, near, rock, 0.05, 0.16) +
      craters.join("") +
      pen.fill(
        range(10)
          .map(() =>
            blob(
              random,
              random.between(0, width),
              random.between(height * 0.8, height),
              random.between(5, 17),
              random.between(4, 10),
              0.16,
              7,
            ),
          )
          .join(""),
        inAir(airless, shade(rock, -0.18), 0),
      ),
    middle: (x) => near(x) + height * 0.02,
    near,
    water: null,
  };
}
