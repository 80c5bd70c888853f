import { parseConfig, serviceVariables, telemetryVariables } from "@atelier/configuration";
import { readEnvExample } from "@atelier/testing";
import { expect, it } from "vitest";
import { apiConfig } from "./config.ts";

it("has exactly the variables and defaults of .env.example", async () => {
  const common = await readEnvExample("Every program");
  // The API reads one setting of the workers, and one of commands.
  const { MODERATION = "" } = await readEnvExample("Worker");
  const { OPERATOR_LOG_KEY = "" } = await readEnvExample("Commands of operators");
  const own = { ...(await readEnvExample("API")), MODERATION, OPERATOR_LOG_KEY };
  const telemetry = await readEnvExample("API and worker");
  expect(Object.keys(telemetry).sort()).toEqual(Object.keys(telemetryVariables).sort());
  expect(Object.keys(common).sort()).toEqual(Object.keys(serviceVariables).sort());
  expect(Object.keys({ ...common, ...telemetry, ...own }).sort()).toEqual(
    Object.keys(apiConfig.shape).sort(),
  );
  for (const [name, value] of Object.entries({ ...common, ...telemetry, ...own })) {
    const schema = apiConfig.shape[name as keyof typeof apiConfig.shape];
    const byDefault = schema.safeParse(undefined);
    const data = (byDefault.data ?? "") as string | number | boolean;
    expect(byDefault.success ? String(data) : "").toBe(value);
  }
});

it.each(["https://example.com/?a=b", "https://example.com/atelier#top"])(
  "rejects %s as PUBLIC_URL, because paths are added to it",
  (url) => {
    const publicUrl = apiConfig.pick({ PUBLIC_URL: true });
    expect(() => parseConfig(publicUrl, { PUBLIC_URL: url })).toThrow(
      "must have no query and no fragment",
    );
    expect(parseConfig(publicUrl, { PUBLIC_URL: "https://example.com/atelier/" })).toEqual({
      PUBLIC_URL: "https://example.com/atelier",
    });
  },
);

it("parses TRUSTED_PROXIES as a list of addresses and networks", () => {
  const proxies = apiConfig.pick({ TRUSTED_PROXIES: true });
  expect(parseConfig(proxies, { TRUSTED_PROXIES: "10.0.0.0/8, ::1" })).toEqual({
    TRUSTED_PROXIES: ["10.0.0.0/8", "::1"],
  });
  for (const wrong of ["nginx", "10.0.0.0/33", "10.0.0.0/0", "true"]) {
    expect(() => parseConfig(proxies, { TRUSTED_PROXIES: wrong })).toThrow("TRUSTED_PROXIES");
  }
});
