import { expect, it } from "vitest";
import { catalogueEntry } from "./catalogue-entry.ts";
import { comparePrices, readPriceList } from "./compare-prices.ts";

const entry = (id: string, prices: Record<string, string>, asOf: string | null) =>
  catalogueEntry.parse({
    id,
    name: id,
    description: id,
    provider: "vendor",
    provider_model: `models/${id}`,
    supports_multiturn: false,
    max_reference_images: 0,
    aspect_ratios: ["1:1"],
    default_aspect_ratio: "1:1",
    default_image_size: Object.keys(prices)[0],
    prices_eur: prices,
    prices_as_of: asOf,
    retires_at: null,
    successor: null,
  });

const entries = [
  entry("cheap", { "1K": "0.05", "2K": "0.10" }, "2026-11-24"),
  entry("old", { "1K": "0.05" }, "2026-01-01"),
  entry("unlisted", { "1K": "0.05" }, "2026-11-24"),
  entry("own", { "1K": "0.05" }, null),
];

const list = (currency: string) =>
  readPriceList(
    JSON.stringify({
      currency,
      as_of: "2026-11-20",
      source: "the vendor's price page",
      models: {
        cheap: { "1K": "0.04", "2K": "0.12" },
        "vendor:models/old": { "1K": "0.05", "4K": "0.40" },
        new: { "1K": "0.01" },
      },
    }),
    "prices.json",
  );

it("compares each price of a list with the catalogue's at a rate", () => {
  const { older, prices, unlisted } = comparePrices(entries, list("USD"), 900_000n);
  expect(
    prices.map((row) => [
      row.model,
      row.image_size,
      row.vendor_eur,
      row.margin_percent,
      row.status,
    ]),
  ).toEqual([
    ["cheap", "1K", "0.036", 28, "covered"],
    ["cheap", "2K", "0.108", -8, "loss"],
    ["old", "1K", "0.045", 10, "covered"],
    ["old", "4K", "0.36", null, "not in catalogue"],
    ["new", "1K", "0.009", null, "not in catalogue"],
  ]);
  expect(older).toEqual(["old"]);
  expect(unlisted).toEqual(["unlisted"]);
});

it("calls a price that is exactly the cost covered", () => {
  const [price] = comparePrices(
    [entry("exact", { "1K": "0.004035" }, "2026-11-24")],
    readPriceList(
      JSON.stringify({
        currency: "USD",
        as_of: "2026-11-20",
        source: "a page",
        models: { exact: { "1K": "0.005" } },
      }),
      "prices.json",
    ),
    807_000n,
  ).prices;
  expect(price).toMatchObject({ vendor_eur: "0.004035", status: "covered" });
});

it("does not take an unknown rate for 1", () => {
  const { prices } = comparePrices(entries, list("USD"), null);
  expect(prices.map(({ status }) => status)).toEqual([
    "no rate",
    "no rate",
    "no rate",
    "not in catalogue",
    "not in catalogue",
  ]);
  expect(comparePrices(entries, list("EUR"), null).prices[1]?.status).toBe("loss");
});

it("names a mistake in a list with its position", () => {
  expect(() =>
    readPriceList('{\n  "currency": "USD", "asof": "2026-11-20"}', "prices.json"),
  ).toThrow(
    /prices\.json cannot be used:[^]*line 2, column 22: asof is unknown; allowed here: currency, as_of/,
  );
});
