/** Measures the steps of a render, for its line in the log. */
export interface StepTimes {
  /** Waits for a step that has just begun, and adds its time under its name. */
  readonly step: <Result>(name: string, work: Promise<Result>) => Promise<Result>;
  /** In milliseconds, by name. */
  readonly durationsMs: Readonly<Record<string, number>>;
}

/** Starts with no step measured. */
export function timeSteps(): StepTimes {
  const durationsMs: Record<string, number> = {};
  return {
    durationsMs,
    async step(name, work) {
      const startedAt = performance.now();
      try {
        return await work;
      } finally {
        durationsMs[name] = Math.round((performance.now() - startedAt) * 10) / 10;
      }
    },
  };
}
