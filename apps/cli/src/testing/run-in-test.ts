import { addSettingsOfFile } from "@atelier/configuration";
import { run } from "../run.ts";

/** How a command ended, and everything that it wrote. */
export interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * Runs a command in this process, with the settings of the file that `ATELIER_ENV_FILE` of the environment names.
 *
 * @param isTTY true if stderr, with its progress, is a terminal; `both` also for stdout. Default: neither.
 */
export async function runInTest(
  args: readonly string[],
  environment: Readonly<Record<string, string | undefined>>,
  isTTY: boolean | "both" = false,
): Promise<Outcome> {
  const written = { stdout: "", stderr: "" };
  const output = (name: "stdout" | "stderr") => ({
    isTTY: isTTY === "both" || (isTTY && name === "stderr"),
    write: (text: string) => (written[name] += text),
  });
  const code = await run(args, {
    environment,
    stdout: output("stdout"),
    stderr: output("stderr"),
    onInterruption: () => new AbortController().signal,
    ...(environment["ATELIER_ENV_FILE"] !== undefined && { addSettings: addSettingsOfFile }),
  });
  return { code, ...written };
}
