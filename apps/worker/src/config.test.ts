import { serviceVariables, telemetryVariables } from "@atelier/configuration";
import { readEnvExample } from "@atelier/testing";
import { expect, it } from "vitest";
import { workerConfig } from "./config.ts";

it("has exactly the variables and defaults of .env.example", async () => {
  const common = await readEnvExample("Every program");
  const own = await readEnvExample("Worker");
  const telemetry = await readEnvExample("API and worker");
  expect(Object.keys(telemetry).sort()).toEqual(Object.keys(telemetryVariables).sort());
  expect(Object.keys(common).sort()).toEqual(Object.keys(serviceVariables).sort());
  expect(Object.keys({ ...common, ...telemetry, ...own }).sort()).toEqual(
    Object.keys(workerConfig.shape).sort(),
  );
  for (const [name, value] of Object.entries({ ...common, ...telemetry, ...own })) {
    const schema = workerConfig.shape[name as keyof typeof workerConfig.shape];
    const byDefault = schema.safeParse(undefined);
    expect(byDefault.success ? String(byDefault.data ?? "") : "").toBe(value);
  }
});

const times = Object.entries(workerConfig.shape).filter(([name]) => name.endsWith("_SECONDS"));

it.each(times)("refuses a %s that exceeds the range of timers", (_name, schema) => {
  expect(schema.safeParse("3600").success).toBe(true);
  expect(schema.safeParse("2592000").success).toBe(false);
});
