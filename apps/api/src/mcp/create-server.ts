import { McpServer } from "@modelcontextprotocol/server";
import { contextOf } from "../http/context.ts";
import { entriesFor } from "../routes/models.ts";
import { callTool, type Exchange } from "./call.ts";
import { inputSchema, outputSchema } from "./tool-schema.ts";
import { fillPrices, type DescribedTool } from "./tools.ts";

const instructions =
  "Makes images and illustrated stories, paid for from a prepaid balance in EUR. Call list_models first: it says what each model can do and what an image costs. Ask before spending on more than a few images. An answer with an unfinished job is not an error: call get_job; list_jobs finds earlier ones. Errors say what to do in their message.";

/** A tool with JSON Schemas, which take too long to generate for every request. */
interface ReadyTool extends Omit<DescribedTool, "input" | "output"> {
  readonly inputSchema: ReturnType<typeof inputSchema>;
  readonly outputSchema: ReturnType<typeof outputSchema>;
}

/** Converts the schemas of tools to JSON Schema, once. */
export function prepareTools(
  tools: Readonly<Record<string, DescribedTool>>,
): [string, ReadyTool][] {
  return Object.entries(tools).map(([name, { input, output, ...tool }]) => [
    name,
    { ...tool, inputSchema: inputSchema(input), outputSchema: outputSchema(output) },
  ]);
}

/** Creates the MCP server for one message. It knows the caller and shares no state. */
export function createMcpServer(
  tools: readonly (readonly [string, ReadyTool])[],
  exchange: Exchange,
): McpServer {
  const server = new McpServer(
    { name: "atelier", title: "Atelier", version: "1.0.0" },
    // The list of tools never changes at runtime.
    { instructions, capabilities: { tools: { listChanged: false } } },
  );
  const entries = entriesFor(contextOf(exchange.response).caller, exchange.dependencies);
  for (const [name, { tool, isGeneration: _, ...texts }] of tools) {
    const shown = { ...texts, description: fillPrices(texts.description, entries) };
    server.registerTool(name, shown, (input, context) => callTool(tool, input, context, exchange));
  }
  return server;
}
