import { AtelierError, createAtelier } from "@atelier/client";
import { createApi, createTransport } from "@atelier/client/api";
import { ConfigError, StartError, type Environment } from "@atelier/configuration";
import { CommanderError, type Command, type OutputConfiguration } from "commander";
import { escapeControls } from "@atelier/kit";
import { paint, type Answer } from "./answer.ts";
import type { Call } from "./calls/call.ts";
import { findService } from "./calls/find-service.ts";
import { NotSavedError } from "./calls/not-saved-error.ts";
import { createProgress } from "./calls/progress.ts";
import { adviceFor, exitCodeOf, exitCodes, InterruptedError } from "./exit-codes.ts";
import { escaping, hasColor, isInteractive, type Output } from "./output.ts";
import { createRemark, type Remark } from "./remark.ts";

/** Runs a command of operators, which reads settings from the environment and opens its own resources. */
export type WithEnvironment = (
  work: (environment: Environment, remark: Remark) => Promise<Answer>,
  options: { readonly json?: boolean },
) => Promise<void>;

/** Runs the commands that every program has. */
export interface CommonRunners {
  readonly call: Call;
  readonly withEnvironment: WithEnvironment;
  /** Returns the environment with the settings of the file, and reports the file once. */
  readonly readSettings: () => Environment;
}

/** A command line program. */
export interface Program {
  /** How it is started, such as `npm run atelier --`. */
  readonly name: string;
  /** Whether it uses the installation in the current folder, which is that of the repository. */
  readonly usesCurrentFolder: boolean;
  /** Creates its commands. They never end the process. */
  readonly create: (runners: CommonRunners, output: OutputConfiguration) => Command;
}

/** The variables and outputs of a command, and its Ctrl-C. */
export interface Surroundings {
  readonly environment: Environment;
  /** For results. */
  readonly stdout: Output;
  /** For progress, notes and errors. */
  readonly stderr: Output;
  /** Makes Ctrl-C abort the returned signal instead of ending the program. */
  readonly onInterruption: () => AbortSignal;
  /** Adds the settings of a file for the commands of operators. Default: none. */
  readonly addSettings?: (environment: Environment) => {
    readonly environment: Environment;
    readonly remark: string | null;
  };
}

/**
 * Runs one command line.
 *
 * @param args without the names of Node and the program.
 * @returns the exit code, see `exitCodes`.
 */
export async function runProgram(
  { name, usesCurrentFolder, create }: Program,
  args: readonly string[],
  surroundings: Surroundings,
): Promise<number> {
  const { environment, onInterruption } = surroundings;
  const interactive = isInteractive(surroundings.stderr, environment);
  const color = hasColor(surroundings.stderr, environment);
  const stdout = escaping(surroundings.stdout);
  const stderr = escaping(surroundings.stderr);
  let exitCode: number = exitCodes.done;

  /** Prints an answer, and keeps its exit code. */
  function show(answer: Answer, json: boolean | undefined): void {
    const { colors } = answer;
    if (json === true) stdout.write(`${JSON.stringify(answer.json)}\n`);
    else if (colors !== undefined && hasColor(surroundings.stdout, environment))
      surroundings.stdout.write(`${paint(escapeControls(answer.text), colors)}\n`);
    else stdout.write(`${answer.text}\n`);
    if (interactive && json !== true && answer.note !== undefined) stderr.write(`${answer.note}\n`);
    exitCode = answer.exitCode ?? exitCodes.done;
  }

  const call: Call = async (work, flags) => {
    const service = await findService(flags, environment, { usesCurrentFolder });
    const atelier = createAtelier(service);
    const interrupted = onInterruption();
    const progress = createProgress({ output: surroundings.stderr, interactive, color });
    let jobId: string | null = null;
    const follow = {
      signal: interrupted,
      onProgress: (job: Parameters<typeof progress.show>[0]) => {
        jobId = job.id;
        progress.show(job);
      },
    };
    try {
      const answer = await work({
        atelier,
        api: createApi(createTransport({}), service.baseUrl, service.apiKey),
        follow,
        programName: name,
        print(line) {
          if (flags.json === true) return;
          progress.end();
          stdout.write(`${line}\n`);
        },
      });
      progress.end();
      show(answer, flags.json);
    } catch (error) {
      progress.end();
      if (!interrupted.aborted) throw error;
      if (error instanceof NotSavedError) {
        throw new NotSavedError(error.jobId, new InterruptedError("Stopped."));
      }
      throw new InterruptedError(describeInterruption(jobId, name));
    }
  };

  const remark = createRemark(stderr, interactive);
  let settings: Environment | null = null;
  const readSettings = () => {
    if (settings !== null) return settings;
    const read = surroundings.addSettings?.(environment) ?? { environment, remark: null };
    if (read.remark !== null) stderr.write(`${read.remark}\n`);
    return (settings = read.environment);
  };
  const withEnvironment: WithEnvironment = async (work, { json }) =>
    show(await work(readSettings(), remark), json);

  try {
    const output = {
      writeOut: (text: string) => void stdout.write(text),
      writeErr: (text: string) => void stderr.write(text),
    };
    await create({ call, withEnvironment, readSettings }, output).parseAsync(args, {
      from: "user",
    });
    return exitCode;
  } catch (error) {
    report(error, { name, stderr, json: args.includes("--json") });
    return exitCodeOf(error);
  }
}

interface Report {
  readonly stderr: Output;
  readonly json: boolean;
  /** How the program is started. */
  readonly name: string;
}

/** Prints the error and, on another line, what to do; with --json, the service's error as JSON. */
function report(failure: unknown, { stderr, json, name }: Report): void {
  // Commander has already printed the error.
  if (failure instanceof CommanderError) return;
  const unsaved = failure instanceof NotSavedError ? failure : null;
  const error = unsaved === null ? failure : unsaved.cause;
  if (json && error instanceof AtelierError) {
    const { code, message, details, status, requestId } = error;
    const jobId = unsaved?.jobId ?? error.jobId;
    const body = { error: code, message, details, status, request_id: requestId, job_id: jobId };
    stderr.write(`${JSON.stringify(body)}\n`);
    return;
  }
  const code = error instanceof AtelierError ? `${error.code}: ` : "";
  const advice = adviceFor(error, name);
  stderr.write(`${code}${describe(error)}\n${advice === null ? "" : `${advice}\n`}`);
  if (unsaved !== null) {
    const command = `${name} jobs wait ${unsaved.jobId} -o <folder>`;
    stderr.write(`The job is done and charged. To save its images: ${command}\n`);
  } else if (error instanceof AtelierError && hasFailedToRead(error)) {
    stderr.write(`The job goes on: ${name} jobs wait ${error.jobId}\n`);
  }
}

/** Whether reading the job failed, rather than the job itself. */
function hasFailedToRead({ jobId, status, code }: AtelierError): boolean {
  return jobId !== null && (status !== null || code === "connection_failed");
}

function describeInterruption(jobId: string | null, name: string): string {
  return jobId === null
    ? `Stopped. An accepted job continues: ${name} jobs`
    : `Stopped waiting. The job continues: ${name} jobs wait ${jobId}`;
}

/** The message of an error; for errors of database tools, its last line. */
export function describe(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  if (error instanceof ConfigError || error instanceof StartError) return error.message;
  const lastLine = error.message.trimEnd().split("\n").at(-1) ?? "";
  if (lastLine !== "") return lastLine;
  return "code" in error ? String(error.code) : error.name;
}
