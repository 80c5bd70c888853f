import { createQuoteRequest, parseRequest } from "@atelier/schemas";
import type { Request, Response } from "express";
import type { ApiDependencies } from "../dependencies.ts";
import { quote } from "../generations/accept/quote.ts";
import { contextOf } from "../http/context.ts";
import { chargeBody } from "../http/limits/rate-limit.ts";

/** `POST /v1/quotes`: what a request would cost, and how long it would wait. */
export function createQuote(dependencies: ApiDependencies) {
  const schema = createQuoteRequest(dependencies.operations);
  return async (request: Request, response: Response): Promise<void> => {
    const { caller } = contextOf(response);
    const body = parseRequest(schema, request.body);
    const answer = await quote(caller, body, dependencies);
    // A refused body is charged with its error.
    await chargeBody(response, dependencies);
    response.json(answer);
  };
}
