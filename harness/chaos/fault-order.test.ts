import { expect, it } from "vitest";
import { createFaultOrder } from "./fault-order.ts";
import type { Fault } from "./schedule.ts";

it("lets a restore follow all faults before it, and all later faults follow it", async () => {
  const order = createFaultOrder();
  const begun: string[] = [];
  const ends: (() => void)[] = [];
  const inject = (fault: Fault) =>
    order.run(fault, () => {
      begun.push(fault.kind);
      return new Promise<void>((resolve) => ends.push(resolve));
    });
  const end = async (index: number) => {
    ends[index]?.();
    await new Promise(setImmediate);
  };
  const faults = [
    inject({ kind: "API killed" }),
    inject({ kind: "worker killed", worker: 0 }),
    inject({ kind: "worker killed", worker: 1 }),
    inject({ kind: "database lost and restored" }),
    inject({ kind: "queue emptied" }),
  ];
  await new Promise(setImmediate);
  expect(begun).toEqual(["API killed", "worker killed"]);
  await end(1);
  expect(begun.slice(2)).toEqual(["worker killed"]);
  await end(0);
  expect(begun.slice(3)).toEqual([]);
  await end(2);
  expect(begun.slice(3)).toEqual(["database lost and restored"]);
  await end(3);
  expect(begun.slice(4)).toEqual(["queue emptied"]);
  await end(4);
  await Promise.all(faults);
});
