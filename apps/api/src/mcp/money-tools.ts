import { assertScope } from "@atelier/accounts";
import { parseRequest, usageQuery, type createQuoteRequest } from "@atelier/schemas";
import { quote } from "../generations/accept/quote.ts";
import { contextOf } from "../http/context.ts";
import { chargeBody, chargeWork } from "../http/limits/rate-limit.ts";
import { sumUsage } from "../routes/usage.ts";
import { answer, type Tool } from "./call.ts";

/** Input of `get_usage`. */
export const usageInput = usageQuery.omit({ format: true });

/** Creates the tool that quotes a request, as `POST /v1/quotes` does. */
export function createQuoteTool(schema: ReturnType<typeof createQuoteRequest>): Tool {
  return async (input, _context, { response, dependencies }) => {
    const { caller } = contextOf(response);
    const body = parseRequest(schema, input);
    assertScope(caller, "generate");
    const quoted = await quote(caller, body, dependencies);
    await chargeBody(response, dependencies);
    return answer(quoted);
  };
}

/** Sums the usage, as `GET /v1/usage` does. */
export const usageTool: Tool = async (input, _context, { response, dependencies }) => {
  const query = parseRequest(usageInput, input);
  const { usage, workUnits } = await sumUsage(contextOf(response).caller, query, dependencies);
  await chargeWork(response, workUnits, dependencies);
  return answer(usage);
};
