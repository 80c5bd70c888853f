import { serviceVariables, telemetryVariables } from "@atelier/configuration";
import { readEnvExample } from "@atelier/testing";
import { expect, it } from "vitest";
import { apiConfig } from "./config.ts";

it("is listed in .env.example, every variable and nothing else, with its defaults", async () => {
  const common = await readEnvExample("Every program");
  const own = await readEnvExample("API");
  const telemetry = await readEnvExample("API and worker");
  expect(Object.keys(telemetry).sort()).toEqual(Object.keys(telemetryVariables).sort());
  expect(Object.keys(common).sort()).toEqual(Object.keys(serviceVariables).sort());
  expect(Object.keys({ ...common, ...telemetry, ...own }).sort()).toEqual(
    Object.keys(apiConfig.shape).sort(),
  );
  for (const [name, value] of Object.entries({ ...common, ...telemetry, ...own })) {
    const schema = apiConfig.shape[name as keyof typeof apiConfig.shape];
    const byDefault = schema.safeParse(undefined);
    expect(byDefault.success ? String(byDefault.data ?? "") : "").toBe(value);
  }
});
