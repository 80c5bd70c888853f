import { describe, expect, it } from "vitest";
import { renderPage } from "./render-page.ts";

const links = {
  url: "https://images.example/s/link",
  verifyUrl: "https://images.example/studio/verify",
  abuseContact: "abuse@images.example",
};
const file = { storageKey: "a.png", width: 64, height: 64 };
const image = { full: { ...file, format: "png" }, thumbnail: null } as const;

function render(language: "en" | "de", images: number): string {
  const endsAt = new Date("2026-12-07T10:00:00Z");
  return renderPage(
    language,
    { endsAt, images: Array.from({ length: images }, () => image) },
    links,
  );
}

describe("the shared page", () => {
  it("has the day of its end before the month", () => {
    expect(render("en", 1)).toContain("This link ends on 7 December 2026 at 10:00 UTC.");
    expect(render("de", 1)).toContain("Dieser Link endet am 7. Dezember 2026 um 10:00 UTC.");
  });

  it("labels one image or several", () => {
    expect(render("en", 1)).toContain("This image has been artificially");
    expect(render("en", 2)).toContain("These images have been artificially");
    expect(render("de", 2)).toContain("Diese Bilder wurden künstlich");
  });
});
