/** Parts of user agents and the browsers that send them. Most name Chrome or Safari as well, which are last. */
const browsers = [
  ["Edg", "Edge"],
  ["OPR/", "Opera"],
  ["SamsungBrowser/", "Samsung Internet"],
  ["Firefox/", "Firefox"],
  ["FxiOS/", "Firefox"],
  ["Chrome/", "Chrome"],
  ["CriOS/", "Chrome"],
  ["Safari/", "Safari"],
] as const;

/** Parts of user agents and their systems. Android names Linux as well, and iOS names macOS. */
const systems = [
  ["iPhone", "iOS"],
  ["iPad", "iOS"],
  ["Android", "Android"],
  ["CrOS", "ChromeOS"],
  ["Windows", "Windows"],
  ["Mac OS X", "macOS"],
  ["Linux", "Linux"],
] as const;

/** The browser and the system that a user agent names; null when it names none that is known. */
export function browserOf(userAgent: string): { browser: string; system: string } | null {
  const [, browser] = browsers.find(([part]) => userAgent.includes(part)) ?? [];
  const [, system] = systems.find(([part]) => userAgent.includes(part)) ?? [];
  return browser === undefined || system === undefined ? null : { browser, system };
}
