import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { createApi, createTransport } from "@atelier/client/api";
import { deleteTiny, listTinies } from "@atelier/schemas/endpoints/testing";
import { Command } from "commander";
import { expect, it } from "vitest";
import type { Answer } from "../answer.ts";
import type { Call, Caller } from "./call.ts";
import { addDelete, addList, showPages } from "./resource.ts";

it("lists and deletes the items of an endpoint that only has a record", async () => {
  const asked: string[] = [];
  const server = createServer(({ method, url }, response) => {
    asked.push(`${method} ${url}`);
    if (method === "DELETE") return response.writeHead(204).end();
    return response.end(JSON.stringify({ tinies: [{ id: "1", name: "One" }], next_cursor: "abc" }));
  });
  await new Promise<void>((resolve) => server.listen(0, resolve));
  const { port } = server.address() as AddressInfo;
  const api = createApi(createTransport({}), `http://localhost:${port}`, "key");
  const answers: Answer[] = [];
  const call: Call = async (work) => {
    const { signal } = new AbortController();
    const caller: Partial<Caller> = { api, follow: { signal, onProgress: () => {} } };
    answers.push(await work(caller as Caller));
  };
  const program = new Command();
  const group = program.command("tinies");
  addList(group, call, listTinies, { ID: "id", NAME: ({ name }) => name.toUpperCase() });
  addDelete(group, call, deleteTiny, "tiny");
  const parts = group.command("parts").argument("<tiny-id>");
  showPages(
    parts,
    call,
    { ...listTinies, route: "GET /v1/tinies/{id}/tinies" },
    { ID: "id" },
    "tiny",
  );
  await program.parseAsync(["tinies", "--limit", "1"], { from: "user" });
  await program.parseAsync(["tinies", "delete", "1"], { from: "user" });
  await program.parseAsync(["tinies", "parts", "1", "--cursor", "abc"], { from: "user" });
  server.close();
  expect(asked).toEqual([
    "GET /v1/tinies?limit=1",
    "DELETE /v1/tinies/1",
    "GET /v1/tinies/1/tinies?cursor=abc",
  ]);
  expect(answers.slice(0, 2)).toEqual([
    {
      json: { tinies: [{ id: "1", name: "One" }], next_cursor: "abc" },
      text: "ID  NAME\n1   ONE",
      note: "More tinies: --cursor abc",
    },
    { json: { id: "1" }, text: "Deleted 1." },
  ]);
});
