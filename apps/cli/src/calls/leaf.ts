import { readBaseUrl } from "@atelier/client";
import { imageFormat } from "@atelier/schemas";
import type { CallFlags } from "./call.ts";
import { InvalidArgumentError, Option, type Command } from "commander";

/** Adds a caller command with the flags that all of them have. */
export function leaf(
  group: Command,
  called: string,
  description: string,
  options: { readonly isDefault?: boolean } = {},
): Command {
  return group
    .command(called, options)
    .description(description)
    .option("--json", "print JSON")
    .option(
      "--url <url>",
      "address of the service (default: ATELIER_URL, or the one here)",
      address,
    )
    .option(
      "--key <key>",
      "API key; ATELIER_API_KEY is safer, because other users can see arguments",
    );
}

/** A page of a list. */
export interface Page {
  readonly limit?: number;
  readonly cursor?: string;
}

/** Adds the options for the page of a list, and what the command does with it. */
export function paged(
  command: Command,
  run: (page: Page, flags: CallFlags, ...ids: readonly string[]) => Promise<void>,
): Command {
  return command
    .option("--limit <count>", "maximum number, 1 to 100", wholeNumber)
    .option("--cursor <cursor>", "next_cursor of the previous page")
    .action((...given: unknown[]) => {
      // Commander appends the flags and the command to the arguments.
      const ids = given.slice(0, -2) as string[];
      const { limit, cursor, ...flags } = given.at(-2) as CallFlags & Page;
      const page = {
        ...(limit !== undefined && { limit }),
        ...(cursor !== undefined && { cursor }),
      };
      return run(page, flags, ...ids);
    });
}

function address(text: string): string {
  try {
    return readBaseUrl(text);
  } catch {
    throw new InvalidArgumentError(
      "It must be an address such as http://localhost:3000, without a password.",
    );
  }
}

/** Parses an integer from 1 to 999. */
export function wholeNumber(text: string): number {
  if (!/^[1-9]\d{0,2}$/.test(text)) throw new InvalidArgumentError("It must be an integer.");
  return Number(text);
}

/** Parses a seed; the service checks its size. */
export function seed(text: string): number {
  if (!/^\d{1,10}$/.test(text)) throw new InvalidArgumentError("It must be an integer.");
  return Number(text);
}

/** The option for the format of images. */
export function format(): Option {
  return new Option("-f, --format <format>", "image format").choices(imageFormat.options);
}

/** The option for the idempotency key of a request. */
export function idempotencyKey(): Option {
  return new Option(
    "--idempotency-key <key>",
    "the same request with the same key is made and charged once",
  );
}

/** Options of the engine. */
export interface EngineFlags {
  readonly steps?: number;
  readonly guidance?: number;
  readonly sampler?: string;
  readonly scheduler?: string;
  readonly loras?: readonly { readonly name: string; readonly weight: number }[];
}

/**
 * Parses an option of the engine and adds it to the earlier ones: `steps=8`, `guidance=1`,
 * `sampler=Euler`, `scheduler=karras`, or `lora=detail:0.5` several times. The service checks the values.
 */
export function parameter(text: string, before: EngineFlags = {}): EngineFlags {
  const [, name = "", value = ""] = /^(\w+)=(.+)$/.exec(text) ?? [];
  switch (name) {
    case "steps":
    case "guidance":
      if (Number.isNaN(Number(value))) break;
      return { ...before, [name]: Number(value) };
    case "sampler":
    case "scheduler":
      return { ...before, [name]: value };
    case "lora": {
      const [, lora, weight] = /^(.+):(-?\d+(?:\.\d+)?)$/.exec(value) ?? [];
      if (lora === undefined) break;
      const loras = [...(before.loras ?? []), { name: lora, weight: Number(weight) }];
      return { ...before, loras };
    }
  }
  throw new InvalidArgumentError(
    "It must be steps=8, guidance=1, sampler=<name>, scheduler=<name> or lora=<name>:<weight>.",
  );
}

/** Parses `name=value` and adds it to the earlier ones. */
export function pair(
  text: string,
  before: Readonly<Record<string, string>> = {},
): Record<string, string> {
  const at = text.indexOf("=");
  if (at < 1) throw new InvalidArgumentError("It must be a name and a value: order=A-1027.");
  return { ...before, [text.slice(0, at)]: text.slice(at + 1) };
}

/** Collects the values of an option that is given several times. */
export function list(text: string, before: readonly string[] = []): readonly string[] {
  return [...before, text];
}
