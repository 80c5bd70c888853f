import { describe, expect, it } from "vitest";
import { createAccountLines } from "./account-lines.ts";

/** Lines whose groups run until they are ended, and the groups that were started. */
function openLines(limits: { readonly maxGroup: number; readonly maxWaiting?: number }) {
  const groups: { readonly items: readonly string[]; readonly end: () => void }[] = [];
  const lines = createAccountLines<string, string>(
    { maxRunning: 1, maxWaiting: 100, maxWaitMs: null, ...limits },
    (items) => {
      const { promise, resolve } = Promise.withResolvers<void>();
      groups.push({ items, end: resolve });
      return promise.then(() =>
        Promise.allSettled(
          items.map(async (item) => {
            if (item === "bad") throw new Error("refused");
            return `result of ${item}`;
          }),
        ),
      );
    },
  );
  return {
    run: (item: string, accountId = "a") => lines.run(accountId, item),
    started: () => groups.map(({ items }) => items),
    end: (index: number) => groups[index]?.end(),
  };
}

describe("the lines of accounts", () => {
  it("start an item at once, and those that wait for it together, in order", async () => {
    const { run, started, end } = openLines({ maxGroup: 10 });
    const results = ["1", "2", "3", "4"].map((item) => run(item));
    expect(started()).toEqual([["1"]]);
    end(0);
    await results[0];
    expect(started()).toEqual([["1"], ["2", "3", "4"]]);
    end(1);
    expect(await Promise.all(results)).toEqual([1, 2, 3, 4].map((item) => `result of ${item}`));
    const later = run("5");
    end(2);
    expect(await later).toBe("result of 5");
  });

  it("bound the size of a group", async () => {
    const { run, started, end } = openLines({ maxGroup: 2 });
    const results = ["1", "2", "3", "4"].map((item) => run(item));
    end(0);
    await results[0];
    end(1);
    await results[1];
    expect(started()).toEqual([["1"], ["2", "3"], ["4"]]);
    end(2);
    await Promise.all(results);
  });

  it("fail one item of a group alone", async () => {
    const { run, end } = openLines({ maxGroup: 10 });
    const results = ["1", "2", "bad", "3"].map((item) => run(item));
    end(0);
    await results[0];
    end(1);
    const outcomes = await Promise.allSettled(results);
    expect(outcomes.map(({ status }) => status)).toEqual([
      "fulfilled",
      "fulfilled",
      "rejected",
      "fulfilled",
    ]);
  });

  it("do not make an account wait for another one", async () => {
    const { run, started, end } = openLines({ maxGroup: 10 });
    const results = [run("1"), run("2"), run("3", "b")];
    expect(started()).toEqual([["1"], ["3"]]);
    end(1);
    expect(await results[2]).toBe("result of 3");
    end(0);
    await results[0];
    end(2);
    await results[1];
  });

  it("go on after a group that threw", async () => {
    let calls = 0;
    const lines = createAccountLines<string, string>(
      { maxRunning: 1, maxGroup: 10, maxWaiting: 10, maxWaitMs: null },
      async (items) => {
        calls += 1;
        if (calls === 1) throw new Error("the database is gone");
        return items.map((value) => ({ status: "fulfilled", value }));
      },
    );
    const results = await Promise.allSettled([lines.run("a", "1"), lines.run("a", "2")]);
    expect(results.map(({ status }) => status)).toEqual(["rejected", "fulfilled"]);
  });
});
