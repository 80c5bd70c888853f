import { readFile } from "node:fs/promises";
import type { Environment } from "@atelier/configuration";
import { comparePrices, readPriceList } from "@atelier/models";
import { table, type Answer } from "../answer.ts";
import { exitCodes } from "../exit-codes.ts";
import { loadModels } from "./load-models.ts";

/** Options of `catalogue check`. */
export interface CheckCatalogueFlags {
  /** In micro-EUR. */
  readonly eurPerUsd?: bigint;
}

/**
 * Compares the prices of the catalogue with a price list.
 *
 * @param file the path of the list.
 * @throws Error for a list that cannot be read, naming each mistake with its position.
 * @throws StartError for a file of providers or models that cannot be used.
 */
export async function checkCatalogue(
  environment: Environment,
  file: string,
  { eurPerUsd }: CheckCatalogueFlags,
): Promise<Answer> {
  const { catalogue } = await loadModels(environment);
  const list = readPriceList(await readFile(file, "utf8"), `The price list ${file}`);
  const compared = comparePrices(catalogue.entries, list, eurPerUsd ?? null);
  const rows = compared.prices.map((row) => [
    row.model,
    row.image_size,
    row.price_eur ?? "-",
    row.vendor_eur ?? "-",
    row.margin_percent === null ? "-" : `${row.margin_percent} %`,
    row.prices_as_of ?? "-",
    row.status,
  ]);
  const headings = ["MODEL", "SIZE", "PRICE EUR", "VENDOR EUR", "MARGIN", "PRICE OF", "STATUS"];
  return {
    json: compared,
    text: [
      `Prices of ${compared.as_of}: ${compared.source}`,
      "",
      table(headings, rows),
      ...describe("Older than the list", compared.older),
      ...describe("Not in the list", compared.unlisted),
    ].join("\n"),
    exitCode: compared.prices.some(({ status }) => status === "loss")
      ? exitCodes.failed
      : exitCodes.done,
  };
}

function describe(what: string, models: readonly string[]): string[] {
  return models.length === 0 ? [] : ["", `${what}: ${models.join(", ")}`];
}
