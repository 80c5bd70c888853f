import { Ajv2020 } from "ajv/dist/2020.js";
import addFormats from "ajv-formats";
import type { OpenApiDocument } from "@atelier/openapi";

/** The properties of the document that are read here. */
interface Operation {
  readonly operationId: string;
  readonly requestBody?: { readonly content: Record<string, Media> };
  readonly responses: Record<string, DeclaredResponse>;
}
interface DeclaredResponse {
  readonly headers?: Record<string, unknown>;
  readonly content?: Record<string, Media>;
}
interface Media {
  readonly schema?: object;
  readonly examples?: Record<string, { readonly $ref?: string; readonly value?: unknown }>;
}

/** An example of the document, with its schema. */
interface DocumentExample {
  /** Such as `POST /v1/generate/image 200 image`. */
  readonly name: string;
  readonly operation: string;
  /** Null for a request. */
  readonly status: string | null;
  readonly value: unknown;
  /** Problems of the example; empty for a valid one. */
  readonly problems: string;
}

export interface DocumentChecks {
  /** Every operation, such as `GET /v1/jobs/{id}`. */
  readonly operations: readonly string[];
  readonly examples: readonly DocumentExample[];
  /** 2xx bodies and error responses of an operation without an example in the document. */
  readonly withoutExample: readonly string[];
  /**
   * Returns what the document does not declare of a real response: its status, its media type, a
   * property, an error code or a header. Empty if it declares everything.
   */
  problemsOf(operation: string, response: Response, body: unknown): string[];
}

/** Reads a document so that real responses can be compared with it. */
export function createDocumentChecks(document: OpenApiDocument): DocumentChecks {
  const ajv = addFormats.default(new Ajv2020({ strict: false, validateSchema: false }));
  ajv.addSchema(document, "document");
  const components = document.components as unknown as {
    readonly examples: Record<string, { readonly value: unknown }>;
    readonly headers: Record<string, unknown>;
  };
  const operations = new Map(
    Object.entries(document.paths ?? {}).flatMap(([path, item]) =>
      Object.entries(item).map(([method, operation]) => [
        `${method.toUpperCase()} ${path}`,
        { pointer: pointerTo("paths", path, method), operation: operation as Operation },
      ]),
    ),
  );

  function validate(pointer: string, value: unknown): string {
    const check = ajv.getSchema(`document#${pointer}`);
    if (check === undefined) throw new Error(`there is no schema at ${pointer}`);
    return check(value) === true ? "" : ajv.errorsText(check.errors, { dataVar: "body" });
  }

  function examplesOf(
    { operation, status }: Pick<DocumentExample, "operation" | "status">,
    pointer: string,
    content: Record<string, Media> = {},
  ): DocumentExample[] {
    return Object.entries(content).flatMap(([mediaType, media]) =>
      Object.entries(media.examples ?? {}).map(([key, { $ref, value }]) => {
        const shown =
          $ref === undefined ? value : components.examples[$ref.split("/").at(-1)!]?.value;
        const schema = pointer + pointerTo("content", mediaType, "schema");
        const name = [operation, status ?? "request", key].join(" ");
        return { name, operation, status, value: shown, problems: validate(schema, shown) };
      }),
    );
  }

  const examples = [...operations].flatMap(([name, { pointer, operation }]) => [
    ...examplesOf(
      { operation: name, status: null },
      `${pointer}/requestBody`,
      operation.requestBody?.content,
    ),
    ...Object.entries(operation.responses).flatMap(([status, declared]) =>
      examplesOf(
        { operation: name, status },
        pointer + pointerTo("responses", status),
        declared.content,
      ),
    ),
  ]);

  const withoutExample = [...operations].flatMap(([name, { operation }]) => [
    ...bodiesWithoutExample(`${name} request`, operation.requestBody?.content),
    ...Object.entries(operation.responses).flatMap(([status, { content }]) =>
      bodiesWithoutExample(`${name} ${status}`, content),
    ),
  ]);

  return {
    operations: [...operations.keys()],
    examples,
    withoutExample,
    problemsOf(name, response, body) {
      const { pointer, operation } = operations.get(name) ?? {};
      if (pointer === undefined || operation === undefined) return [`no operation ${name}`];
      const status = String(response.status);
      const declared = operation.responses[status];
      if (declared === undefined) return [`${name} has no declared ${status}`];
      const undocumented = Object.keys(components.headers)
        .filter((header) => response.headers.has(header) && !(header in (declared.headers ?? {})))
        .map((header) => `${name} ${status} has no header ${header}`);
      const mediaType = (response.headers.get("Content-Type") ?? "").split(";")[0] ?? "";
      const media = declared.content?.[mediaType];
      if (media === undefined) return [...undocumented, `${name} ${status} has no ${mediaType}`];
      const schema = pointer + pointerTo("responses", status, "content", mediaType, "schema");
      const wrong = media.schema === undefined ? "" : validate(schema, body);
      const code = codeOf(body);
      const unknownCode =
        response.ok || code === null || code in (media.examples ?? {})
          ? []
          : [`${name} ${status} has no code ${code}`];
      return [...undocumented, ...unknownCode, ...(wrong === "" ? [] : [`${name}: ${wrong}`])];
    },
  };
}

function bodiesWithoutExample(name: string, content: Record<string, Media> = {}): string[] {
  return (
    Object.entries(content)
      // A file in a form cannot be shown as JSON.
      .filter(([mediaType]) => mediaType !== "multipart/form-data")
      .filter(([, { schema, examples }]) => schema !== undefined && examples === undefined)
      .map(([mediaType]) => `${name} ${mediaType}`)
  );
}

/** Returns the code of an error in our format or OpenAI's. */
function codeOf(body: unknown): string | null {
  const { error } = body as { error?: unknown };
  if (typeof error === "string") return error;
  const { code } = (error ?? {}) as { code?: unknown };
  return typeof code === "string" ? code : null;
}

/** Encodes a JSON pointer for the fragment of a URL. */
function pointerTo(...steps: readonly string[]): string {
  return steps
    .map((step) => `/${encodeURIComponent(step.replaceAll("~", "~0").replaceAll("/", "~1"))}`)
    .join("");
}
