import type * as z from "zod";
import type { OperationError } from "../errors.ts";
import type { Task } from "../tasks.ts";

/** A change of an image, as manifests describe it. */
export interface ImageChange {
  /** A C2PA action (C2PA 2.4, actions). */
  readonly action: `c2pa.${string}`;
  /** The past participle of the description, such as "Edited". */
  readonly participle: string;
  /**
   * Whether it adds content that the image did not show. Otherwise the result is synthetic only if the
   * image is.
   */
  readonly isGenerative: boolean;
}

/** The MCP tool of an operation. */
export interface OperationTool {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /**
   * For a tool of several operations, whose calls name one in `operation`: what it does, before the
   * descriptions of these. Default: a tool of this operation alone.
   */
  readonly shared?: string;
}

/** An operation of `POST /v1/generate/{name}`, as all clients see it. */
export interface OperationDefinition<Body extends object = object> {
  /** Validates the body of its requests. */
  readonly request: z.ZodObject & z.ZodType<Body>;
  /**
   * The kind of its jobs. A request for a story does not wait for its result, and its job has the
   * deadline of stories.
   */
  readonly kind: "image" | "story";
  /** The task of its renders; null when they make an image of their prompt. */
  readonly task: Task["kind"] | null;
  /** For an operation that changes one image: how manifests describe it. Default: it makes a new one. */
  readonly change?: ImageChange;
  /** Its `operationId` in the OpenAPI document, and its method in the client. */
  readonly method: `generate${string}`;
  /** Summary and description in the OpenAPI document. */
  readonly summary: string;
  readonly description: string;
  /** Examples of its body. */
  readonly examples: Readonly<Record<string, readonly [summary: string, body: object]>>;
  /** Errors besides those of all operations. Default: none. */
  readonly errors?: readonly OperationError[];
  /** Its MCP tool. The prices of images are appended to the description. */
  readonly tool: OperationTool;
  /** Its command of the CLI. */
  readonly command: { readonly name: string; readonly alias?: string; readonly summary: string };
}
