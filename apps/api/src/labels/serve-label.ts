import { readFileSync } from "node:fs";
import { labelTexts } from "@atelier/schemas";
import type { Request, Response } from "express";

const component = readFileSync(new URL("label.js", import.meta.url), "utf8");

/** Dark text on a light ground: the label is legible on any page (contrast 15 : 1). */
const style = `
  :host { display: inline-block }
  span { font: 0.875rem/1.4 system-ui, sans-serif; color: #1b1b1b; background: #fff; padding: 0.2em 0.5em; border-radius: 0.25em }
  a { color: inherit }
  img { height: 1.4em; vertical-align: middle }
`;

/** Pages embed the script by its URL, so a change reaches them after this time, in seconds. */
const maxAgeSeconds = 3_600;

/** `GET /label.js`: the web component that labels generated images on pages of deployers. */
export function serveLabel(verifyUrl: string) {
  const settings = JSON.stringify({ verifyUrl, texts: labelTexts, style });
  const script = `(() => {\nconst settings = ${settings};\n${component}})();\n`;
  return (_request: Request, response: Response): void => {
    response
      .set("Cache-Control", `public, max-age=${maxAgeSeconds}`)
      .type("text/javascript")
      .send(script);
  };
}
