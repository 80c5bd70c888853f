import { afterAll, describe, expect, it } from "vitest";
import { createContractTable } from "./contract/contract-table.ts";
import { describeProviderContract } from "./contract/describe-provider-contract.ts";
import type { ProviderContract } from "./contract/provider-contract.ts";
import { geminiContract } from "./gemini/contract.ts";
import { openAiContract } from "./openai/contract.ts";

const contracts: readonly ProviderContract[] = [openAiContract, geminiContract];

const table = createContractTable(contracts.map(({ name }) => name));
for (const contract of contracts) describeProviderContract(contract, table);

describe("the table of providers and outcomes", () => {
  it("has no empty cell", () => {
    expect(table.missing()).toEqual([]);
  });

  afterAll(() => {
    process.stdout.write(`\n${table.render()}\n\n`);
  });
});
