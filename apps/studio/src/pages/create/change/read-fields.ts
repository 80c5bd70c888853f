import type { Change } from "../changes.ts";

/** A field of a change that is typed. */
export interface ChangeField {
  readonly name: string;
  readonly kind: "number" | "text";
  /** Bounds of a number; undefined for a text. */
  readonly min: number | undefined;
  readonly max: number | undefined;
  readonly isInteger: boolean;
}

/** Parts of a request that the form has fields of its own for. */
const formFields: readonly string[] = ["model", "image", "mask", "markup", "strictness"];

/** Of an edit, the form has all other fields. */
const fieldsOfEdit: readonly string[] = ["strength"];

/** Reads the fields of a change from the schema of its requests, which is loaded on the first use. */
export async function readChangeFields(operation: Change): Promise<readonly ChangeField[]> {
  const { forbidEval } = await import("../../stories/forbid-eval.ts");
  forbidEval();
  const { schemaOf } = await import("./schema-of.ts");
  const fields = fieldsOf(schemaOf(operation));
  return operation === "edit" ? fields.filter(({ name }) => fieldsOfEdit.includes(name)) : fields;
}

type Node = Readonly<Record<string, unknown>>;

/** The numbers and texts of a JSON schema of a request. Other types are left to the service. */
export function fieldsOf(schema: object): readonly ChangeField[] {
  const { properties = {} } = rootOf(schema as Node);
  return Object.entries(properties as Readonly<Record<string, Node>>).flatMap(([name, node]) => {
    if (formFields.includes(name)) return [];
    const field = readField(name, node);
    return field === null ? [] : [field];
  });
}

/** A schema with an id is a definition that the document refers to. */
function rootOf(schema: Node): Node {
  const { $ref: reference, $defs: definitions } = schema;
  if (typeof reference !== "string") return schema;
  const name = reference.split("/").at(-1) ?? "";
  return (definitions as Readonly<Record<string, Node>> | undefined)?.[name] ?? schema;
}

function readField(name: string, node: Node): ChangeField | null {
  const { type, format, minimum: min, maximum: max } = node;
  if (type === "string" && format === undefined) {
    return { name, kind: "text", min: undefined, max: undefined, isInteger: false };
  }
  if (type !== "integer" && type !== "number") return null;
  return {
    name,
    kind: "number",
    min: typeof min === "number" ? min : undefined,
    max: typeof max === "number" ? max : undefined,
    isInteger: type === "integer",
  };
}
