import { AppError } from "@atelier/schemas";
import type { NextFunction, Request, Response } from "express";
import type { ApiConfig } from "../config.ts";

/**
 * Refuses HTTP/1.1 requests without `Host`, and all with more than one, as required by RFC 9112, section 3.2.
 * Node's own response would have no body and no request id, and Node uses the first of several: a proxy that uses
 * the last would see another one. With `LOCAL_ONLY`, it also refuses addresses other than this machine with the port of
 * `PUBLIC_URL`, because links in responses would lead elsewhere.
 */
export function requireHost(config: Pick<ApiConfig, "LOCAL_ONLY" | "PUBLIC_URL">) {
  const isLocalOnly = config.LOCAL_ONLY === "on";
  const ownPort = new URL(config.PUBLIC_URL).port;
  return (request: Request, _response: Response, next: NextFunction): void => {
    const hosts = request.headersDistinct["host"] ?? [];
    if (hosts.length > 1) throw invalidHost("is there more than once", "Send it once.", "repeated");
    const [host] = hosts;
    if (host === undefined) {
      if (request.httpVersion !== "1.1") return next();
      throw invalidHost("is missing", "Send it.", "required");
    }
    if (!isLocalOnly || isLocal(host, ownPort)) return next();
    throw invalidHost(
      `names another address than ${config.PUBLIC_URL}`,
      `The operator sets PUBLIC_URL to the address of clients, such as http://${host.slice(0, 200)}.`,
      "public_url_required",
    );
  };
}

function isLocal(host: string, ownPort: string): boolean {
  const url = URL.parse(`http://${host}`);
  return (
    url !== null && /^(localhost|127\.[\d.]+|\[::1\])$/.test(url.hostname) && url.port === ownPort
  );
}

function invalidHost(problem: string, advice: string, code: string): AppError {
  return new AppError("invalid_request", `The header Host ${problem}. ${advice}`, {
    details: [{ path: "Host", code, message: code === "required" ? "is required" : problem }],
  });
}
