import { readFile } from "node:fs/promises";
import { createServer } from "node:http";

/**
 * A server that speaks OpenAI's protocol and answers each request for an image with the same PNG as base64, at once.
 *
 * node harness/bench/gateway/engine.ts <port> <PNG>
 */
const [port = "", path = ""] = process.argv.slice(2);
const image = (await readFile(path)).toString("base64");
const answer = Buffer.from(JSON.stringify({ created: 1, data: [{ b64_json: image }] }));
const headers = { "Content-Type": "application/json", "Content-Length": answer.length };
createServer((request, response) => {
  request.resume();
  request.once("end", () => response.writeHead(200, headers).end(answer));
}).listen(Number(port), "127.0.0.1");
