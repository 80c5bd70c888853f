import { shade } from "../../colour.ts";
import { box, oval, star } from "../../geometry.ts";
import type { Garment, HatKind, PersonLook } from "../../look.ts";
import type { Pen } from "../../pen.ts";

/** The part of a hat behind the head, centred on (0, 0). */
export function hatBehind(pen: Pen, look: PersonLook): string {
  if (look.hat === null) return "";
  const { kind, colour } = look.hat;
  if (kind === "hood")
    return pen.fill(
      "M0 -16C-12 -16 -14 -4 -13 6C-12.4 12 -8 15 0 15C8 15 12.4 12 13 6C14 -4 12 -16 0 -16Z",
      shade(colour, -0.14),
    );
  if (kind === "spacehelmet") return pen.fill(oval(0, -0.5, 14.6, 14.2), shade(colour, -0.08));
  if (kind === "headscarf")
    return pen.fill("M6 -6C14 -4 18 4 15 10C12 6 9 2 6 -2Z", shade(colour, -0.1));
  return "";
}

/** The hat over hair and forehead, centred on (0, 0). */
export function hatInFront(pen: Pen, look: PersonLook): string {
  return look.hat === null ? "" : drawHat(pen, look.hat);
}

/** A hat alone, its rim at (0, 0): for animals. */
export function drawHatFor(pen: Pen, hat: Garment<HatKind>): string {
  return pen.place(drawHat(pen, hat), 0, 7);
}

function drawHat(pen: Pen, { kind, colour }: Garment<HatKind>): string {
  const dark = shade(colour, -0.12);
  const light = shade(colour, 0.08);
  switch (kind) {
    case "hat":
      return (
        pen.fill("M-8 -7C-8 -17 -5.4 -19 0 -18.4C5.4 -19 8 -17 8 -7Z", colour) +
        pen.fill(
          "M-8 -7.6C-8 -9.4 -8 -10 -7.8 -11Q0 -8.6 7.8 -11C8 -10 8 -9.4 8 -7.6Q0 -5.4 -8 -7.6Z",
          shade(colour, -0.24),
        ) +
        pen.fill("M-16.6 -6.4C-12 -9.4 12 -9.4 16.6 -6.4C14 -3.4 -14 -3.4 -16.6 -6.4Z", colour) +
        pen.fill("M-16.6 -6.4C-12 -3.6 12 -3.6 16.6 -6.4C14 -3.4 -14 -3.4 -16.6 -6.4Z", dark)
      );
    case "tophat":
      return (
        pen.fill(box(-7.6, -24, 15.2, 17.4, 1), colour) +
        pen.fill(box(-7.6, -10.6, 15.2, 3), "#a33b36") +
        pen.fill(oval(0, -6.8, 12.6, 2.4), dark)
      );
    case "cap":
      return (
        pen.fill(
          "M-10.2 -4.6C-11 -14 -5.4 -16.4 0 -16.4C5.4 -16.4 11 -14 10.2 -4.6Q0 -8 -10.2 -4.6Z",
          colour,
        ) +
        pen.fill("M-10 -5.4Q0 -9.6 10 -5.4L11.6 -3Q0 -6.6 -11.6 -3Z", dark) +
        pen.fill(oval(0, -16.2, 1.2, 0.8), dark)
      );
    case "beanie":
      return (
        pen.fill("M-9.9 -5C-10.8 -14.6 -5 -17.4 0 -17.4C5 -17.4 10.8 -14.6 9.9 -5Z", colour) +
        pen.line("M-5 -15.8Q-6.4 -11 -6 -7.6M0 -17V-7.6M5 -15.8Q6.4 -11 6 -7.6", dark, 0.6, 0.6) +
        pen.fill(box(-10.6, -8, 21.2, 4.6, 2.2), light) +
        pen.fill(oval(0, -19, 3), light)
      );
    case "beret":
      return (
        pen.fill(
          "M-10.6 -5.4C-15 -8 -13 -15.6 -3 -16.4C6 -17 12.6 -13.4 10.6 -6Q0 -9 -10.6 -5.4Z",
          colour,
        ) + pen.line("M-2 -16.4L-1.4 -18.4", dark, 1)
      );
    case "pointyhat":
      return (
        pen.fill("M-8.6 -6.4C-6 -16 -3 -26 5.6 -33C5 -26 7 -15 8.6 -6.4Z", colour) +
        pen.fill("M2 -26Q5.4 -30 5.6 -33C5 -26 7 -15 8.6 -6.4H3.6Z", dark, 0.5) +
        pen.fill("M-8.4 -7.4L-7.4 -11Q0 -9 7.6 -11L8.5 -7Q0 -5 -8.4 -7.4Z", "#d9a741") +
        pen.fill("M-17 -6.2C-12 -9 12 -9 17 -6.2C12 -3 -12 -3 -17 -6.2Z", colour) +
        pen.light(star(-0.6, -15, 1.7, 0.7, 5), "#f3d98a", 0.9)
      );
    case "crown":
      return (
        pen.fill("M-8.4 -8L-9.6 -17L-5 -13L0 -18.6L5 -13L9.6 -17L8.4 -8Q0 -5.6 -8.4 -8Z", colour) +
        pen.fill("M-8.4 -8L-8.8 -10.6Q0 -8.2 8.8 -10.6L8.4 -8Q0 -5.6 -8.4 -8Z", dark) +
        pen.fill(oval(0, -11.2, 1.4), "#c53f4a") +
        pen.fill(oval(-5.4, -11.6, 1) + oval(5.4, -11.6, 1), "#3f74b5")
      );
    case "hood":
      return pen.fill(
        "M0 -16.4C-13 -16.4 -14.4 -2 -12.6 8L-9.4 10C-11 0 -9 -9.4 0 -9.8C9 -9.4 11 0 9.4 10L12.6 8C14.4 -2 13 -16.4 0 -16.4Z",
        colour,
      );
    case "helmet":
      return (
        pen.fill("M-2 -15C-1 -22 8 -22 11 -15C7 -17 3 -15 1 -13Z", "#b23a3a") +
        pen.fill(
          "M-10.6 0C-11.4 -12 -6 -15.6 0 -15.6C6 -15.6 11.4 -12 10.6 0L8.8 1C8.6 -3 8 -4.6 7 -5.4Q0 -7.4 -7 -5.4C-8 -4.6 -8.6 -3 -8.8 1Z",
          colour,
        ) +
        pen.fill("M-1.1 -15.6H1.1L0.9 1.6Q0 2.6 -0.9 1.6Z", dark) +
        pen.line("M-6.6 -12.4Q-8.4 -9 -8.6 -5", light, 1, 0.7)
      );
    case "headscarf":
      return (
        pen.fill(
          "M-10.2 -3C-11 -13.4 -5.4 -15.4 0 -15.4C5.4 -15.4 11 -13.4 10.2 -3Q0 -9 -10.2 -3Z",
          colour,
        ) +
        pen.fill(
          oval(-5, -10, 0.8) + oval(0, -12, 0.8) + oval(5, -10, 0.8) + oval(-2.6, -13, 0.6),
          "#ffffff",
          0.7,
        )
      );
    case "wreath":
      return (
        pen.line("M-9.6 -5Q0 -12 9.6 -5", "#5a8a4a", 2) +
        pen.fill(oval(-8, -6.4, 2) + oval(-0.4, -9, 2.2) + oval(7.6, -6.6, 2), colour) +
        pen.fill(oval(-4.4, -8.2, 1.6) + oval(3.8, -8.4, 1.6), "#f2e3b8")
      );
    case "bow":
      return (
        pen.fill(
          "M3 -12.6C1 -17 -3.4 -16 -3.4 -12.6C-3.4 -9.4 1 -8.6 3 -12ZM4.6 -12.6C6.6 -17 11 -16 11 -12.6C11 -9.4 6.6 -8.6 4.6 -12Z",
          colour,
        ) + pen.fill(oval(3.8, -12.4, 1.6), dark)
      );
    case "chefhat":
      return (
        pen.fill(
          `M-8 -6V-13C-14 -14 -12 -22 -6 -20.6C-4 -25 4 -25 6 -20.6C12 -22 14 -14 8 -13V-6Q0 -8.4 -8 -6Z`,
          colour,
        ) + pen.line("M-8 -12.6Q0 -15 8 -12.6", dark, 0.6)
      );
    case "spacehelmet":
    default:
      return (
        pen.light(oval(0, -0.5, 12.6, 12.2), "#bfe3ef", 0.16) +
        pen.line(oval(0, -0.5, 13.6, 13.2), colour, 2.6) +
        pen.light("M-8.6 -6C-6.6 -10 -2.6 -11.6 0 -11.4C-4 -10 -7 -6.6 -8 -2.6Z", "#ffffff", 0.6)
      );
  }
}
