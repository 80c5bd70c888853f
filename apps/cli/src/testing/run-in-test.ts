import { run } from "../run.ts";

/** How a command ended, and everything that it wrote. */
export interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs a command in this process.
 *
 * @param isTTY whether its progress goes to a terminal. Default: no.
 */
export async function runInTest(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
  isTTY = false,
): Promise<Outcome> {
  const written = { stdout: "", stderr: "" };
  const output = (name: "stdout" | "stderr") => ({
    isTTY: isTTY && name === "stderr",
    write: (text: string) => (written[name] += text),
  });
  const code = await run(args, {
    environment,
    stdout: output("stdout"),
    stderr: output("stderr"),
    onInterruption: () => new AbortController().signal,
  });
  return { code, ...written };
}
