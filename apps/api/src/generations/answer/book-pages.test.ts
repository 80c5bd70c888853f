import type { FoundGeneration } from "@atelier/generations/jobs";
import { expect, it } from "vitest";
import { readPages } from "./book-pages.ts";

const jobId = "019a9f44-6a3e-7b08-9c21-1d7e5f8a4b60";

const read = (book: object | null, kind: "story" | "image" = "story") =>
  readPages({ kind, scenesTotal: 3, book } as FoundGeneration);

it("reads the pages of a book in their order, with the tries that they name", () => {
  const pages = [
    { scene: 3, text: "Night", job_id: jobId.toUpperCase() },
    { scene: 1, font: 2 },
  ];
  expect(read({ cover: 1, pages })).toEqual([
    { scene: 3, jobId },
    { scene: 1, jobId: null },
  ]);
});

it("reads the first page of a scene, and leaves out what is no page of the story", () => {
  const pages = [
    { scene: 2 },
    { scene: 2, job_id: jobId },
    { scene: 4 },
    { scene: "1" },
    null,
    [1],
  ];
  expect(read({ pages: [...pages, { scene: 1, job_id: "x" }] })).toEqual([
    { scene: 2, jobId: null },
  ]);
});

it("looks at the first 200 entries", () => {
  const unread = Array.from({ length: 200 }, () => 1);
  expect(read({ pages: [...unread.slice(1), { scene: 1 }] })).toEqual([{ scene: 1, jobId: null }]);
  expect(read({ pages: [...unread, { scene: 1 }] })).toBeNull();
});

it("finds no pages without a book, in a book without a list of them, and for another job", () => {
  for (const book of [null, {}, { pages: 3 }, { pages: [] }]) expect(read(book)).toBeNull();
  expect(read({ pages: [{ scene: 1 }] }, "image")).toBeNull();
});
