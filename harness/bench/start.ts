/**
 * `npm run bench`: the benchmark of the service; with `robustness`, `marking`, `moderation`, `moderation-time`, `idle`,
 * `webhooks`, `pools`, `batches`, `budgets`, `joins`, `find`, `console` or `cost` as the first argument, only that benchmark.
 */
if (process.argv[2] === "robustness") await import("./robustness/main.ts");
else if (process.argv[2] === "marking") await import("./marking.ts");
else if (process.argv[2] === "moderation") await import("./moderation.ts");
else if (process.argv[2] === "moderation-time") await import("./moderation-time.ts");
else if (process.argv[2] === "idle") await import("./idle.ts");
else if (process.argv[2] === "webhooks") await import("./webhooks.ts");
else if (process.argv[2] === "pools") await import("./pools.ts");
else if (process.argv[2] === "batches") await import("./batches.ts");
else if (process.argv[2] === "budgets") await import("./budgets.ts");
else if (process.argv[2] === "joins") await import("./joins.ts");
else if (process.argv[2] === "find") await import("./find.ts");
else if (process.argv[2] === "console") await import("./console.ts");
else if (process.argv[2] === "cost") await import("./cost/main.ts");
else await import("./main.ts");
