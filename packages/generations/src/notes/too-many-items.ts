import { AppError } from "@atelier/schemas";

/** The error when something has as many things as it may. */
export function tooManyItems(
  owner: "The account" | "The collection",
  most: number,
  things: string,
  advice: string,
): AppError {
  return new AppError(
    "too_many_items",
    `${owner} has ${most} ${things}, which is its limit. ${advice}`,
    { details: { max_items: most } },
  );
}
