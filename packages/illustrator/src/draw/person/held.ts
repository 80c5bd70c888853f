import { shade } from "../../colour.ts";
import { box, oval, star } from "../../geometry.ts";
import type { Garment, HeldKind } from "../../look.ts";
import type { Pen } from "../../pen.ts";

/** A thing in the hand, with the hand at (0, 0); an adult is 100 units high. */
export function drawHeld(pen: Pen, { kind, colour }: Garment<HeldKind>): string {
  const dark = shade(colour, -0.14);
  switch (kind) {
    case "sword":
      return (
        pen.fill("M-1.3 -4L-1.1 -34L0 -38L1.1 -34L1.3 -4Z", colour) +
        pen.line("M0 -6V-33", dark, 0.4) +
        pen.fill(box(-5, -4.6, 10, 1.8, 0.9), "#c9a24b") +
        pen.fill(box(-0.9, -3, 1.8, 6, 0.8), "#5b3d2b") +
        pen.fill(oval(0, 3.4, 1.4), "#c9a24b")
      );
    case "staff":
      return (
        pen.line("M0 44V-44", colour, 2) +
        pen.line("M0 -44C-4 -50 4 -55 5 -49C5 -46 1.6 -46 1.6 -48.6", colour, 1.8) +
        pen.light(oval(2.6, -49.4, 2), "#bfe8f2", 0.85)
      );
    case "wand":
      return pen.line("M0 2L4 -15", colour, 1.2) + pen.light(star(4.4, -18, 4, 1.7, 5), "#f6df8f");
    case "shield":
      return (
        pen.fill("M-8 -11Q0 -14 8 -11V0C8 6 4 10 0 12C-4 10 -8 6 -8 0Z", colour) +
        pen.fill("M-1.4 -12.4H1.4V11L0 12L-1.4 11ZM-8 -3H8V-0.4H-8Z", "#e0c27a")
      );
    case "broom":
      return (
        pen.line("M0 30V-40", colour, 1.7) +
        pen.fill("M-2 28H2L6 45Q0 47 -6 45Z", "#d8b25f") +
        pen.line("M-2.6 30H2.6M-2 34L-3 44M1 34L2 44", dark, 0.6)
      );
    case "fishingrod":
      return (
        pen.line("M-2 6L13 -46", colour, 1.1) + pen.line("M13 -46Q17 -20 16 -2", "#e8e4da", 0.35)
      );
    case "book":
      return (
        pen.fill(box(-7, -8, 13, 11, 1), colour) +
        pen.fill(box(-6, -7.4, 11, 1.8), "#f4ead2") +
        pen.line("M-5 -2H3", shade(colour, 0.2), 0.7)
      );
    case "lantern":
      return (
        pen.light(oval(0, 8, 22), pen.glow("#ffd98a", 0.75)) +
        pen.line("M-3 3Q0 -3 3 3", "#3d3a3a", 0.8) +
        pen.fill(box(-3.6, 3, 7.2, 10, 1.4), "#3d3a3a") +
        pen.light(box(-2.4, 4.6, 4.8, 6.8, 0.8), "#ffe6a8")
      );
    case "basket":
      return (
        pen.line("M-7 6Q0 -10 7 6", dark, 1.3) +
        pen.fill(oval(-3, 5, 2.4) + oval(1, 4.4, 2.6) + oval(4, 5.4, 2), "#c8443c") +
        pen.fill("M-8 5.6H8L6.4 13Q0 14.6 -6.4 13Z", colour) +
        pen.line("M-7.4 8.6H7.4M-4 6V13M0 6V14M4 6V13", dark, 0.5)
      );
    case "umbrella":
      return (
        pen.line("M0 3V-44", "#4b3a33", 1) +
        pen.fill(
          "M-24 -36C-22 -54 -10 -60 0 -60C10 -60 22 -54 24 -36Q20 -41 16 -37.4Q12 -42 8 -38Q4 -42.6 0 -38.4Q-4 -42.6 -8 -38Q-12 -42 -16 -37.4Q-20 -41 -24 -36Z",
          colour,
        ) +
        pen.line("M-8 -38Q-6 -54 0 -60M8 -38Q6 -54 0 -60", dark, 0.5, 0.7) +
        pen.line("M0 -60V-62.4", "#4b3a33", 1)
      );
    case "flower":
      return (
        pen.line("M0 4Q1 -5 0.6 -11", "#5a8a4a", 0.9) +
        pen.fill(
          oval(0.6, -15.4, 2.2) +
            oval(3.6, -13, 2.2) +
            oval(2.6, -9.6, 2.2) +
            oval(-1.6, -9.6, 2.2) +
            oval(-2.6, -13, 2.2),
          colour,
        ) +
        pen.fill(oval(0.5, -12.2, 1.7), "#f1c84c")
      );
    case "cup":
      return (
        pen.fill("M-3.4 -6H3.4L2.8 1H-2.8Z", colour) +
        pen.line("M3.4 -4.6Q6.4 -3 3 -0.6", colour, 1) +
        pen.line("M-1 -8Q-2 -10 -0.6 -12M1.4 -8Q0.6 -10 2 -12", "#ffffff", 0.6, 0.6)
      );
    case "partyballoon":
      return (
        pen.line("M0 0Q6 -24 10 -46", "#e8e4da", 0.5) +
        pen.fill(
          "M10 -68C19 -68 22 -58 17 -51Q13 -47 10 -46Q7 -47 3 -51C-2 -58 1 -68 10 -68Z",
          colour,
        ) +
        pen.light("M5 -62Q5 -65 8 -66Q6 -63 6 -60Z", "#ffffff", 0.6)
      );
    case "icecream":
      return (
        pen.fill("M-3 -8H3L0 3Z", "#d9a45a") +
        pen.fill(oval(0, -10, 4, 3.8), colour) +
        pen.fill(oval(0, -14, 3.2, 3), shade(colour, 0.08))
      );
    case "apple":
      return (
        pen.fill(oval(0, -2.6, 3.8, 3.6), colour) +
        pen.line("M0 -6Q0.2 -7.6 1.4 -8.4", "#6b4630", 0.7) +
        pen.light(oval(-1.4, -4, 0.9, 0.7), "#ffffff", 0.45)
      );
    case "phone":
      return (
        pen.fill(box(-2.4, -8, 4.8, 9, 0.8), colour) +
        pen.light(box(-1.9, -7.2, 3.8, 7, 0.3), "#8fc0d9", 0.9)
      );
    case "guitar":
    default:
      return pen.place(
        pen.fill(box(-1.4, -36, 2.8, 26, 0.6), "#5b3d2b") +
          pen.fill(
            "M0 -12C6 -12 6 -6 4.6 -3.6C9 0 8 10 0 10C-8 10 -9 0 -4.6 -3.6C-6 -6 -6 -12 0 -12Z",
            colour,
          ) +
          pen.fill(oval(0, 0.4, 2.4), "#3a2a22"),
        -8,
        -6,
        1,
        1,
        -38,
      );
  }
}
