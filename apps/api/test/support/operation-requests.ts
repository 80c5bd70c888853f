import { operations, type Operation } from "@atelier/schemas";
import * as z from "zod";

interface JsonSchema {
  readonly $ref?: string;
  readonly $defs?: Readonly<Record<string, JsonSchema>>;
  readonly anyOf?: readonly JsonSchema[];
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly items?: JsonSchema;
  readonly additionalProperties?: JsonSchema | boolean;
}

/** The paths of all images that a request may name, with 0 for a place in a list and `key` for a key. */
export function imagesOf(operation: Operation): string[] {
  const root: JsonSchema = z.toJSONSchema(operations[operation].request, {
    io: "input",
    unrepresentable: "any",
  }) as JsonSchema;
  function find(schema: JsonSchema, path: readonly string[]): string[] {
    if (schema.$ref !== undefined) {
      const definition = root.$defs?.[schema.$ref.replace("#/$defs/", "")];
      return definition === undefined ? [] : find(definition, path);
    }
    const { anyOf = [], properties = {}, items, additionalProperties: values } = schema;
    if ("upload_id" in properties) return [path.join(".")];
    return [
      ...anyOf.flatMap((one) => find(one, path)),
      ...Object.entries(properties).flatMap(([name, one]) =>
        name === "reference_url" ? [[...path, name].join(".")] : find(one, [...path, name]),
      ),
      ...(items === undefined ? [] : find(items, [...path, "0"])),
      ...(typeof values === "object" ? find(values, [...path, "key"]) : []),
    ];
  }
  return find(root, []);
}

/** A story whose first character, with its state, and first location are in no scene. */
export const story = {
  model: "fake-blind",
  characters: [
    { name: "Otto", description: "an old man", states: { key: { description: "in a coat" } } },
    {
      name: "Mira",
      description: "a sailor",
      states: { rain: { description: "in a raincoat" }, ball: { description: "in a gown" } },
    },
  ],
  locations: [
    { name: "Pier", description: "wet stones" },
    { name: "Beach", description: "dunes" },
  ],
  scenes: [
    { prompt: "Mira finds a kite", characters: ["Mira"], location: "Beach" },
    { prompt: "Mira in the rain", characters: [{ name: "Mira", state: "rain" }] },
  ],
};

/** A request of an operation that is valid; its own images are all the same source. */
export function requestOf(operation: Operation, good: object): object {
  if (operation === "story") return story;
  if (operation === "scene") {
    const subject = { name: "Otto", description: "an old man", reference: good };
    return {
      model: "fake-blind",
      prompt: "a pier",
      characters: [subject],
      location: { ...subject },
    };
  }
  const [[, example]] = Object.values(operations[operation].examples);
  return JSON.parse(JSON.stringify(example), (_, value: unknown) =>
    typeof value === "object" && value !== null && ("job_id" in value || "upload_id" in value)
      ? { ...value, job_id: undefined, ...good }
      : value,
  ) as object;
}

/** Puts an image at a path; one at a `reference_url` cannot be used. */
export function withImage(request: object, path: string, source: object): object {
  const steps = path.split(".");
  const last = steps.pop() ?? "";
  const changed = structuredClone(request) as Record<string, unknown>;
  let parent = changed;
  for (const [index, step] of steps.entries()) {
    parent[step] ??= [steps[index + 1], last].includes("0") ? [] : {};
    parent = parent[step] as Record<string, unknown>;
  }
  const { description = "a hut" } = (parent[last] ?? {}) as { readonly description?: string };
  if (last === "reference_url") {
    delete parent["reference"];
    parent[last] = "https://127.0.0.1/a.png";
  } else {
    parent[last] = last === "0" ? { description, ...source } : source;
  }
  return changed;
}
