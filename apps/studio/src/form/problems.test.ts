import { expect, it } from "vitest";
import {
  hasFieldProblem,
  problemAt,
  problemsByField,
  refusalCategory,
  refusalHelp,
} from "./problems.ts";

const failure = {
  code: "invalid_request",
  message: "Wrong.",
  details: null,
  retryAfterSeconds: null,
};

it("assigns the problems of details to their fields, as sentences", () => {
  const problems = problemsByField({
    ...failure,
    details: [
      { path: "seed", message: "must be at most 4294967295" },
      { path: "reference_images.1.description", message: "is required" },
      { path: "", message: "of the whole body" },
    ],
  });
  expect([...problems]).toEqual([
    ["seed", "Must be at most 4294967295."],
    ["reference_images.1.description", "Is required."],
  ]);
  expect(problemAt(problems, "reference_images.1")).toBe("Is required.");
  expect(problemAt(problems, "reference_images.0")).toBeUndefined();
});

it.each([
  ["unsupported_image_size", null, "image_size"],
  ["model_not_capable", { capability: "seed" }, "seed"],
  ["model_not_capable", { capability: "transparency" }, "background"],
  ["references_not_supported", null, "reference_images"],
])("assigns %s with %j to a field", (code, details, field) => {
  expect([...problemsByField({ ...failure, code, details })]).toEqual([[field, "Wrong."]]);
});

it("shows problems without a field of the form in another place", () => {
  expect(hasFieldProblem(problemsByField({ ...failure, code: "overloaded" }), false)).toBe(false);
  expect(hasFieldProblem(new Map([["metadata", "Wrong."]]), false)).toBe(false);
  expect(hasFieldProblem(new Map([["mask.upload_id", "Wrong."]]), false)).toBe(true);
  expect(hasFieldProblem(new Map([["image_size", "Wrong."]]), false)).toBe(true);
  expect(hasFieldProblem(new Map([["image_size", "Wrong."]]), true)).toBe(false);
  expect(hasFieldProblem(new Map([["factor", "Wrong."]]), true)).toBe(true);
});

it("reads the category of a refusal", () => {
  const details = [{ path: "prompt", category: "gore" }];
  expect(refusalCategory({ ...failure, code: "content_policy_violation", details })).toBe("gore");
  expect(refusalCategory({ ...failure, code: "content_illegal" })).toBe("other");
  expect(refusalCategory({ ...failure, details })).toBe(null);
});

it("names the reason of a refusal beside the text", () => {
  const details = [{ path: "prompt", category: "gore", message: "Change details[0].path." }];
  const refused = { ...failure, code: "content_policy_violation", details };
  expect(problemsByField(refused).get("prompt")).toMatch(/^This was refused: gore\. .*Liberal/);
  const illegal = { ...refused, code: "content_illegal" };
  expect(problemsByField(illegal).get("prompt")).toMatch(/gore\. .*at every strictness/);
});

it("shows the words of an uncertain refusal beside each text that it names", () => {
  const message = 'The words "bras" (read as "bra") may violate the content policy (sexual).';
  const common = { category: "sexual", certainty: "uncertain", message };
  const details = ["scenes.1.prompt", "characters.0.description"].map((path) => ({
    ...common,
    path,
  }));
  const refused = { ...failure, code: "content_policy_violation", message, details };
  expect([...problemsByField(refused)]).toEqual([
    ["scenes.1.prompt", message],
    ["characters.0.description", message],
  ]);
  expect(refusalHelp(refused, "Help.")).toBe(message);
  expect(refusalHelp({ ...refused, details: [] }, "Help.")).toBe("Help.");
});
