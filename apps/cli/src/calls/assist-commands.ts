import type { StoryDraft } from "@atelier/client";
import { draftLanguages } from "@atelier/schemas/endpoints";
import { Option, type Command } from "commander";
import type { Call, CallFlags } from "./call.ts";
import { leaf, wholeNumber } from "./leaf.ts";

interface AssistFlags extends CallFlags {
  readonly style?: string;
}

interface StoryFlags extends AssistFlags {
  readonly scenes?: number;
  readonly language?: (typeof draftLanguages)[number];
}

/** Adds the commands for texts of the service's language model. */
export function addAssist(program: Command, call: Call): void {
  const group = program
    .command("assist")
    .description("let the service's language model improve a prompt or draft a story");
  const style = ["--style <style>", "visual style that the texts must suit"] as const;

  leaf(group, "prompt", "print up to three better prompts, each with what was added")
    .argument("<prompt>", "the prompt to rewrite")
    .option(...style)
    .action((prompt: string, flags: AssistFlags) =>
      call(async ({ atelier, follow: { signal } }) => {
        const request = { prompt, ...(flags.style !== undefined && { style: flags.style }) };
        const json = await atelier.assist.prompt(request, { signal });
        const text = json.suggestions
          .map(({ prompt: better, added }) =>
            [better, ...added.map((part) => `  + ${part}`)].join("\n"),
          )
          .join("\n\n");
        return { json, text };
      }, flags),
    );

  leaf(group, "story", "print a draft of a story, which the command story takes with --model")
    .argument("<idea>", "the story in a sentence or two")
    .option("--scenes <count>", "number of scenes, 2 to 10 (default: 4)", wholeNumber)
    .addOption(
      new Option("--language <code>", "language of all texts (default: that of the idea)").choices(
        draftLanguages,
      ),
    )
    .option(...style)
    .action((idea: string, { scenes, language, style: wanted, ...flags }: StoryFlags) =>
      call(async ({ atelier, follow: { signal } }) => {
        const request = {
          idea,
          ...(scenes !== undefined && { scenes }),
          ...(language !== undefined && { language }),
          ...(wanted !== undefined && { style: wanted }),
        };
        const { story }: StoryDraft = await atelier.assist.story(request, { signal });
        return { json: story, text: JSON.stringify(story, null, 2) };
      }, flags),
    );
}
