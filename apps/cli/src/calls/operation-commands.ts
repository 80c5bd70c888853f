import { InvalidArgumentError, Option, type Command } from "commander";
import { deliveredFormat, strictness } from "@atelier/schemas";
import type { Call, CallFlags } from "./call.ts";
import { leaf, seed, wholeNumber } from "./leaf.ts";
import {
  combine,
  diagram,
  edit,
  graphic,
  type CombineFlags,
  type DiagramFlags,
  type EditFlags,
  type GraphicFlags,
} from "./operations.ts";

/** Adds the commands for operations other than making an image of a prompt. */
export function addOperations(program: Command, call: Call): void {
  withSeries(withCommon(leaf(program, "edit", "change an image, save it and print its path")))
    .argument("<image>", "a file, a URL or the id of an upload")
    .argument("<prompt>", "what to change, or what the masked area shows")
    .option("--mask <image>", "the same for a mask: white marks what to change")
    .option("--strength <share>", "0 to 1, how much to change, if the model supports it", share)
    .action((image: string, prompt: string, flags: CallFlags & EditFlags) =>
      call((caller) => edit(caller, image, prompt, flags), flags),
    );

  withSeries(withCommon(leaf(program, "combine", "make one image of two to five, and save it")))
    .argument("<prompt>", "what the image shows")
    .requiredOption(
      '-i, --image "<image> <description>"',
      "a file, a URL or the id of an upload, and what it shows; 2 to 5 times",
      described,
    )
    .option("-a, --aspect-ratio <ratio>", "such as 16:9 (default: the model's)")
    .action((prompt: string, flags: CallFlags & CombineFlags) =>
      call((caller) => combine(caller, prompt, flags), flags),
    );

  withSeries(withCommon(leaf(program, "graphic", "draw an icon, a logo or an illustration")))
    .argument("<prompt>", "what the graphic shows")
    .addOption(
      new Option("--kind <kind>", "what to draw")
        .choices(["icon", "logo", "illustration"])
        .default("icon"),
    )
    .option("--palette <colours>", "up to 8 colours such as #1f3a5f,#e07a3f", colours)
    .option("--background <colour>", "a colour (default: transparent)")
    .option("-a, --aspect-ratio <ratio>", "such as 16:9 (default: the model's)")
    .action((prompt: string, flags: CallFlags & GraphicFlags) =>
      call((caller) => graphic(caller, prompt, flags), flags),
    );

  withCommon(leaf(program, "diagram", "lay out a diagram, save it and print its path"))
    .argument("[words]", 'the diagram in words: "user → API → queue"')
    .option("--file <file>", "a file with the diagram: .dot, .mmd or words")
    .addOption(
      new Option("--language <language>", "of the file (default: by its extension)").choices([
        "text",
        "dot",
        "mermaid",
      ]),
    )
    .addOption(new Option("--direction <direction>", "of the arrows").choices(["right", "down"]))
    .option("--palette <colours>", "up to 8 colours such as #1f3a5f,#e07a3f", colours)
    .action((words: string | undefined, flags: CallFlags & DiagramFlags) =>
      call((caller) => diagram(caller, words, flags), flags),
    );
}

function withCommon(command: Command): Command {
  return command
    .option("-m, --model <id>", "a model of: models (default: the first that can do it)")
    .option("-s, --size <size>", "such as 1K (default: the service chooses)")
    .addOption(
      new Option("--strictness <level>", "level of moderation").choices(strictness.options),
    )
    .addOption(new Option("-f, --format <format>", "image format").choices(deliveredFormat.options))
    .option("-o, --output <path>", "a file such as fox.webp, or a folder", ".")
    .option(
      "--idempotency-key <key>",
      "the same request with the same key is made and charged once",
    );
}

function withSeries(command: Command): Command {
  return command
    .option("-n, --n <count>", "number of images, 1 to 10", wholeNumber)
    .option("--seed <seed>", "for the same image again, if the model supports seeds", seed);
}

/** Parses an image and its description: `boat.png the red boat`. */
function described(
  text: string,
  before: NonNullable<CombineFlags["image"]> = [],
): NonNullable<CombineFlags["image"]> {
  const [, source, description] = /^(\S+)\s+(\S.*)$/.exec(text.trim()) ?? [];
  if (source === undefined || description === undefined) {
    throw new InvalidArgumentError('It must be an image and a description: "boat.png a red boat".');
  }
  return [...before, { source, description }];
}

function colours(text: string): string[] {
  return text.split(",").map((colour) => colour.trim());
}

function share(text: string): number {
  const value = Number(text);
  if (text.trim() === "" || !(value >= 0 && value <= 1)) {
    throw new InvalidArgumentError("It must be a number from 0 to 1.");
  }
  return value;
}
