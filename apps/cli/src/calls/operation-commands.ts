import { InvalidArgumentError, Option, type Command } from "commander";
import {
  deliveredFormat,
  namesOf,
  strictness,
  type Operation,
  type OperationDefinition,
  type Operations,
} from "@atelier/schemas";
import type { Call, CallFlags } from "./call.ts";
import { generate, type GenerateFlags } from "./generate.ts";
import { format, idempotencyKey, leaf, list, pair, parameter, seed, wholeNumber } from "./leaf.ts";
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
import {
  erase,
  outpaint,
  removeBackground,
  upscale,
  variations,
  vectorize,
  type OutpaintFlags,
  type ToolFlags,
  type UpscaleFlags,
  type VariationsFlags,
  type VectorizeFlags,
} from "./tools.ts";
import { sendFile, type FileFlags } from "./send-file.ts";
import { story, type StoryFlags } from "./story.ts";

/** Adds arguments, options and the action to the command of an operation. */
type OperationCommand = (command: Command, call: Call) => void;

const parameterOption = [
  "--parameter <name=value>",
  "an option of the engine such as steps=8, several times (models --json lists them)",
] as const;

const afterOption = [
  "--after <step>",
  "a tool that changes the image: upscale:2, remove-background; several times",
  list,
] as const;

/** The commands with flags of their own. Those of all other operations read the request from a file. */
const ownCommands: Readonly<Partial<Record<Operation, OperationCommand>>> = {
  image: addImage,
  story: addStory,
  edit: addEdit,
  combine: addCombine,
  graphic: addGraphic,
  diagram: addDiagram,
  upscale: addUpscale,
  "remove-background": addRemoveBackground,
  outpaint: addOutpaint,
  erase: addErase,
  vectorize: addVectorize,
  variations: addVariations,
};

/** Adds the commands of all operations. */
export function addOperations(program: Command, call: Call, operations: Operations): void {
  for (const operation of namesOf(operations)) {
    const { name, alias, summary }: OperationDefinition["command"] = operations[operation].command;
    const command = leaf(program, name, summary);
    if (alias !== undefined) command.alias(alias);
    const addOwn = ownCommands[operation];
    if (addOwn === undefined) addFile(operation, command, call);
    else addOwn(command, call);
  }
}

function addImage(command: Command, call: Call): void {
  command
    .argument("<prompt>", "what the image shows")
    .option("-m, --model <id>", "a model of: models (default: the first available)")
    .option("-a, --aspect-ratio <ratio>", "such as 16:9 (default: the model's)")
    .option(
      "-s, --size <size>",
      "such as 1K, or 1360x768 if the model takes it (default: the model's)",
    )
    .option("--quality <quality>", "of JPEG and WebP, 1 to 100", wholeNumber)
    .addOption(
      new Option("--strictness <level>", "level of moderation").choices(strictness.options),
    )
    .option("-n, --n <count>", "number of images, 1 to 10", wholeNumber)
    .option("--seed <seed>", "for the same image again, if the model supports seeds", seed)
    .option("--negative <text>", "what the image must not show, if the model supports it")
    .option("--transparent", "transparent background, if the model supports it")
    .option(...parameterOption, parameter)
    .option(...afterOption)
    .option("--metadata <name=value>", "a text stored with the job, up to 16 times", pair)
    .option(
      '-r, --reference "<url or upload id> <description>"',
      "a reference image, up to 5 times",
      reference,
    )
    .option(
      "--character <id[:state]>",
      "a kept character in the image (characters list shows them), up to 5 times",
      character,
    )
    .option("--location <id>", "the kept location of the image")
    .addOption(format())
    .option("-o, --output <path>", "a file such as fox.webp, or a folder", ".")
    .addOption(idempotencyKey())
    .action((prompt: string, flags: CallFlags & GenerateFlags) =>
      call((caller) => generate(caller, prompt, flags), flags),
    );
}

function addStory(command: Command, call: Call): void {
  command
    .argument("<file>", "the API request in JSON or YAML")
    .option("-m, --model <id>", "replaces the model in the file")
    .addOption(format())
    .option(
      "-o, --output <folder>",
      "folder for its scenes (default: story, or the next free name)",
    )
    .addOption(idempotencyKey())
    .action((file: string, flags: CallFlags & StoryFlags) =>
      call((caller) => story(caller, file, flags), flags),
    );
}

/** Adds the options of a command whose request is a file. */
function addFile(operation: Operation, command: Command, call: Call): void {
  command
    .argument("<file>", "the API request in JSON or YAML")
    .option("-m, --model <id>", "replaces the model in the file")
    .addOption(format())
    .option("-o, --output <path>", "a file such as fox.webp, or a folder", ".")
    .addOption(idempotencyKey())
    .action((file: string, flags: CallFlags & FileFlags) =>
      call((caller) => sendFile(caller, operation, file, flags), flags),
    );
}

function addEdit(command: Command, call: Call): void {
  withSeries(withCommon(command))
    .argument("<image>", "a file, a URL or the id of an upload")
    .argument("<prompt>", "what to change, or what the masked area shows")
    .option("--mask <image>", "the same for a mask: white marks what to change")
    .option("--markup <image>", "the same for hints drawn over the image, if the model supports it")
    .option("--strength <share>", "0 to 1, how much to change, if the model supports it", share)
    .option(...parameterOption, parameter)
    .option(...afterOption)
    .action((image: string, prompt: string, flags: CallFlags & EditFlags) =>
      call((caller) => edit(caller, image, prompt, flags), flags),
    );
}

function addCombine(command: Command, call: Call): void {
  withSeries(withCommon(command))
    .argument("<prompt>", "what the image shows")
    .requiredOption(
      '-i, --image "<image> <description>"',
      "a file, a URL or the id of an upload, and what it shows; 2 to 5 times",
      described,
    )
    .option("-a, --aspect-ratio <ratio>", "such as 16:9 (default: the model's)")
    .option(...parameterOption, parameter)
    .action((prompt: string, flags: CallFlags & CombineFlags) =>
      call((caller) => combine(caller, prompt, flags), flags),
    );
}

function addGraphic(command: Command, call: Call): void {
  withSeries(withCommon(command))
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
}

function addDiagram(command: Command, call: Call): void {
  withCommon(command)
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

function addUpscale(command: Command, call: Call): void {
  withTool(command)
    .option("--factor <factor>", "2 to 4, for both edges (default: 2)", factor)
    .option("-s, --size <size>", "the exact size instead, such as 4096x3072")
    .action((image: string, flags: CallFlags & UpscaleFlags) =>
      call((caller) => upscale(caller, image, flags), flags),
    );
}

function addRemoveBackground(command: Command, call: Call): void {
  withTool(command).action((image: string, flags: CallFlags & ToolFlags) =>
    call((caller) => removeBackground(caller, image, flags), flags),
  );
}

function addOutpaint(command: Command, call: Call): void {
  withTool(command)
    .argument("[prompt]", "what the new area shows (default: what continues the image)")
    .option("--top <pixels>", "pixels to add above", wholeNumber)
    .option("--right <pixels>", "pixels to add at the right", wholeNumber)
    .option("--bottom <pixels>", "pixels to add below", wholeNumber)
    .option("--left <pixels>", "pixels to add at the left", wholeNumber)
    .option("--seed <seed>", "for the same image again, if the model supports seeds", seed)
    .action((image: string, prompt: string | undefined, flags: CallFlags & OutpaintFlags) =>
      call((caller) => outpaint(caller, image, prompt, flags), flags),
    );
}

function addErase(command: Command, call: Call): void {
  withTool(command)
    .argument("<mask>", "the same for a mask of the same size: white marks what to remove")
    .action((image: string, mask: string, flags: CallFlags & ToolFlags) =>
      call((caller) => erase(caller, image, mask, flags), flags),
    );
}

function addVectorize(command: Command, call: Call): void {
  withTool(command)
    .option("--colors <count>", "2 to 64 colours, if the model takes it", wholeNumber)
    .action((image: string, flags: CallFlags & VectorizeFlags) =>
      call((caller) => vectorize(caller, image, flags), flags),
    );
}

function addVariations(command: Command, call: Call): void {
  withSeries(withTool(command))
    .option("--strength <share>", "0 to 1, how much to change, if the model supports it", share)
    .action((image: string, flags: CallFlags & VariationsFlags) =>
      call((caller) => variations(caller, image, flags), flags),
    );
}

/** Adds the image and the options of a tool. */
function withTool(command: Command): Command {
  return withFiles(command).argument("<image>", "a file, a URL or the id of an upload");
}

function withCommon(command: Command): Command {
  return withFiles(command).option(
    "-s, --size <size>",
    "such as 1K, or 1360x768 if the model takes it (default: the service chooses)",
  );
}

/** Adds the options of all commands that save images. */
function withFiles(command: Command): Command {
  return command
    .option("-m, --model <id>", "a model of: models (default: the first that can do it)")
    .option("--quality <quality>", "of JPEG and WebP, 1 to 100", wholeNumber)
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

function factor(text: string): number {
  const value = Number(text);
  if (!(value >= 2 && value <= 4)) {
    throw new InvalidArgumentError("It must be a number from 2 to 4.");
  }
  return value;
}

function share(text: string): number {
  const value = Number(text);
  if (text.trim() === "" || !(value >= 0 && value <= 1)) {
    throw new InvalidArgumentError("It must be a number from 0 to 1.");
  }
  return value;
}

/** Parses the id of a character, with the key of its state: `019a…:rain`. */
function character(
  text: string,
  before: NonNullable<GenerateFlags["character"]> = [],
): NonNullable<GenerateFlags["character"]> {
  const [, id, state] = /^([0-9a-f-]{36})(?::(.+))?$/i.exec(text.trim()) ?? [];
  if (id === undefined) {
    throw new InvalidArgumentError("It must be an id of: characters list, and may have :state.");
  }
  return [...before, { character_id: id, ...(state !== undefined && { state }) }];
}

/** Parses a URL and a description: `https://… the harbour at dusk`. */
function reference(
  text: string,
  before: NonNullable<GenerateFlags["reference"]> = [],
): NonNullable<GenerateFlags["reference"]> {
  const [, source = "", description] = /^(\S+)\s+(\S.*)$/.exec(text.trim()) ?? [];
  const isUrl = /^https?:\/\//.test(source);
  if (description === undefined || !(isUrl || /^[0-9a-f-]{36}$/i.test(source))) {
    throw new InvalidArgumentError(
      'It must be a URL or the id of an upload, and a description: "https://… a harbour".',
    );
  }
  return [...before, { ...(isUrl ? { url: source } : { upload_id: source }), description }];
}
