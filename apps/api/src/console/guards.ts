import { AppError } from "@atelier/schemas";
import type { Endpoint } from "@atelier/schemas/endpoints";
import type { NextFunction, Request, RequestHandler, Response } from "express";
import { isLoopback } from "../config.ts";
import { refusal } from "./refuse.ts";
import { readOperator, type ConsoleConfig, type Operator } from "./session.ts";

/** Who sent an admitted request. */
export function operatorOf(response: Response): Operator {
  return response.locals["operator"] as Operator;
}

/**
 * Refuses requests of other pages. Cookies of a host are sent to all its ports, so that `SameSite` admits pages of other
 * ports: reads are refused by Fetch Metadata, and writes unless their `Origin` is that of the console.
 *
 * @throws AppError `not_permitted`.
 */
export function requireOwnPage(config: Pick<ConsoleConfig, "ADMIN_URL">) {
  const known = config.ADMIN_URL === undefined ? null : new URL(config.ADMIN_URL).origin;
  return (request: Request, _response: Response, next: NextFunction): void => {
    const site = request.get("Sec-Fetch-Site") ?? "none";
    if (site !== "none" && site !== "same-origin") throw foreignPage();
    if (request.method === "GET" || request.method === "HEAD") return next();
    const origin = request.get("Origin");
    if (origin === undefined) throw foreignPage();
    if (origin !== known && origin !== loopbackOrigin(request)) throw unknownAddress(known);
    next();
  };
}

/** The address of a request to this machine itself, such as through a tunnel of SSH; null for another one. */
function loopbackOrigin(request: Request): string | null {
  const url = URL.parse(`http://${request.get("Host") ?? ""}`);
  return url !== null && isLoopback(url.hostname) ? url.origin : null;
}

function foreignPage(): AppError {
  return refusal(
    "not_permitted",
    "foreign_page",
    "Only pages of the console may send this request.",
  );
}

function unknownAddress(known: string | null): AppError {
  return refusal(
    "not_permitted",
    "unknown_address",
    known === null
      ? "This page is not at the address of the console. Open it at localhost, or set ADMIN_URL to its address."
      : `This page is not at the address of the console. Open it at ${known}.`,
    { values: known === null ? {} : { address: known } },
  );
}

/** Requires a session, and the role operator where the endpoint writes. */
export function requireOperator(endpoint: Endpoint, config: ConsoleConfig): RequestHandler {
  return (request, response, next) => {
    const operator = readOperator(request, config);
    if (operator === null) {
      throw new AppError("unauthorized", "Sign in to the console first: the session has ended.");
    }
    response.locals["operator"] = operator;
    if (endpoint.recorded !== undefined && operator.role !== "operator") {
      throw refusal(
        "not_permitted",
        "read_only",
        "This session may only read. Sign in as an operator to change something.",
      );
    }
    next();
  };
}
