import { describe, expect, it } from "vitest";
import {
  findName,
  findRatio,
  spellBoolean,
  spellFormat,
  spellRatio,
  spellSize,
  spellWholeNumber,
} from "./spellings.ts";

it.each([
  ["16:9", "16:9"],
  ["16x9", "16:9"],
  ["16X9", "16:9"],
  ["16/9", "16:9"],
  [" 16 × 9 ", "16:9"],
  ["1920*1080", "1920:1080"],
  ["square", "1:1"],
  ["auto", undefined],
  ["landscape", "landscape"],
  ["0.5625", "0.5625"],
  [7, 7],
  [null, null],
])("reads the ratio %j as %j", (value, expected) => {
  expect(spellRatio(value)).toBe(expected);
});

it.each([
  ["1024x1024", "1024x1024"],
  ["1024X1024", "1024x1024"],
  ["1024*1024", "1024x1024"],
  ["1024 × 768", "1024x768"],
  ["16:9", "16:9"],
  ["16x9", "16:9"],
  ["1024:768", "1024:768"],
  ["AUTO", "auto"],
  ["2K", "2k"],
  ["square", "1:1"],
  ["large", "large"],
  [512, 512],
])("reads the size %j as %j", (value, expected) => {
  expect(spellSize(value)).toBe(expected);
});

it.each([
  ["png", "png"],
  ["PNG", "png"],
  ["jpg", "jpeg"],
  [".JPG", "jpeg"],
  ["image/jpeg", "jpeg"],
  ["image/jpg", "jpeg"],
  ["image/webp", "webp"],
  ["gif", "gif"],
  [1, 1],
])("reads the format %j as %j", (value, expected) => {
  expect(spellFormat(value)).toBe(expected);
});

it.each([
  ["1.0", 1],
  ["2", 2],
  ["1.5", "1.5"],
  ["", ""],
  ["-1", "-1"],
  [3, 3],
])("reads the number %j as %j", (value, expected) => {
  expect(spellWholeNumber(value)).toBe(expected);
});

it("reads true and false as text", () => {
  expect(["True", "false", "1", true].map(spellBoolean)).toEqual([true, false, "1", true]);
});

describe("a name of a model's list", () => {
  it("is found by an equal ratio", () => {
    const names = ["1:1", "16:9", "21:9"];
    expect(["16:9", "32:18", "7:3", "1024:1024"].map((one) => findRatio(names, one))).toEqual([
      "16:9",
      "16:9",
      "21:9",
      "1:1",
    ]);
    expect(["4:3", "0:0", "landscape"].map((one) => findRatio(names, one))).toEqual([
      undefined,
      undefined,
      undefined,
    ]);
  });

  it("is found in another case", () => {
    expect(["1k", "1K", "8k"].map((one) => findName(["1K", "2K"], one))).toEqual([
      "1K",
      "1K",
      undefined,
    ]);
  });
});
