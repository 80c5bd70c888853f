import type { Command } from "commander";
import type { FindFlags } from "../find-jobs.ts";
import { leaf, type Actions } from "./command.ts";
import { count, id, sha256, shareName, time, watermark, type ShareName } from "./parse-values.ts";

/** Adds the commands that lead from a clue to a job of any account, and through its life. */
export function addFind(program: Command, { onDatabase }: Actions): void {
  onDatabase(
    leaf(program, "find", "find jobs of all accounts by an image, an id or a time")
      .option("--file <path>", "an image: its hash, its watermark or its look")
      .option("--hash <sha256>", "of a delivered file", sha256)
      .option("--watermark <id>", "16 hexadecimal digits, as verify prints them", watermark)
      .option("--request-id <id>", "X-Request-Id of the request, or the id of a batch")
      .option("--job <id>", "id of the job", id)
      .option("--from <time>", "jobs accepted since then, such as 2026-11-30T14:05Z", time)
      .option("--to <time>", "jobs accepted before (default: now)", time)
      .option("--text <words>", "with these words in their prompt or title; needs --from")
      .option("--limit <count>", "maximum number of jobs", count, 20),
    async ({ database, environment }, flags: FindFlags) =>
      (await import("../find-jobs.ts")).find(database, environment, flags),
  );
  onDatabase(
    leaf(
      groupOf(program, "jobs"),
      "explain",
      "show the life of a job of any account (for operators)",
    ).argument("<job-id>", "id of the job", id),
    async ({ database }, jobId: string) =>
      (await import("../explain-job.ts")).explain(database, jobId),
  );
  onDatabase(
    leaf(
      groupOf(program, "shares"),
      "remove",
      "end a link of any account at once (for operators)",
    ).argument("<link-or-id>", "the link, or the id of the share", shareName),
    async (workplace, name: ShareName) =>
      (await import("../remove-share.ts")).remove(workplace, name),
  );
}

/** @throws Error for a group that the commands for callers do not have. */
function groupOf(program: Command, name: string): Command {
  const group = program.commands.find((command) => command.name() === name);
  if (group === undefined) throw new Error("the callers' commands are added first");
  return group;
}
