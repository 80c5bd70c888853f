import { expect, test } from "vitest";
import { createDevelopmentCertificates } from "./development-certificates.ts";
import { detectFileFormat } from "./file-format.ts";
import { readManifest } from "./read-manifest.ts";
import { createMarker, type MarkRequest } from "./marker.ts";
import { claimGenerator, procedural, request as requestOf, sources } from "./testing/marker.ts";

const { rootPem: trustAnchorsPem, ...certificates } = await createDevelopmentCertificates();
const marker = await createMarker({ ...certificates, trustAnchorsPem, claimGenerator });

const svg =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 10 10"><script>alert(1)</script><path d="M0 0L10 10" stroke="#123456"/></svg>';
const request = requestOf(sources.png, { svg, model: procedural });

/** The SVG among the files of an image. */
async function sign(asked: MarkRequest) {
  const file = (await marker.mark(asked)).find(({ format }) => format === "svg");
  if (file === undefined) throw new Error("There is no SVG.");
  return file;
}

test("a signed SVG is sanitised and trusted, and still an SVG", async () => {
  const { bytes, mediaType, sha256 } = await sign(request);
  const text = Buffer.from(bytes).toString();
  expect(text).not.toContain("script");
  expect(text).toContain('<path d="M0 0L10 10" stroke="#123456">');
  expect([mediaType, sha256.length]).toEqual(["image/svg+xml", 64]);
  expect(await readManifest(bytes, { trustAnchorsPem })).toMatchObject({
    state: "trusted",
    problems: [],
  });
});

test("a changed element makes the signature invalid", async () => {
  const { bytes } = await sign(request);
  const changed = Buffer.from(Buffer.from(bytes).toString().replace("#123456", "#654321"));
  expect((await readManifest(changed, { trustAnchorsPem })).state).toBe("invalid");
});

test("references become ingredients", async () => {
  const ingredients = [{ bytes: sources.png, title: "reference 1" }];
  const { bytes } = await sign({ ...request, ingredients });
  const { report, state } = await readManifest(bytes, { trustAnchorsPem });
  expect(state).toBe("trusted");
  expect(JSON.stringify(report)).toContain("reference 1");
});

test("a file that is not an SVG is rejected before it is signed", async () => {
  await expect(sign({ ...request, svg: "<html/>" })).rejects.toThrow("not svg");
});

test.each([
  ["<svg/>", "svg"],
  ['\uFEFF<?xml version="1.0"?>\n<!-- a -->\n<!DOCTYPE svg>\n<svg x="1">', "svg"],
  ["<svgx>", null],
  ["<html><svg/></html>", null],
  ["<!-- <svg>", null],
])("detects the format of %j as %s", (text, format) => {
  const detect = () => detectFileFormat(Buffer.from(text));
  if (format === null) expect(detect).toThrow("not a PNG");
  else expect(detect()).toBe(format);
});

test("an SVG without a manifest has none", async () => {
  const reading = await readManifest(Buffer.from(svg), { trustAnchorsPem });
  expect(reading.state).toBe("absent");
});
