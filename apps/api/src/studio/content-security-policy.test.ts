import { expect, it } from "vitest";
import { contentSecurityPolicy } from "./content-security-policy.ts";

const imageSources = (imageOrigin: string | null, host: string) =>
  /img-src ([^;]+)/.exec(contentSecurityPolicy(imageOrigin, host))?.[1];

it("allows images of this server only, when it serves them", () => {
  expect(imageSources("http://localhost:3000", "localhost:3000")).toBe("'self' blob:");
  expect(imageSources("https://atelier.example", "atelier.example")).toBe("'self' blob:");
});

it("also allows images of another origin that serves them", () => {
  expect(imageSources("https://images.example", "atelier.example")).toBe(
    "'self' blob: https://images.example",
  );
  expect(imageSources("http://localhost:3000", "127.0.0.1:3000")).toBe(
    "'self' blob: http://localhost:3000",
  );
});

it("allows no other images to pages that show none of the storage", () => {
  expect(imageSources(null, "localhost:3001")).toBe("'self' blob:");
});
