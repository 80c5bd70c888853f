/** Does some work as soon as there is room for it. */
type Limited = <Result>(work: () => Promise<Result>) => Promise<Result>;

/** Lets `most` pieces of work be done at the same time; the others wait their turn. */
export function limitConcurrency(most: number): Limited {
  let free = most;
  const waiting: (() => void)[] = [];
  return async (work) => {
    if (free === 0) await new Promise<void>((begin) => waiting.push(begin));
    else free -= 1;
    try {
      return await work();
    } finally {
      const next = waiting.shift();
      if (next === undefined) free += 1;
      else next();
    }
  };
}
