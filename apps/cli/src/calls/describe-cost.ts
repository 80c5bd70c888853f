import type { Generation } from "@atelier/client";

export function describeCost({ cost_eur, balance_eur }: Generation): string {
  return `${cost_eur} EUR charged, ${balance_eur} EUR left.`;
}
