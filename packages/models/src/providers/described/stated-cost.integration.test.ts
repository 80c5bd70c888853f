import { expect, it } from "vitest";
import type { VendorUsage } from "../../vendor-usage.ts";
import { callAdapter } from "../testing/call-adapter.ts";
import { describedContracts } from "./testing/contracts.ts";

// The servers answer as the vendors document it; vendor-rules.ts names the sources.
it.each([
  ["openrouter", 40_000n],
  ["xai", 20_000n],
])("reports the cost that %s states, to the micro-unit", async (name, micro) => {
  const contract = describedContracts.find((one) => one.name === name);
  if (contract === undefined) throw new Error(`no contract ${name}`);
  const server = await contract.start();
  const provider = contract.create({ url: server.url, apiKey: contract.apiKey ?? "", limits: {} });
  const stated: VendorUsage[] = [];
  await callAdapter(provider, contract.request, { onUsage: (usage) => stated.push(usage) });
  await server.close();
  expect(stated.map(({ cost }) => cost)).toEqual([{ micro, currency: "USD" }]);
});
