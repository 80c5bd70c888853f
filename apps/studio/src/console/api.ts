import type { adminEndpoints } from "@atelier/schemas/admin";
import type { ResultOf } from "@atelier/schemas/endpoints";
import { call, type CallOptions } from "../api.ts";

/** The endpoints of the admin port by their routes, such as `GET /admin/v1/accounts/{id}`. */
type Endpoints = { [One in (typeof adminEndpoints)[number] as One["route"]]: One };

/** Calls an endpoint of the admin port as `call` does, which reads everything from the route. */
export const callAdmin = call as unknown as <Of extends keyof Endpoints>(
  endpoint: Of,
  given: CallOptions<Endpoints[Of]>,
) => Promise<ResultOf<Endpoints[Of]>>;
