import { InvalidArgumentError, Option, type Command } from "commander";
import { readBaseUrl, type JobQuery } from "@atelier/client";
import { imageFormat, listJobsQuery, strictness } from "@atelier/schemas";
import { tellStory } from "../story-demo/story-demo.ts";
import { balance } from "./balance.ts";
import type { Call, CallFlags } from "./call.ts";
import { generate, type GenerateFlags } from "./generate.ts";
import * as jobs from "./jobs.ts";
import * as models from "./models.ts";
import * as skills from "./skills.ts";
import { story, type StoryFlags } from "./story.ts";

/** The commands of those who call the service. */
export function addCalls(program: Command, call: Call): void {
  addGenerate(program, call);
  addStory(program, call);
  addJobs(program, call);
  addSkills(program, call);

  leaf(program, "balance", "what is left to spend").action((flags: CallFlags) =>
    call(balance, flags),
  );

  leaf(program, "story-demo", "make the story of the README")
    .option("-o, --output <folder>", "where its images are saved", "story-demo")
    .action((flags: CallFlags & { output: string }) =>
      call((caller) => tellStory(caller, flags), flags),
    );
}

/** `models list`, which is what `models` alone does. */
export function addListModels(group: Command, call: Call): void {
  leaf(group, "list", "what can be asked for, and what it costs", { isDefault: true }).action(
    (flags: CallFlags) => call(models.list, flags),
  );
}

function addGenerate(program: Command, call: Call): void {
  leaf(program, "generate", "make an image and save it; prints the file's path")
    .argument("<prompt>", "what it shows")
    .option("-m, --model <id>", "see: models; the first that is available, when left out")
    .option("-a, --aspect-ratio <ratio>", "such as 16:9; the model's own when left out")
    .option("-s, --size <size>", "such as 1K; the model's own when left out")
    .addOption(
      new Option("--strictness <level>", "how the texts are judged").choices(strictness.options),
    )
    .option('-r, --reference "<url> <description>"', "an image to go by, up to 5 times", reference)
    .addOption(format())
    .option("-o, --output <path>", "a file such as fox.webp, or a folder", ".")
    .addOption(idempotencyKey())
    .action((prompt: string, flags: CallFlags & GenerateFlags) =>
      call((caller) => generate(caller, prompt, flags), flags),
    );
}

function addStory(program: Command, call: Call): void {
  leaf(program, "story", "make a story and save its scenes; prints the files' paths")
    .argument("<file>", "the story in JSON or YAML, as the API takes it")
    .option("-m, --model <id>", "instead of the file's")
    .addOption(format())
    .option("-o, --output <folder>", "where its scenes are saved", "story")
    .addOption(idempotencyKey())
    .action((file: string, flags: CallFlags & StoryFlags) =>
      call((caller) => story(caller, file, flags), flags),
    );
}

function addJobs(program: Command, call: Call): void {
  const group = program.command("jobs").description("what was asked for, and what became of it");
  const filters = listJobsQuery.shape;

  leaf(group, "list", "the account's jobs, newest first", { isDefault: true })
    .addOption(
      new Option("--status <status>", "only these").choices(filters.status.unwrap().options),
    )
    .addOption(new Option("--kind <kind>", "only these").choices(filters.kind.unwrap().options))
    .option("--limit <count>", "how many, 1 to 100", wholeNumber)
    .option("--cursor <cursor>", "where an earlier page ended")
    .action(({ status, kind, limit, cursor, ...flags }: CallFlags & JobQuery) => {
      const query = {
        ...(status && { status }),
        ...(kind && { kind }),
        ...(limit !== undefined && { limit }),
        ...(cursor !== undefined && { cursor }),
      };
      return call((caller) => jobs.list(caller, query), flags);
    });

  leaf(group, "show", "one job")
    .argument("<job-id>", "its id")
    .action((id: string, flags: CallFlags) => call((caller) => jobs.show(caller, id), flags));

  leaf(group, "cancel", "cancel an image that nobody works on yet, or a story")
    .argument("<job-id>", "its id")
    .action((id: string, flags: CallFlags) => call((caller) => jobs.cancel(caller, id), flags));

  leaf(group, "wait", "wait until a job is done")
    .argument("<job-id>", "its id")
    .option("-o, --output <path>", "save its images: a folder, or a file for a single one")
    .addOption(format())
    .action((id: string, flags: CallFlags & jobs.WaitFlags) =>
      call((caller) => jobs.wait(caller, id, flags), flags),
    );
}

function addSkills(program: Command, call: Call): void {
  const group = program
    .command("skills")
    .description("files that teach an AI assistant to use this service");

  leaf(group, "list", "what there is, and in which formats", { isDefault: true }).action(
    (flags: CallFlags) => call(skills.list, flags),
  );

  leaf(group, "download", "save one; it holds your API key")
    .argument("<slug>", "which, as listed")
    .option("-f, --format <format>", "one of those listed; the first when left out")
    .option("-o, --output <path>", "a file, or a folder that exists", ".")
    .action((slug: string, flags: CallFlags & skills.DownloadFlags) =>
      call((caller) => skills.download(caller, slug, flags), flags),
    );
}

function leaf(
  group: Command,
  called: string,
  description: string,
  options: { readonly isDefault?: boolean } = {},
): Command {
  return group
    .command(called, options)
    .description(description)
    .option("--json", "answer in JSON")
    .option(
      "--url <url>",
      "the service; ATELIER_URL, or the one that runs here, when left out",
      address,
    )
    .option("--key <key>", "an API key of it; better in ATELIER_API_KEY, where nobody sees it");
}

function format(): Option {
  return new Option("-f, --format <format>", "of the files").choices(imageFormat.options);
}

function idempotencyKey(): Option {
  return new Option(
    "--idempotency-key <key>",
    "the same key and request are made and charged once, however often this runs",
  );
}

/** `https://… the harbour at dusk`: a URL and what it shows. */
function reference(
  text: string,
  before: NonNullable<GenerateFlags["reference"]> = [],
): NonNullable<GenerateFlags["reference"]> {
  const [, url, description] = /^(https?:\/\/\S+)\s+(\S.*)$/.exec(text.trim()) ?? [];
  if (url === undefined || description === undefined) {
    throw new InvalidArgumentError('It must be a URL and what it shows: "https://… a harbour".');
  }
  return [...before, { url, description }];
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

function wholeNumber(text: string): number {
  if (!/^[1-9]\d{0,2}$/.test(text)) throw new InvalidArgumentError("It must be a whole number.");
  return Number(text);
}
