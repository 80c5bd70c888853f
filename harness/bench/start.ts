/**
 * `npm run bench`: the benchmark of the service; with `watermark`, `confirmation`, `robustness`, `negatives`,
 * `marking`, `registry`, `moderation`, `moderation-time`, `search`, `idle`, `webhooks`, `pools`, `cost` or `archive`
 * as the first argument, only that benchmark.
 */
if (process.argv[2] === "watermark") await import("./watermark/main.ts");
else if (process.argv[2] === "negatives") await import("./negatives.ts");
else if (process.argv[2] === "robustness") await import("./robustness/main.ts");
else if (process.argv[2] === "marking") await import("./marking.ts");
else if (process.argv[2] === "confirmation") await import("./confirmation.ts");
else if (process.argv[2] === "registry") await import("./registry.ts");
else if (process.argv[2] === "moderation") await import("./moderation.ts");
else if (process.argv[2] === "moderation-time") await import("./moderation-time.ts");
else if (process.argv[2] === "search") await import("./search/main.ts");
else if (process.argv[2] === "idle") await import("./idle.ts");
else if (process.argv[2] === "webhooks") await import("./webhooks.ts");
else if (process.argv[2] === "pools") await import("./pools.ts");
else if (process.argv[2] === "cost") await import("./cost/main.ts");
else if (process.argv[2] === "archive") await import("./archive/main.ts");
else await import("./main.ts");
