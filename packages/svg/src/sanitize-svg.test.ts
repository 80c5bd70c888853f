import sharp from "sharp";
import { describe, expect, it } from "vitest";
import { rasterizeSvg } from "./rasterize-svg.ts";
import { sanitizeSvg, SvgError } from "./sanitize-svg.ts";

const root = 'xmlns="http://www.w3.org/2000/svg" xmlns:xlink="http://www.w3.org/1999/xlink"';
const wrap = (content: string, attributes = "") =>
  `<svg ${root} viewBox="0 0 10 10" ${attributes}>${content}</svg>`;
/** The content of a sanitised file without the root. */
const inside = (content: string) =>
  sanitizeSvg(wrap(content))
    .replace(/^<svg[^>]*>/, "")
    .replace(/<\/svg>$/, "");

const path = '<path d="M0 0L10 10Z" fill="#ff0000"></path>';

describe("an SVG from others", () => {
  it("keeps shapes, gradients, clips, text and their presentation", () => {
    const content = [
      '<defs><linearGradient id="g" x1="0" y2="100%" gradientUnits="userSpaceOnUse"><stop offset="50%" stop-color="rgb(1,2,3)" stop-opacity=".5"></stop></linearGradient><clipPath id="c"><rect width="5" height="5"></rect></clipPath></defs>',
      '<g transform="translate(1 2) rotate(45)" opacity="0.5" clip-path="url(#c)"><circle cx="5" cy="5" r="2" fill="url(#g)" stroke="currentColor" stroke-width="2"></circle></g>',
      '<text x="1" y="2" font-family="Inter, sans-serif" font-size="12px" text-anchor="middle">A &amp; B &lt;C&gt;<tspan dy="1em">more</tspan></text>',
    ].join("");
    expect(inside(content)).toBe(content);
  });

  it("splits a style attribute into the declarations that are allowed", () => {
    expect(
      inside('<path d="M0 0" style="fill: #123456; behavior: url(x.htc); stroke-width:2"/>'),
    ).toBe('<path d="M0 0" fill="#123456" stroke-width="2"></path>');
  });

  it.each<[string, string]>([
    ["a script", "<script>alert(1)</script>"],
    ["a script in CDATA", "<script><![CDATA[alert(1)]]></script>"],
    ["a script of another prefix", '<x:script xmlns:x="http://www.w3.org/2000/svg">1</x:script>'],
    ["a script of XHTML", '<script xmlns="http://www.w3.org/1999/xhtml">alert(1)</script>'],
    ["a script without a namespace", '<script xmlns="">alert(1)</script>'],
    ["a style sheet", "<style>@import url(https://evil.example/x.css);</style>"],
    [
      "a foreign object",
      '<foreignObject><body xmlns="http://www.w3.org/1999/xhtml"/></foreignObject>',
    ],
    ["a frame", '<iframe xmlns="http://www.w3.org/1999/xhtml" src="https://evil.example"/>'],
    ["a remote image", '<image href="https://evil.example/x.png" width="1" height="1"/>'],
    ["an embedded SVG image", '<image xlink:href="data:image/svg+xml;base64,PHN2Zy8+"/>'],
    ["a remote use", '<use href="https://evil.example/x.svg#a"/>'],
    ["a local use", '<use href="#a"/>'],
    ["an animation of a link", '<animate attributeName="href" values="javascript:alert(1)"/>'],
    ["an animation by set", '<set attributeName="onload" to="alert(1)"/>'],
    ["a filter with an image", '<filter id="f"><feImage href="https://evil.example"/></filter>'],
    ["a pattern", '<pattern id="p"><rect width="1" height="1"/></pattern>'],
    ["a mask", '<mask id="m"><rect width="1" height="1"/></mask>'],
    ["a nested svg", '<svg onload="alert(1)"><script/></svg>'],
    ["metadata", '<metadata><rdf:RDF xmlns:rdf="urn:x">x</rdf:RDF></metadata>'],
    ["a comment", "<!-- <script>alert(1)</script> -->"],
    ["a processing instruction", '<?xml-stylesheet href="https://evil.example/x.xsl"?>'],
    ["text outside of text elements", "evil"],
    ["a handler element", '<handler type="application/ecmascript">x</handler>'],
    ["children of unknown elements", "<unknown><path d='M0 0'/></unknown>"],
  ])("loses %s", (_, content) => {
    expect(inside(content + path)).toBe(path);
  });

  it.each<[string, string, string?]>([
    ["an event handler", 'onclick="alert(1)"'],
    ["an event handler in capitals", 'ONLOAD="alert(1)"'],
    ["a handler of another namespace", 'x:onload="1" xmlns:x="urn:x"'],
    ["a link", 'href="javascript:alert(1)"'],
    ["an xlink", 'xlink:href="https://evil.example"'],
    ["a remote paint", 'stroke="url(https://evil.example/#a)"'],
    ["a data paint", 'stroke="url(data:image/svg+xml,x)"'],
    ["a CSS escape", 'stroke="\\75rl(x)"'],
    ["a remote clip", 'clip-path="url(//evil.example/#c)"'],
    ["a remote paint in a style", 'style="stroke:url(https://evil.example/#a)"'],
    ["an import in a style", "style=\"@import 'https://evil.example'\""],
    ["an expression", 'style="stroke-width:expression(alert(1))"'],
    ["a filter", 'filter="url(#f)"'],
    ["a mask", 'mask="url(#m)"'],
    ["a cursor", 'cursor="url(https://evil.example/c.cur),auto"'],
    ["a marker", 'marker-end="url(#m)"'],
    ["a base", 'xml:base="https://evil.example/"'],
    ["a class", 'class="evil"'],
    ["data", 'data-x="1"'],
    ["an id with quotes", "id='a\"b'"],
  ])("loses the attribute: %s", (_, attribute) => {
    expect(inside(`<path d="M0 0L10 10Z" fill="#ff0000" ${attribute}/>`)).toBe(path);
  });

  it("keeps what a link contains, without the link", () => {
    expect(inside(`<a href="javascript:alert(1)"><g>${path}</g></a>`)).toBe(`<g>${path}</g>`);
  });

  it("keeps removing after nested elements that are not allowed", () => {
    expect(inside(`<script><g><a><script/>x</a></g>${path}</script>${path}`)).toBe(path);
  });

  it("removes clips inside of clips, whose cost can grow exponentially", () => {
    const clip = (id: number) =>
      `<clipPath id="c${id}" clip-path="url(#c${id + 1})"><rect clip-path="url(#c${id + 1})"/></clipPath>`;
    expect(inside(clip(1))).toBe('<clipPath id="c1"><rect></rect></clipPath>');
  });

  it.each<[string, string]>([
    ["text that is not XML", "hello"],
    ["an empty file", ""],
    ["HTML", "<html><svg/></html>"],
    ["an svg without its namespace", '<svg viewBox="0 0 1 1"/>'],
    ["an unclosed element", `<svg ${root} viewBox="0 0 1 1"><g>`],
    ["an unknown entity", wrap("<text>&evil;</text>")],
    ["a size of zero", `<svg ${root} viewBox="0 0 0 0"/>`],
    ["no size", `<svg ${root}/>`],
    ["a second root", `${wrap("")}<script/>`],
    [
      "entities that expand",
      `<!DOCTYPE svg [<!ENTITY a "aaaaaaaaaa"><!ENTITY b "&a;&a;&a;">]>${wrap("<text>&b;</text>")}`,
    ],
    [
      "an external entity",
      `<!DOCTYPE svg [<!ENTITY x SYSTEM "file:///etc/passwd">]>${wrap("<text>&x;</text>")}`,
    ],
    ["too many elements", wrap("<g/>".repeat(50_001))],
    ["too deep a nesting", wrap("<g>".repeat(65) + "</g>".repeat(65))],
    ["too long a file", wrap(`<title>${"x".repeat(5_000_000)}</title>`)],
  ])("is rejected: %s", (_, text) => {
    expect(() => sanitizeSvg(text)).toThrow(SvgError);
  });

  it("is sanitised in linear time", () => {
    const hostile = [
      `<path d="${"1 ".repeat(200_000)}!"/>`,
      `<g transform="${" ".repeat(200_000)}!"/>`,
      `<rect width="${"1e".repeat(200_000)}!"/>`,
      `<rect style="${"a:b;".repeat(100_000)}"/>`,
      `<rect fill="url(${" ".repeat(200_000)}!"/>`,
    ];
    const before = process.threadCpuUsage();
    for (const content of hostile) sanitizeSvg(wrap(content));
    const { user, system } = process.threadCpuUsage(before);
    expect((user + system) / 1_000).toBeLessThan(2_000);
  });

  it("gives the same result when it is sanitised again", () => {
    const once = sanitizeSvg(wrap(`<a><text style="fill:red">&#60;script&#62;</text></a>${path}`));
    expect(once).toContain("&lt;script&gt;");
    expect(sanitizeSvg(once)).toBe(once);
  });
});

describe("drawing an SVG", () => {
  it("gives a PNG with alpha of exactly the size that was asked for", async () => {
    const png = await rasterizeSvg(wrap(path, 'width="100000" height="100000"'), {
      width: 64,
      height: 32,
    });
    const { data, info } = await sharp(png).raw().toBuffer({ resolveWithObject: true });
    expect(info).toMatchObject({ width: 64, height: 32, channels: 4 });
    expect(data[3]).toBe(0);
  });
});
