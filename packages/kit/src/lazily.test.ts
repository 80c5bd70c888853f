import { expect, it, vi } from "vitest";
import { lazily } from "./lazily.ts";

it("makes a value when it is first asked for, and once, even if it is undefined", () => {
  const make = vi.fn<() => undefined>();
  const read = lazily(make);
  expect(make).not.toHaveBeenCalled();
  expect([read(), read()]).toEqual([undefined, undefined]);
  expect(make).toHaveBeenCalledOnce();
});
