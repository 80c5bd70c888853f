import { parseConfig } from "@atelier/configuration";
import { createLogger } from "@atelier/telemetry";
import { describe, expect, it } from "vitest";
import { workerConfig } from "./config.ts";
import { createModeration } from "./create-moderation.ts";

const secret = "a secret that is only for tests and long enough";
const needed = {
  DATABASE_URL: "postgres://localhost/test",
  STORAGE_URL: "file:/tmp/nowhere",
  PUBLIC_URL: "http://localhost",
  URL_SIGNING_SECRET: secret,
  KEY_PEPPER: secret,
  SIGNING_CERTIFICATE_CHAIN: "chain",
  SIGNING_PRIVATE_KEY: "key",
  SIGNING_TRUST_ANCHORS: "anchors",
};

const create = (environment: Readonly<Record<string, string>>) =>
  createModeration(
    parseConfig(workerConfig, { ...needed, ...environment }),
    createLogger("worker", "silent"),
  );

describe("moderation settings", () => {
  it("use only the rules by default", () => {
    const { moderator, imageModerator } = create({});
    expect(moderator.name).toBe("rules-2");
    expect(imageModerator).toBeNull();
  });

  it("use OpenAI with its key, for images too when enabled", () => {
    const openAi = { MODERATION: "openai", OPENAI_API_KEY: "sk-test" };
    expect(create(openAi).imageModerator).toBeNull();
    const { moderator, imageModerator } = create({ ...openAi, MODERATE_IMAGES: "true" });
    expect(moderator.name).toBe("rules-2+omni-moderation-latest");
    expect(imageModerator).toBe(moderator);
  });

  it("use a guard model at its address, without a key", () => {
    const { moderator } = create({
      MODERATION: "shieldgemma",
      MODERATION_URL: "http://127.0.0.1:8000/v1/",
      MODERATION_MODEL: "shieldgemma-2b",
    });
    expect(moderator.name).toBe("rules-2+shieldgemma-2b");
  });

  const guard = { MODERATION: "shieldgemma", MODERATION_URL: "http://127.0.0.1/v1" };
  it.each<[string, Record<string, string>, RegExp]>([
    ["OpenAI without a key", { MODERATION: "openai" }, /^MODERATION_API_KEY/],
    ["a guard model without an address", { MODERATION: "llama-guard" }, /^MODERATION_URL/],
    ["a guard model without its name", guard, /^MODERATION_MODEL/],
    ["images for the rules", { MODERATE_IMAGES: "true" }, /^MODERATE_IMAGES/],
    [
      "images for a model that does not see",
      { ...guard, MODERATION_MODEL: "shieldgemma-2b", MODERATE_IMAGES: "true" },
      /^MODERATE_IMAGES: shieldgemma/,
    ],
  ])("is refused with %s", (_, environment, message) => {
    expect(() => create(environment)).toThrow(message);
  });
});
