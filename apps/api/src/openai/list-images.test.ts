import { describe, expect, it } from "vitest";
import { listImages } from "./list-images.ts";

const received = { has: (id: unknown) => id === "upload" };
const url = "https://images.example.com/a.png";

describe("listImages", () => {
  it.each([
    ["one image", { image: url }, { images: [{ image_url: url }] }],
    [
      "image beside images of null",
      { image: ["upload"], images: null },
      { images: [{ file_id: "upload" }] },
    ],
    [
      "image beside images, which stays to be named as ignored",
      { image: "b", images: [url] },
      { image: "b", images: [{ image_url: url }] },
    ],
    ["no image", { prompt: "a fox" }, { prompt: "a fox" }],
  ])("reads %s", (_name, body, expected) => {
    expect(listImages(body, received)).toEqual(expected);
  });
});
