import { shade } from "../../colour.ts";
import { oval } from "../../geometry.ts";
import type { PersonLook } from "../../look.ts";
import type { Pen } from "../../pen.ts";

/** Hair behind the head and body, centred on (0, 0). */
export function backHair(pen: Pen, look: PersonLook): string {
  // A closed helmet covers all hair.
  if (look.hat?.kind === "spacehelmet") return "";
  const colour = shade(look.hair.colour, -0.06);
  const fill = (path: string): string => pen.fill(path, colour);
  switch (look.hair.kind) {
    case "long":
      return fill(
        "M-9.6 -5C-13.5 6 -13.6 20 -12.6 31Q-6 35 0 33.4Q6 35 12.6 31C13.6 20 13.5 6 9.6 -5Z",
      );
    case "longcurly":
      return fill(
        "M-8 -9C-15 -6 -14 2 -15.5 6C-18 12 -14 14 -16 20C-17 27 -11 28 -9 27C-5 31 5 31 9 27C11 28 17 27 16 20C14 14 18 12 15.5 6C14 2 15 -6 8 -9Z",
      );
    case "bob":
      return fill(
        "M-9.5 -5C-13 3 -12.8 9 -11.8 12.4Q-7 14 -4 12.6H4Q7 14 11.8 12.4C12.8 9 13 3 9.5 -5Z",
      );
    case "ponytail": {
      const side = look.face.parting;
      return (
        fill(
          `M${side * 4} -11C${side * 16} -14 ${side * 20} -2 ${side * 17} 8C${side * 16} 14 ${side * 13} 18 ${side * 15} 22C${side * 9} 19 ${side * 9} 11 ${side * 10.5} 5C${side * 11.5} 0 ${side * 10} -4 ${side * 7} -6Z`,
        ) + pen.fill(oval(side * 9.6, -7.8, 1.8, 2.2), "#d9584f")
      );
    }
    case "bun":
      return (
        fill(oval(0, -13.4, 5.4, 4.8)) +
        pen.line("M-3 -14.6Q0 -17 3 -14.2M-2 -12.2Q1 -14 3.4 -12", shade(colour, -0.1), 0.5, 0.7)
      );
    case "curly":
      return fill(
        puffs(
          [
            [-9.5, -3],
            [-10.6, -7],
            [-8, -11],
            [-3.5, -13.6],
            [2, -14],
            [6.8, -12],
            [10, -8],
            [10, -3.4],
            [-9, 2],
            [9.4, 2],
          ],
          4.1,
        ),
      );
    case "braids":
    case "short":
    case "spiky":
    case "bald":
    default:
      return "";
  }
}

function puffs(centres: readonly (readonly [number, number])[], radius: number): string {
  return centres.map(([x, y]) => oval(x, y, radius)).join("");
}

const crownLine = "M-9.8 2.4C-11.6 -8.4 -7.4 -12.8 0 -12.8C7.4 -12.8 11.6 -8.4 9.8 2.4";

/** Hair over the forehead and beside the face, centred on (0, 0). */
export function frontHair(pen: Pen, look: PersonLook): string {
  const colour = look.hair.colour;
  const side = look.face.parting;
  const sheen = pen.line(
    `M${-side * 6.6} -8.6Q${-side * 2} -12 ${side * 3} -11`,
    shade(colour, 0.14),
    1.1,
    0.5,
  );
  const flip = (markup: string): string => (side === 1 ? markup : pen.place(markup, 0, 0, -1, 1));
  const fringe = `${crownLine}C9.2 -1.4 8.4 -3.6 6.8 -5.4C2.6 -4.4 -2 -5.2 -4.4 -7.6C-5.4 -5.4 -7.6 -3.4 -9.8 2.4Z`;
  const middle = `${crownLine}C9.4 -2.4 6.6 -6.2 0 -8.8C-6.6 -6.2 -9.4 -2.4 -9.8 2.4Z`;
  const bangs = `${crownLine}C9.4 0 8.8 -1.8 8 -3.2C5 -2.4 2.4 -2.6 1 -3.4C-1.4 -2.4 -4.4 -2.2 -8 -3.2C-8.8 -1.8 -9.4 0 -9.8 2.4Z`;
  switch (look.hair.kind) {
    case "bald":
      return look.age === "old" || look.beard !== null
        ? pen.fill(
            "M-9.6 2.6C-10.6 -1 -10.2 -4 -8.8 -6C-8.6 -3 -8.8 0 -9.6 2.6ZM9.6 2.6C10.6 -1 10.2 -4 8.8 -6C8.6 -3 8.8 0 9.6 2.6Z",
            colour,
          )
        : "";
    case "short":
      return flip(pen.fill(fringe, colour)) + sheen;
    case "spiky":
      return (
        flip(
          pen.fill(
            "M-9.9 2C-12 -3 -12.4 -6 -11 -7.4L-12.4 -10.8L-8.6 -10.6L-8 -14.6L-4 -12.4L-1 -16L2 -12.8L6 -15L7 -11.2L11.4 -11L10.4 -7C11.8 -4 11 -1 9.9 2C9 -1 8.6 -3 7 -5L4.4 -3.4L2.4 -5.8L-0.6 -3.6L-3 -6.4L-5.4 -3.8C-7.6 -3.6 -8.8 -1 -9.9 2Z",
            colour,
          ),
        ) + sheen
      );
    case "curly":
      return (
        pen.fill(
          puffs(
            [
              [-8.6, -5.6],
              [-6, -9],
              [-2, -9.8],
              [2.2, -9.9],
              [6.2, -8.8],
              [8.7, -5.4],
              [-4.4, -7.2],
              [0.4, -7.8],
              [4.8, -7],
            ],
            3.1,
          ),
          colour,
        ) + sheen
      );
    case "long":
      return (
        flip(pen.fill(fringe, colour)) +
        pen.fill(
          "M-9.8 -2C-12.8 8 -12.4 18 -10.6 25Q-7.4 25 -6.8 22C-8.6 14 -9 6 -8.6 0ZM9.8 -2C12.8 8 12.4 18 10.6 25Q7.4 25 6.8 22C8.6 14 9 6 8.6 0Z",
          colour,
        ) +
        pen.line("M-10.4 4Q-11 14 -9.4 22M10.4 4Q11 14 9.4 22", shade(colour, -0.1), 0.5, 0.6) +
        sheen
      );
    case "longcurly":
      return (
        pen.fill(middle, colour) +
        pen.fill(
          "M-9.4 -4C-13.4 0 -10.6 4 -12.6 8C-15 12 -11 14 -12 18C-12 21 -9 21.6 -7.6 19.6C-9.6 16 -6.6 13 -8.4 9C-9.4 5 -7.8 2 -8.6 -1ZM9.4 -4C13.4 0 10.6 4 12.6 8C15 12 11 14 12 18C12 21 9 21.6 7.6 19.6C9.6 16 6.6 13 8.4 9C9.4 5 7.8 2 8.6 -1Z",
          colour,
        ) +
        sheen
      );
    case "bob":
      return (
        pen.fill(bangs, colour) +
        pen.fill(
          "M-9.6 -2C-12 4 -11.6 8 -10.8 11Q-8 12 -7.2 10C-8.6 6 -9 2 -8.4 -2ZM9.6 -2C12 4 11.6 8 10.8 11Q8 12 7.2 10C8.6 6 9 2 8.4 -2Z",
          colour,
        ) +
        sheen
      );
    case "braids":
      return pen.fill(middle, colour) + braid(pen, look, -1) + braid(pen, look, 1) + sheen;
    case "ponytail":
    case "bun":
    default:
      return flip(pen.fill(fringe, colour)) + sheen;
  }
}

function braid(pen: Pen, look: PersonLook, side: -1 | 1): string {
  const colour = look.hair.colour;
  const knots = [0, 1, 2, 3, 4].map((index) =>
    oval(side * (9.9 + index * 0.28), 5 + index * 4.1, 2.7 - index * 0.14, 2.7),
  );
  const creases = [0, 1, 2, 3].map(
    (index) =>
      `M${side * (8 + index * 0.3)} ${6.6 + index * 4.1}L${side * (11.6 + index * 0.3)} ${8.4 + index * 4.1}`,
  );
  return (
    pen.fill(knots.join(""), colour) +
    pen.line(creases.join(""), shade(colour, -0.12), 0.5, 0.8) +
    pen.fill(oval(side * 11.2, 24.4, 1.6, 1.3), "#d9584f") +
    pen.fill(
      `M${side * 10} 25Q${side * 8.8} 29 ${side * 11} 31Q${side * 13.4} 29 ${side * 12.4} 25Z`,
      colour,
    )
  );
}
