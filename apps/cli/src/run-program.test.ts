import { Command } from "commander";
import { expect, it } from "vitest";
import { NotSavedError } from "./calls/not-saved-error.ts";
import { runProgram } from "./run-program.ts";

/** Runs a program whose only command fails after Ctrl-C. */
async function interrupt(error: Error) {
  let written = "";
  const write = (text: string) => (written += text);
  const interruption = new AbortController();
  const code = await runProgram(
    {
      name: "atelier",
      usesCurrentFolder: false,
      create: ({ call }) =>
        new Command().action(() =>
          call(async () => {
            interruption.abort();
            throw error;
          }, {}),
        ),
    },
    [],
    {
      environment: { ATELIER_URL: "http://localhost:1", ATELIER_API_KEY: "key" },
      stdout: { write },
      stderr: { write },
      onInterruption: () => interruption.signal,
    },
  );
  return { code, written };
}

it("says that an interrupted job continues", async () => {
  expect(await interrupt(new Error("aborted"))).toEqual({
    code: 130,
    written: "Stopped. An accepted job continues: atelier jobs\n",
  });
});

it("says that a job is done and charged when its download is interrupted", async () => {
  expect(await interrupt(new NotSavedError("j-1", new Error("aborted")))).toEqual({
    code: 130,
    written:
      "Stopped.\nThe job is done and charged. To save its images: atelier jobs wait j-1 -o <folder>\n",
  });
});
