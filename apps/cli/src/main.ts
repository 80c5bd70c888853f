import { ConfigError } from "@atelier/configuration";
import { createDatabase } from "@atelier/database";
import { CommanderError } from "commander";
import { findConnection } from "./connection.ts";
import { createProgram, type Perform, type RunStoryDemo } from "./program.ts";
import { findCaller } from "./story-demo/caller.ts";
import { tellStory } from "./story-demo/story-demo.ts";
import { createStoryProgress } from "./story-demo/story-progress.ts";

/** Opens the database for one command, and shows what it has to say. */
const perform: Perform = async (work, { json }) => {
  const { databaseUrl, keyPepper } = await findConnection(process.env);
  const database = createDatabase({
    url: databaseUrl,
    poolSize: 1,
    applicationName: "atelier-cli",
  });
  try {
    await database.check().catch((cause: unknown) => {
      throw new Error(`The database does not answer: ${describe(cause)}`, { cause });
    });
    const answer = await work({ database, keyPepper });
    process.stdout.write(`${json === true ? JSON.stringify(answer.json) : answer.text}\n`);
  } finally {
    await database.close();
  }
};

const runStoryDemo: RunStoryDemo = async ({ json, output }) => {
  const caller = await findCaller(process.env);
  const { stderr } = process;
  const color = stderr.isTTY && !process.env["NO_COLOR"];
  const story = await tellStory(caller, output, createStoryProgress(stderr, color));
  if (json === true) {
    process.stdout.write(`${JSON.stringify(story)}\n`);
    return;
  }
  const lines = [
    story.title,
    ...story.scenes.map(({ title, file }, index) => `  ${index + 1}  ${title}  ${file}`),
    `Contact sheet: ${story.sheet}`,
    `${story.costEur} EUR charged, ${story.balanceEur} EUR left`,
  ];
  process.stdout.write(`${lines.join("\n")}\n`);
};

/** The database tools say what happened in the last line of many. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof ConfigError) return error.message;
  const lastLine = error.message.trimEnd().split("\n").at(-1) ?? "";
  if (lastLine !== "") return lastLine;
  return "code" in error ? String(error.code) : error.name;
}

try {
  await createProgram(perform, runStoryDemo).parseAsync();
} catch (error) {
  if (error instanceof CommanderError) {
    // It has said what is wrong already.
    process.exitCode = error.exitCode === 0 ? 0 : 2;
  } else {
    process.stderr.write(`${describe(error)}\n`);
    process.exitCode = 1;
  }
}
