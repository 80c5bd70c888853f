import { pauseLane, readHealth } from "@atelier/schemas/admin";
import { expect, it } from "vitest";
import { createRouter } from "./routes.ts";

it("sends itself only what is neither checked nor recorded before a handler", () => {
  const routes = createRouter({
    prefix: "/admin/v1",
    admit: () => [],
    readBody: () => (_request, _response, next) => next(),
    senderOf: () => null,
  });
  routes.send(readHealth, () => undefined);
  expect(() => routes.send(pauseLane, () => undefined)).toThrow(
    "POST /admin/v1/lanes/{name}/pause needs add",
  );
});
