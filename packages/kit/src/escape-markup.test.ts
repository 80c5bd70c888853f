import { expect, it } from "vitest";
import { escapeMarkup } from "./escape-markup.ts";

it("escapes what begins or ends a tag, an entity or a quoted attribute", () => {
  expect(escapeMarkup(`<a href="?a=1&b=2">it's</a>`)).toBe(
    "&lt;a href=&quot;?a=1&amp;b=2&quot;&gt;it's&lt;/a&gt;",
  );
});
