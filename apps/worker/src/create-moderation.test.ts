import { parseConfig } from "@atelier/configuration";
import { createLogger } from "@atelier/telemetry";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, describe, expect, it } from "vitest";
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

const directory = mkdtempSync(join(tmpdir(), "atelier-moderation-"));
afterAll(() => rmSync(directory, { recursive: true }));

function fileWith(content: object): string {
  const file = join(directory, "moderation.json");
  writeFileSync(file, JSON.stringify(content));
  return file;
}

const create = (environment: Readonly<Record<string, string>>) =>
  createModeration(
    parseConfig(workerConfig, { ...needed, ...environment }),
    createLogger("worker", "silent"),
  );

describe("moderation settings", () => {
  it("use only the rules by default", () => {
    const { moderator, imageModerator } = create({});
    expect(moderator.name).toBe("rules-3");
    expect(imageModerator).toBeNull();
  });

  it("use OpenAI with its key, for images too when enabled", () => {
    const openAi = { MODERATION: "openai", OPENAI_API_KEY: "sk-test" };
    expect(create(openAi).imageModerator).toBeNull();
    const { moderator, imageModerator } = create({ ...openAi, MODERATE_IMAGES: "true" });
    expect(moderator.name).toBe("rules-3+omni-moderation-latest");
    expect(imageModerator).toBe(moderator);
  });

  it("use a guard model at its address, without a key", () => {
    const { moderator } = create({
      MODERATION: "shieldgemma",
      MODERATION_URL: "http://127.0.0.1:8000/v1/",
      MODERATION_MODEL: "shieldgemma-2b",
    });
    expect(moderator.name).toBe("rules-3+shieldgemma-2b");
  });

  const server = { MODERATION_URL: "http://127.0.0.1:8000/v1", MODERATION_MODEL: "our-guard" };
  const description = {
    messages: [{ role: "user", content: "{text}" }],
    answer: { verdict: { line: 1 }, safe: ["ok"], unsafe: ["bad"], labels: { line: 2 } },
    labels: { nudity: { category: "sexual" } },
  };

  const webhookSecret = `whsec_${Buffer.alloc(32, 7).toString("base64")}`;

  it("use the operator's policy engine", () => {
    const { moderator } = create({
      MODERATION: "webhook",
      MODERATION_URL: "https://policy.example.com/judge",
      MODERATION_WEBHOOK_SECRET: webhookSecret,
    });
    expect(moderator.name).toBe("rules-3+webhook");
  });

  const webhook = { MODERATION: "webhook", MODERATION_URL: "https://policy.example.com/judge" };
  it.each<[string, Record<string, string>, RegExp]>([
    ["without its address", { MODERATION: "webhook" }, /^MODERATION_URL: is required/],
    ["without a secret", webhook, /^MODERATION_WEBHOOK_SECRET: is required/],
    [
      "with a short secret",
      { ...webhook, MODERATION_WEBHOOK_SECRET: "whsec_c2hvcnQ=" },
      /MODERATION_WEBHOOK_SECRET: must be whsec_ and 24 to 64 bytes in base64: echo/,
    ],
    [
      "for images",
      { ...webhook, MODERATION_WEBHOOK_SECRET: webhookSecret, MODERATE_IMAGES: "true" },
      /^MODERATE_IMAGES: webhook judges only texts/,
    ],
  ])("refuse a policy engine %s", (_, environment, message) => {
    expect(() => create(environment)).toThrow(message);
  });

  it("use a guard model that the operator describes", () => {
    const file = fileWith({ guard: description });
    const { moderator } = create({
      ...server,
      MODERATION: "guard",
      MODERATION_SETTINGS_FILE: file,
    });
    expect(moderator.name).toBe("rules-3+our-guard");
  });

  it.each(["llama-guard", "qwen3guard", "gpt-oss-safeguard"])("change the labels of %s", (kind) => {
    const file = fileWith({ labels: { S2: null } });
    const { moderator } = create({ ...server, MODERATION: kind, MODERATION_SETTINGS_FILE: file });
    expect(moderator.name).toBe("rules-3+our-guard");
  });

  it.each<[string, Record<string, string>, object, RegExp]>([
    [
      "a file without a guard",
      { MODERATION: "guard" },
      {},
      /^MODERATION_SETTINGS_FILE: .* has no "guard"/,
    ],
    [
      "a part of the file that is not used",
      { MODERATION: "openai", OPENAI_API_KEY: "sk-test" },
      { guard: description, thresholds: {} },
      /^MODERATION_SETTINGS_FILE: openai does not use "guard". Remove it$/,
    ],
    [
      "labels for a model without labels",
      { MODERATION: "shieldgemma" },
      { labels: { S2: null } },
      /^MODERATION_SETTINGS_FILE: shieldgemma has policies and no labels/,
    ],
    [
      "a mistake in the file, with its position",
      { MODERATION: "guard" },
      { guard: { ...description, labels: { nudity: { category: "nudity" } } } },
      /^MODERATION_SETTINGS_FILE: .*moderation\.json is not valid:\n.*\n.*→ at guard\.labels\.nudity\.category/,
    ],
  ])("are refused with %s", (_, environment, content, message) => {
    const file = fileWith(content);
    expect(() => create({ ...server, ...environment, MODERATION_SETTINGS_FILE: file })).toThrow(
      message,
    );
  });

  const guard = { MODERATION: "shieldgemma", MODERATION_URL: "http://127.0.0.1/v1" };
  it.each<[string, Record<string, string>, RegExp]>([
    ["OpenAI without a key", { MODERATION: "openai" }, /^MODERATION_API_KEY/],
    ["a guard model without an address", { MODERATION: "llama-guard" }, /^MODERATION_URL/],
    ["a guard model without its name", guard, /^MODERATION_MODEL/],
    [
      "a guard model without its description",
      { ...guard, MODERATION: "guard" },
      /^MODERATION_SETTINGS_FILE: is required for MODERATION=guard/,
    ],
    [
      "a file that does not exist",
      { ...guard, MODERATION: "guard", MODERATION_SETTINGS_FILE: "/nowhere.json" },
      /^MODERATION_SETTINGS_FILE: \/nowhere\.json cannot be read as JSON/,
    ],
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
