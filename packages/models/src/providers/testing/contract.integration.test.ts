import { afterAll, describe, expect, it } from "vitest";
import { automatic1111Contract } from "../automatic1111/contract.ts";
import { blackForestLabsContract } from "../black-forest-labs/contract.ts";
import { comfyUiContract } from "../comfyui/contract.ts";
import { createContractTable } from "./contract/contract-table.ts";
import { describeOperations } from "./contract/describe-operations.ts";
import { describeProviderContract } from "./contract/describe-provider-contract.ts";
import type { ProviderContract } from "./contract/provider-contract.ts";
import { describedServers, describedVendors } from "../described/shipped.ts";
import { describedContracts } from "../described/testing/contracts.ts";
import { inventedContract } from "../described/testing/invented-contract.ts";
import { falContract } from "../fal/contract.ts";
import { geminiContract } from "../gemini/contract.ts";
import { openAiContract } from "../openai/contract.ts";
import { openAiCompatibleContracts } from "../openai-compatible/contract.ts";
import { recraftContract } from "../recraft/contract.ts";
import { replicateContract } from "../replicate/contract.ts";
import { sdcppContract } from "../sdcpp/contract.ts";
import { stabilityContract } from "../stability/contract.ts";

const contracts: readonly ProviderContract[] = [
  openAiContract,
  geminiContract,
  stabilityContract,
  recraftContract,
  ...openAiCompatibleContracts,
  blackForestLabsContract,
  falContract,
  replicateContract,
  sdcppContract,
  comfyUiContract,
  automatic1111Contract,
  inventedContract,
  ...describedContracts,
];

const table = createContractTable(contracts.map(({ name }) => name));
for (const contract of contracts) {
  describeProviderContract(contract, table);
  describeOperations(contract, table);
}

it("covers every description of this repository", () => {
  const names = contracts.map(({ name }) => name);
  const described = [...Object.keys(describedVendors), ...describedServers];
  expect(names).toEqual(expect.arrayContaining(described));
});

describe("the table of provider outcomes", () => {
  it("has no empty cell", () => {
    expect(table.missing()).toEqual([]);
  });

  afterAll(() => {
    process.stdout.write(`\n${table.render()}\n\n`);
  });
});
