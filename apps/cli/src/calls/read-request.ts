import { readFile } from "node:fs/promises";
import { UsageError } from "@atelier/configuration";
import { parse as parseYaml } from "yaml";

/**
 * Reads a request from JSON or YAML; the service validates it.
 *
 * @param kind names the request in errors, such as `a story`.
 * @throws UsageError for an unreadable file, or one without an object.
 */
export async function readRequest(path: string, kind: string): Promise<Record<string, unknown>> {
  const text = await readFile(path, "utf8").catch((cause: unknown) => {
    throw new UsageError(`${path} cannot be read. Pass a file in JSON or YAML.`, { cause });
  });
  try {
    const content: unknown = path.endsWith(".json")
      ? JSON.parse(withoutMark(text))
      : parseYaml(text);
    if (typeof content !== "object" || content === null || Array.isArray(content)) {
      throw new Error("it must contain the properties of the request");
    }
    return content as Record<string, unknown>;
  } catch (cause) {
    const [reason] = (cause as Error).message.split("\n");
    throw new UsageError(`${path} is not ${kind}: ${reason}`, { cause });
  }
}

/** Removes the byte order mark of Windows editors, which JSON does not allow. */
function withoutMark(text: string): string {
  return text.replace(/^\uFEFF/, "");
}
