import { parseRequest, quoteRequest, usageQuery } from "@atelier/schemas";
import { quote } from "../generations/quote.ts";
import { contextOf } from "../http/context.ts";
import { chargeBody, chargeWork } from "../http/rate-limit.ts";
import { countUnits, sumUsage } from "../routes/usage.ts";
import { answer, type Tool } from "./call.ts";

/** Input of `get_usage`. */
export const usageInput = usageQuery.omit({ format: true });

/** Quotes a request, as `POST /v1/quotes` does. */
export const quoteTool: Tool = async (input, _context, { response, dependencies }) => {
  const body = parseRequest(quoteRequest, input);
  const quoted = await quote(contextOf(response).caller, body, dependencies);
  await chargeBody(response, dependencies);
  return answer(quoted);
};

/** Sums the usage, as `GET /v1/usage` does. */
export const usageTool: Tool = async (input, _context, { response, dependencies }) => {
  const query = parseRequest(usageInput, input);
  const usage = await sumUsage(contextOf(response).caller, query, dependencies);
  await chargeWork(response, countUnits(usage), dependencies);
  return answer(usage);
};
