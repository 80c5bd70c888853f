import { expect, it } from "vitest";
import { browserOf } from "./browser-of.ts";

const webkit = "AppleWebKit/537.36 (KHTML, like Gecko)";

it.each([
  [
    `Mozilla/5.0 (X11; Linux x86_64) ${webkit} HeadlessChrome/141.0.0.0 Safari/537.36`,
    "Chrome",
    "Linux",
  ],
  [
    `Mozilla/5.0 (Windows NT 10.0; Win64; x64) ${webkit} Chrome/141.0.0.0 Safari/537.36 Edg/141.0.0.0`,
    "Edge",
    "Windows",
  ],
  [
    `Mozilla/5.0 (Linux; Android 10; K) ${webkit} SamsungBrowser/28.0 Chrome/130.0.0.0 Mobile Safari/537.36`,
    "Samsung Internet",
    "Android",
  ],
  [
    "Mozilla/5.0 (X11; Ubuntu; Linux x86_64; rv:143.0) Gecko/20100101 Firefox/143.0",
    "Firefox",
    "Linux",
  ],
  [
    "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.6 Safari/605.1.15",
    "Safari",
    "macOS",
  ],
  [
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) CriOS/141.0.0.0 Mobile/15E148 Safari/604.1",
    "Chrome",
    "iOS",
  ],
])("reads browser and system of %s", (userAgent, browser, system) => {
  expect(browserOf(userAgent)).toEqual({ browser, system });
});

it.each(["curl/8.5.0", "Mozilla/5.0 Firefox/143.0", ""])("returns null for %j", (userAgent) => {
  expect(browserOf(userAgent)).toBeNull();
});
