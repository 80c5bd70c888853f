import type { adminEndpoints } from "@atelier/schemas/admin";
import type { ResultOf } from "@atelier/schemas/endpoints";
import { call, sendJson, type CallOptions } from "../api.ts";
import { localize } from "./localize.ts";

/** The endpoints of the admin port by their routes, such as `GET /admin/v1/accounts/{id}`. */
type Endpoints = { [One in (typeof adminEndpoints)[number] as One["route"]]: One };

/** Calls an endpoint of the admin port as `call` does, which reads everything from the route. */
export const callAdmin = inLanguage(
  call as unknown as <Of extends keyof Endpoints>(
    endpoint: Of,
    given: CallOptions<Endpoints[Of]>,
  ) => Promise<ResultOf<Endpoints[Of]>>,
);

/** Sends a request to the admin port as `sendJson` does. */
export const sendAdmin = inLanguage(sendJson);

/** A function whose errors have the texts of the language. */
function inLanguage<Send extends (...given: never[]) => Promise<unknown>>(send: Send): Send {
  const localized = (...given: Parameters<Send>) =>
    send(...given).catch((error: unknown) => {
      throw localize(error);
    });
  return localized as Send;
}
