/** Regular expressions that may take more than linear time, with the reason. */
export const slowPatterns: readonly { readonly place: string; readonly reason: string }[] = [
  { place: "packages/stories/src/title-spaced.ts", reason: "reads 2,000 characters of a prompt" },
  { place: "packages/database/src/migrations/", reason: "reads the migrations of the project" },
];

/**
 * Files that create regular expressions from texts: examples of them, which are checked like all others,
 * or the reason why they need no check.
 */
export const dynamicPatterns: Readonly<
  Record<string, { readonly examples: readonly string[] } | { readonly reason: string }>
> = {
  "packages/stories/src/languages.ts": {
    examples: [String.raw`^(?:scene|panel)(?:\s+\d+\s*[:.,)–—-]|\s*:)\s*`],
  },
  "packages/storage/src/keys.ts": {
    examples: [
      "^[A-Za-z0-9_-][A-Za-z0-9._-]*(?:/[A-Za-z0-9_-][A-Za-z0-9._-]*)*$",
      "^(?:[A-Za-z0-9_-][A-Za-z0-9._-]*/)*(?:[A-Za-z0-9_-][A-Za-z0-9._-]*)?$",
    ],
  },
  "packages/illustrator/src/phrases.ts": {
    examples: [String.raw`(?<![\p{L}\p{N}])ice\s+cream(?![\p{L}\p{N}])`],
  },
  "packages/diagrams/src/outline-text.ts": { examples: [' font-size="([^"]*)"'] },
  "packages/moderation/src/text/characters.ts": { reason: "repeats a literal with other flags" },
  "packages/moderation/src/remote/guard-description.ts": {
    reason: "checks a setting of the operator",
  },
  "packages/moderation/src/remote/read-answer.ts": { reason: "a setting of the operator" },
  "packages/models/src/providers/described/description.ts": {
    reason: "checks a description of the operator",
  },
  "packages/models/src/providers/described/rules.ts": { reason: "a description of the operator" },
  "packages/local-services/src/debian-packages.ts": { reason: "reads /etc/os-release" },
};
