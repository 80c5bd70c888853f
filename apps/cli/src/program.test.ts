import { CommanderError } from "commander";
import { describe, expect, it } from "vitest";
import type { Runners } from "./operators/command.ts";
import { createProgram } from "./program.ts";

const id = "01890000-0000-7000-8000-000000000000";

/** Parses a command line and returns which runner it used. */
async function parse(...args: string[]): Promise<keyof Runners | "none"> {
  let parsed: Awaited<ReturnType<typeof parse>> = "none";
  const runners: Runners = {
    withDatabase: async () => void (parsed = "withDatabase"),
    call: async () => void (parsed = "call"),
    withEnvironment: async () => void (parsed = "withEnvironment"),
    record: async () => undefined,
    readSettings: () => ({}),
  };
  const silent = { writeOut: () => undefined, writeErr: () => undefined };
  await createProgram(runners, silent).parseAsync(args, { from: "user" });
  return parsed;
}

describe("caller commands", () => {
  it.each([
    ["generate", "a fox"],
    ["generate", "a fox", "-m", "m", "-a", "16:9", "-s", "2K", "--strictness", "liberal"],
    ["generate", "a fox", "-r", "https://x.test/1.png a harbour", "-r", "https://x.test/2.png b"],
    ["generate", "a fox", "--character", id, "--character", `${id}:rain`, "--location", id],
    ["generate", "a fox", "-f", "webp", "-o", "out", "--idempotency-key", "k", "--json"],
    ["edit", "bay.png", "at night", "--mask", "mask.png", "--strength", "0.5", "-n", "2"],
    ["combine", "both", "-i", "boat.png a boat", "-i", "https://x.test/2.png a harbour"],
    ["edit", "bay.png", "put it there", "--markup", "arrow.png"],
    ["graphic", "a rocket", "--kind", "logo", "--palette", "#1f3a5f,#e07a3f", "-f", "svg"],
    ["diagram", "a → b", "--direction", "down"],
    ["diagram", "--file", "orders.mmd", "-o", "orders.svg"],
    ["remove-background", "bay.png", "-o", "boat.png"],
    ["upscale", "bay.png", "--factor", "3", "-f", "webp"],
    ["outpaint", "bay.png", "a sandy beach", "--left", "256", "--right", "256"],
    ["erase", "bay.png", "mask.png"],
    ["vectorize", "logo.png", "--colors", "8"],
    ["variations", "bay.png", "-n", "3", "--strength", "0.4"],
    ["scene", "scene.yaml", "-m", "m", "-f", "webp"],
    ["story", "mira.yaml", "-o", "out", "--url", "http://x.test", "--key", "k"],
    ["jobs"],
    ["jobs", "list", "--status", "completed", "--kind", "image", "--limit", "5", "--cursor", "c"],
    ["jobs", "show", id],
    ["jobs", "cancel", id],
    ["jobs", "wait", id, "-o", "out"],
    ["models"],
    ["models", "list", "--json"],
    ["balance"],
    ["skills"],
    ["skills", "download", "image-generation", "-f", "curl", "-o", "out"],
    ["story-demo"],
  ])("include %s %s", async (...args) => {
    expect(await parse(...args)).toBe("call");
  });

  it("verify without a service or database", async () => {
    expect(await parse("verify", "fox.png", "--trust-anchors", "ca.pem")).toBe("withEnvironment");
  });

  it.each([
    ["an unknown format", ["generate", "a fox", "-f", "gif"]],
    ["a reference without a description", ["generate", "a fox", "-r", "https://x.test/1.png"]],
    ["a character without an id", ["generate", "a fox", "--character", "Mira"]],
    ["no prompt", ["generate"]],
    ["an image without a description", ["combine", "both", "-i", "boat.png"]],
    ["a strength above 1", ["edit", "bay.png", "at night", "--strength", "2"]],
    ["a factor above 4", ["upscale", "bay.png", "--factor", "5"]],
    ["another kind of graphic", ["graphic", "a rocket", "--kind", "poster"]],
    ["a service without http://", ["balance", "--url", "localhost:3000"]],
    ["an unknown status", ["jobs", "--status", "lost"]],
    ["an invalid limit", ["jobs", "--limit", "all"]],
  ])("reject %s before any request", async (_, args) => {
    await expect(parse(...args)).rejects.toThrow(CommanderError);
  });
});

describe("operator commands", () => {
  it.each([
    ["accounts", "create", "Studio", "--strictness", "liberal", "--credit", "10"],
    ["accounts", "list", "--json"],
    ["accounts", "show", id],
    ["accounts", "top-up", id, "0.25", "--reference", "invoice 7"],
    ["accounts", "suspend", id],
    ["accounts", "resume", id],
    ["accounts", "keys", "create", id, "--name", "laptop"],
    ["accounts", "keys", "list", id],
    ["accounts", "keys", "revoke", id],
    ["studio-link"],
    ["studio-link", "--url", "http://x.test", "--key", "k", "--json"],
  ])("include %s %s", async (...args) => {
    expect(await parse(...args)).toBe("withDatabase");
  });

  it.each([
    ["an unknown command", ["accounts", "destroy"]],
    ["no command", ["accounts"]],
    ["an unknown option", ["accounts", "list", "--all"]],
    ["a missing argument", ["accounts", "show"]],
    ["an extra argument", ["accounts", "show", id, id]],
    ["an invalid id", ["accounts", "show", "1"]],
    ["an invalid amount", ["accounts", "top-up", id, "1,50"]],
    ["an amount of 0", ["accounts", "top-up", id, "0"]],
    ["less than nothing", ["accounts", "create", "x", "--credit", "-1"]],
    ["an empty name", ["accounts", "create", " "]],
    ["an empty reference", ["accounts", "top-up", id, "1", "--reference", ""]],
    ["an unknown strictness", ["accounts", "create", "x", "--strictness", "none"]],
  ])("reject %s before any effect", async (_, args) => {
    await expect(parse(...args)).rejects.toThrow(CommanderError);
  });
});
