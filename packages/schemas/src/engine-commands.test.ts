import { describe, expect, it } from "vitest";
import { findEngineCommands, withoutEngineCommands } from "./engine-commands.ts";

/** The pattern with which AUTOMATIC1111 finds extra networks (`modules/extra_networks.py`, 1.10). */
const extraNetwork = /<([\p{L}\p{N}_]+):([^>]+)>/u;

describe("engine commands in a prompt", () => {
  it.each([
    ["a hut <lora:detail:1.5>", "a hut (lora:detail:1.5)", ["<lora:detail:1.5>"]],
    ["<hypernet:x:2> a hut", "(hypernet:x:2) a hut", ["<hypernet:x:2>"]],
    [
      "<LORA:x:1><lora:x:1><lora:x:1>",
      "(LORA:x:1)(lora:x:1)(lora:x:1)",
      ["<LORA:x:1>", "<lora:x:1>"],
    ],
    [
      'a <sd_cpp_extra_args>{"steps": 9}</sd_cpp_extra_args> b',
      'a (sd_cpp_extra_args){"steps": 9}(/sd_cpp_extra_args) b',
      ["<sd_cpp_extra_args>"],
    ],
    ["a <lora:never closed", "a (lora:never closed", ["<lora:never closed"]],
  ])("become plain words and are named: %s", (prompt, harmless, named) => {
    expect(withoutEngineCommands(prompt)).toBe(harmless);
    expect(findEngineCommands(prompt)).toEqual(named);
  });

  it.each([
    "<<lora:x:1>",
    "<a:<lora:x:1>>",
    "<a<lora:x:1>:y>",
    "<lora:<lora:x:1>:1>",
    "<lo<x:1>ra:x:1>",
    "<ĺora:x:1>",
    "<<<sd_cpp_extra_args><sd_cpp_extra_args>",
  ])("leave no command behind when they are nested: %s", (prompt) => {
    const harmless = withoutEngineCommands(prompt);
    expect(harmless).not.toMatch(extraNetwork);
    expect(harmless).not.toContain("<sd_cpp_extra_args");
  });

  it.each(["a <3 b", "if a < b: then c > d", "hearts <3 and <b>bold</b>", "5 <6> 7", "12:30"])(
    "are not found in ordinary text: %s",
    (prompt) => {
      expect(withoutEngineCommands(prompt)).toBe(prompt);
      expect(findEngineCommands(prompt)).toEqual([]);
    },
  );

  it("are named in a short form", () => {
    expect(findEngineCommands(`<lora:${"x".repeat(500)}>`)[0]?.length).toBeLessThan(70);
  });
});

it("cuts a long command between characters", () => {
  const [named = ""] = findEngineCommands(`<lora:a${"🎨".repeat(100)}:1>`);
  expect(named.isWellFormed()).toBe(true);
  expect(named.length).toBeLessThan(130);
});
