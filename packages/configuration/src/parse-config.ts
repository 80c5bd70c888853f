import { readFileSync } from "node:fs";
import * as z from "zod";
import { withoutEmpty, type Environment } from "./environment.ts";
import { ConfigError } from "./errors.ts";

/**
 * Reads a program's settings from environment variables. Empty variables count as absent. A secret `NAME`
 * may come from the file in `NAME_FILE`. Unknown variables are ignored.
 *
 * @throws ConfigError that names every missing or invalid variable, never its value.
 */
export function parseConfig<Shape extends z.ZodRawShape>(
  schema: z.ZodObject<Shape>,
  environment: Environment,
): z.infer<z.ZodObject<Shape>> {
  const values: Record<string, string> = {};
  const problems: string[] = [];
  const set = withoutEmpty(environment);
  for (const name of Object.keys(schema.shape)) {
    const file = set[`${name}_FILE`];
    try {
      const value = file === undefined ? set[name] : readFileSync(file, "utf8").trim();
      if (value !== undefined && value !== "") values[name] = value;
    } catch {
      problems.push(`${name}_FILE: ${file} cannot be read`);
    }
  }
  const result = schema.safeParse(values);
  if (!result.success) {
    problems.push(
      ...result.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`),
    );
  }
  if (!result.success || problems.length > 0) {
    throw new ConfigError(
      `The configuration is not valid:\n${problems.map((line) => `  ${line}`).join("\n")}\n` +
        "See .env.example for what each variable means.",
    );
  }
  return result.data;
}
