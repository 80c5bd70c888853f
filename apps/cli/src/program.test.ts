import { CommanderError } from "commander";
import { describe, expect, it } from "vitest";
import { createProgram, type Runners } from "./program.ts";

const id = "01890000-0000-7000-8000-000000000000";

/** Parses a command line; says which runner was asked for its work. */
async function parse(...args: string[]): Promise<keyof Runners | "none"> {
  let asked: Awaited<ReturnType<typeof parse>> = "none";
  const runners: Runners = {
    withDatabase: async () => void (asked = "withDatabase"),
    call: async () => void (asked = "call"),
    withEnvironment: async () => void (asked = "withEnvironment"),
  };
  const silent = { writeOut: () => undefined, writeErr: () => undefined };
  await createProgram(runners, silent).parseAsync(args, { from: "user" });
  return asked;
}

describe("the callers' commands", () => {
  it.each([
    ["generate", "a fox"],
    ["generate", "a fox", "-m", "m", "-a", "16:9", "-s", "2K", "--strictness", "liberal"],
    ["generate", "a fox", "-r", "https://x.test/1.png a harbour", "-r", "https://x.test/2.png b"],
    ["generate", "a fox", "-f", "webp", "-o", "out", "--idempotency-key", "k", "--json"],
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
  ])("have %s %s", async (...args) => {
    expect(await parse(...args)).toBe("call");
  });

  it("verify without service or database", async () => {
    expect(await parse("verify", "fox.png", "--trust-anchors", "ca.pem")).toBe("withEnvironment");
  });

  it.each([
    ["an unknown format", ["generate", "a fox", "-f", "gif"]],
    [
      "a reference that says nothing of itself",
      ["generate", "a fox", "-r", "https://x.test/1.png"],
    ],
    ["no prompt", ["generate"]],
    ["a service without http://", ["balance", "--url", "localhost:3000"]],
    ["an unknown status", ["jobs", "--status", "lost"]],
    ["a limit that is no number", ["jobs", "--limit", "all"]],
  ])("refuse %s before anything is asked for", async (_, args) => {
    await expect(parse(...args)).rejects.toThrow(CommanderError);
  });
});

describe("the operator's commands", () => {
  it.each([
    ["accounts", "create", "Studio", "--strictness", "liberal", "--credit", "10"],
    ["accounts", "list", "--json"],
    ["accounts", "show", id],
    ["accounts", "top-up", id, "0.25", "--reference", "invoice 7"],
    ["accounts", "suspend", id],
    ["accounts", "resume", id],
    ["keys", "create", id, "--name", "laptop"],
    ["keys", "list", id],
    ["keys", "revoke", id],
  ])("have %s %s", async (...args) => {
    expect(await parse(...args)).toBe("withDatabase");
  });

  it.each([
    ["an unknown command", ["accounts", "destroy"]],
    ["no command", ["accounts"]],
    ["an unknown option", ["accounts", "list", "--all"]],
    ["a missing argument", ["accounts", "show"]],
    ["an argument too many", ["accounts", "show", id, id]],
    ["something that is no id", ["accounts", "show", "1"]],
    ["something that is no amount", ["accounts", "top-up", id, "1,50"]],
    ["nothing to add", ["accounts", "top-up", id, "0"]],
    ["less than nothing", ["accounts", "create", "x", "--credit", "-1"]],
    ["an empty name", ["accounts", "create", " "]],
    ["an empty reference", ["accounts", "top-up", id, "1", "--reference", ""]],
    ["an unknown strictness", ["accounts", "create", "x", "--strictness", "none"]],
  ])("refuse %s before anything is done", async (_, args) => {
    await expect(parse(...args)).rejects.toThrow(CommanderError);
  });
});
