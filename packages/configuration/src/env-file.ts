import { readFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { parseEnv } from "node:util";
import { withoutEmpty, type Environment } from "./environment.ts";
import { ConfigError } from "./errors.ts";

/** The checkout, or the folder of the programs in a container image. */
const root = fileURLToPath(new URL("../../../", import.meta.url));

/**
 * The settings that `.env.example` lists below its headings, such as `API` or `Docker Compose`, with their defaults.
 */
export function readSettingNames(): ReadonlyMap<string, Readonly<Record<string, string>>> {
  const [, ...sections] = readFileSync(join(root, ".env.example"), "utf8").split(/^# --- /m);
  return new Map(
    sections.map((section) => {
      const [heading = ""] = section.split(" -", 1);
      const lines = section.matchAll(/^([A-Z_\d]+)=(.*)$/gm);
      return [
        heading,
        Object.fromEntries([...lines].map(([, name = "", value = ""]) => [name, value])),
      ];
    }),
  );
}

/** The environment of a program, and what it printed about the file. */
interface SettingsOfFile {
  readonly environment: Record<string, string>;
  /** Names that were taken from the file. */
  readonly taken: readonly string[];
  /** One line for the operator; null without a file or its settings. */
  readonly remark: string | null;
}

/**
 * Adds the settings of the file `.env` in the root of the checkout, or of the file that `ATELIER_ENV_FILE` names, to an
 * environment. Variables of the environment win, also `NAME` over `NAME_FILE` of the file and the other way round.
 * Only names of `.env.example` are taken, so that a file cannot change what a program executes.
 *
 * @throws ConfigError if the named file cannot be read.
 */
export function addSettingsOfFile(environment: Environment): SettingsOfFile {
  const own = withoutEmpty(environment);
  const named = own["ATELIER_ENV_FILE"];
  const path = named ?? join(root, ".env");
  const text = readText(path, { isRequired: named !== undefined });
  if (text === null) return { environment: own, taken: [], remark: null };
  const known = new Set([...readSettingNames().values()].flatMap((names) => Object.keys(names)));
  const taken: string[] = [];
  const unread: string[] = [];
  let otherLines = 0;
  const result = { ...own };
  for (const [name, value] of Object.entries(withoutEmpty(parseEnv(text)))) {
    const setting = known.has(name) ? name : name.replace(/_FILE$/, "");
    if (!known.has(setting)) {
      if (isSetting(name, value)) unread.push(name);
      else otherLines += 1;
    } else if (!(setting in own) && !(`${setting}_FILE` in own)) {
      result[name] = value;
      taken.push(name);
    }
  }
  return { environment: result, taken, remark: describe(path, { taken, unread, otherLines }) };
}

/**
 * Adds the settings of the file to the environment of this process, and reports it on stderr in one line.
 *
 * @throws ConfigError if the named file cannot be read.
 */
export function readEnvironment(): Environment {
  const { environment, remark } = addSettingsOfFile(process.env);
  if (remark !== null) process.stderr.write(`${remark}\n`);
  return environment;
}

function readText(path: string, { isRequired }: { readonly isRequired: boolean }): string | null {
  try {
    return readFileSync(path, "utf8");
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === "ENOENT";
    if (isMissing && !isRequired) return null;
    const advice = isRequired ? "ATELIER_ENV_FILE must name a readable file." : "";
    throw new ConfigError(`${path} cannot be read. ${advice}`.trim());
  }
}

/** False for lines of a value without quotes, such as those of a key in PEM, which end in `==`. */
function isSetting(name: string, value: string): boolean {
  return /^[A-Z][A-Z\d_]*$/.test(name) && value !== "=";
}

/** Names only: values may be secrets. */
function describe(
  path: string,
  found: {
    readonly taken: readonly string[];
    readonly unread: readonly string[];
    readonly otherLines: number;
  },
): string | null {
  const { taken, unread, otherLines } = found;
  if (taken.length + unread.length + otherLines === 0) return null;
  const used = taken.length === 0 ? "no setting is used" : taken.join(", ");
  const ignored =
    unread.length === 0
      ? ""
      : ` Ignored, because .env.example does not list them: ${unread.join(", ")}.`;
  const others =
    otherLines === 0
      ? ""
      : ` Lines ignored, because they name no setting: ${otherLines}. Put values of several lines in quotes.`;
  return `Settings of ${path}: ${used}.${ignored}${others}`;
}
