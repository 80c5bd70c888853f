import type { Command } from "commander";
import type { Call, CallFlags } from "../calls/call.ts";
import { leaf } from "../calls/leaf.ts";

/** Adds `story-demo`, whose story and contact sheet are part of the repository. */
export function addStoryDemo(program: Command, call: Call): void {
  leaf(program, "story-demo", "make the example story of the README")
    .option(
      "-o, --output <folder>",
      "folder for its images (default: story-demo, or the next free name)",
    )
    .action((flags: CallFlags & { output?: string }) =>
      call(async (caller) => {
        const { generateDemoStory } = await import("./story-demo.ts");
        return generateDemoStory(caller, flags);
      }, flags),
    );
}
