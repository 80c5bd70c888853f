import { once } from "node:events";
import { connect, type AddressInfo } from "node:net";
import express, { type NextFunction, type Request, type Response } from "express";
import { expect, it } from "vitest";
import { serveDocs } from "./docs.ts";

it("causes no error when a client disconnects during a download", async () => {
  const errors: unknown[] = [];
  const app = express();
  app.use("/docs", serveDocs());
  app.use((error: unknown, _request: Request, response: Response, _next: NextFunction) => {
    errors.push(error);
    response.destroy();
  });
  const server = app.listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;

  const closed = Promise.withResolvers<void>();
  server.once("request", (_request, response: Response) => response.once("close", closed.resolve));
  const client = connect(port, "127.0.0.1");
  client.write("GET /docs/swagger-ui-bundle.js HTTP/1.1\r\nHost: atelier\r\n\r\n");
  await once(client, "data");
  client.destroy();
  await closed.promise;

  const page = await fetch(`http://127.0.0.1:${port}/docs/page.css`);
  expect((await page.text()).length).toBeGreaterThan(0);
  expect(errors).toEqual([]);
  server.closeAllConnections();
  server.close();
});
