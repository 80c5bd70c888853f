/** The `parameters` of a request, without what is left to the model. */
export type Parameters = Readonly<Record<string, unknown>>;

/** A number between two bounds. */
export interface NumberField {
  readonly kind: "number";
  readonly name: string;
  readonly min: number;
  readonly max: number;
  readonly step: number;
  /** The model's own value; null when it does not state one. */
  readonly preset: number | null;
}

/** One of a few texts. */
export interface ChoiceField {
  readonly kind: "choice";
  readonly name: string;
  readonly options: readonly string[];
  /** The model's own value; null when it does not state one. */
  readonly preset: string | null;
}

/** Items that differ in their choice, such as LoRAs, each with numbers of its own. */
export interface ListField {
  readonly kind: "list";
  readonly name: string;
  readonly most: number;
  readonly choice: ChoiceField;
  readonly numbers: readonly NumberField[];
}

/** A part of the form that a model's schema asks for. */
export type ParameterField = NumberField | ChoiceField | ListField;

/**
 * Reads the fields of a form from the JSON schema that a model states as `parameters`. Fields
 * of unknown forms are left out: the service then uses the model's own value.
 */
export function readFields(schema: Readonly<Record<string, unknown>> | null): ParameterField[] {
  return Object.entries(nodeOf(schema?.["properties"])).flatMap(([name, property]) => {
    const field = readField(name, nodeOf(property));
    return field === null ? [] : [field];
  });
}

function readField(name: string, node: Node): ParameterField | null {
  if (node["type"] === "array") return readList(name, node);
  return readNumber(name, node) ?? readChoice(name, node);
}

function readNumber(name: string, node: Node): NumberField | null {
  const { type, minimum: min, maximum: max, default: preset } = node;
  const isNumber = type === "integer" || type === "number";
  if (!isNumber || typeof min !== "number" || typeof max !== "number") return null;
  return {
    kind: "number",
    name,
    min,
    max,
    step: type === "integer" ? 1 : max - min <= 2 ? 0.05 : 0.1,
    preset: typeof preset === "number" ? preset : null,
  };
}

function readChoice(name: string, node: Node): ChoiceField | null {
  const { enum: listed, default: preset } = node;
  const options = Array.isArray(listed) ? listed.filter((one) => typeof one === "string") : [];
  if (options.length === 0) return null;
  return { kind: "choice", name, options, preset: typeof preset === "string" ? preset : null };
}

function readList(name: string, { items, maxItems }: Node): ListField | null {
  const fields = readFields(nodeOf(items));
  const choice = fields.find((field) => field.kind === "choice");
  if (choice === undefined) return null;
  const numbers = fields.filter((field) => field.kind === "number");
  const most = typeof maxItems === "number" ? maxItems : choice.options.length;
  return { kind: "list", name, most: Math.min(most, choice.options.length), choice, numbers };
}

type Node = Readonly<Record<string, unknown>>;

function nodeOf(value: unknown): Node {
  return typeof value === "object" && value !== null ? (value as Node) : {};
}

/** The parameters that a model allows; the others are left to the model. */
export function fitParameters(
  values: Parameters,
  schema: Readonly<Record<string, unknown>> | null,
): Parameters {
  const fields = readFields(schema);
  return Object.fromEntries(
    Object.entries(values).filter(([name, value]) =>
      fields.some((field) => field.name === name && allows(field, value)),
    ),
  );
}

function allows(field: ParameterField, value: unknown): boolean {
  switch (field.kind) {
    case "number":
      return typeof value === "number" && value >= field.min && value <= field.max;
    case "choice":
      return field.options.some((option) => option === value);
    case "list":
      return (
        Array.isArray(value) &&
        value.length <= field.most &&
        value.every((item) =>
          [field.choice, ...field.numbers].every((one) => allows(one, nodeOf(item)[one.name])),
        )
      );
  }
}

/** The parameters with one value changed; undefined and an empty list leave it to the model. */
export function changeParameter(values: Parameters, name: string, value: unknown): Parameters {
  const isLeft = value === undefined || (Array.isArray(value) && value.length === 0);
  const others = Object.entries(values).filter(([other]) => other !== name);
  return Object.fromEntries(isLeft ? others : [...others, [name, value]]);
}

/** The parameters of the request of a job. */
export function parametersOf(request: Readonly<Record<string, unknown>>): Parameters {
  return nodeOf(request["parameters"]);
}
