import { expect, it } from "vitest";
import { formatRetention } from "./format-retention.ts";

it.each([
  [1, "1 hour"],
  [24, "24 hours"],
  [36, "36 hours"],
  [48, "2 days"],
  [100, "100 hours"],
  [720, "30 days"],
])("writes %i hours as %j", (hours, text) => expect(formatRetention(hours, "en")).toBe(text));
