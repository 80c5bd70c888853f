import { findAccount, type Caller } from "@atelier/accounts";
import { findExhaustedBudget, readSpendable } from "@atelier/billing";
import { assertReferencesKept } from "@atelier/generations/accept";
import { explainSteps } from "@atelier/models";
import {
  formatEur,
  parseRequest,
  totalPrice,
  type GenerationPlan,
  type Quote,
  type QuoteRequest,
} from "@atelier/schemas";
import type { Needs } from "../../dependencies.ts";
import { preparePlan, type PreparationDependencies } from "../plan/prepare-plan.ts";

/**
 * Quotes a request: validates and prices it as its operation does, without accepting it.
 *
 * @throws AppError with the error of the operation, except those of moderation, credit and load.
 */
export async function quote(
  caller: Caller,
  { operation, request, in_batch: isInBatch = false }: QuoteRequest,
  dependencies: PreparationDependencies & Needs<"waits">,
): Promise<Quote> {
  const body = parseRequest(dependencies.operations[operation].request, request);
  const { plan } = await preparePlan(caller, { operation, body }, isInBatch, dependencies);
  const { database, waits } = dependencies;
  await assertReferencesKept(database, plan);
  const account = await findAccount(database, caller.accountId);
  if (account === null) throw new Error(`account ${caller.accountId} is gone`);
  const { balanceMicroEur } = account;
  const { renders } = plan;
  const scaledFrom = renders[0]?.spec.scaledFrom;
  const priceMicroEur = totalPrice(plan.price);
  const exhausted = await findExhaustedBudget(database, caller.keyId, priceMicroEur);
  return {
    price_eur: formatEur(priceMicroEur),
    balance_eur: formatEur(await readSpendable(database, caller.keyId)),
    affordable: balanceMicroEur >= priceMicroEur && exhausted === null,
    price: explainPrice(plan, dependencies),
    renders: renders.length,
    ...(scaledFrom !== undefined && { scaled_from: scaledFrom }),
    estimated_wait_seconds: waits.ofNewJob(caller.accountId, renders[0]?.lane ?? ""),
  };
}

function explainPrice(
  { model, operation, price, renders }: GenerationPlan,
  { catalogue }: Needs<"catalogue">,
): Quote["price"] {
  const [first] = renders;
  const image_size = first?.spec.imageSize ?? "";
  return {
    model,
    operation,
    image_size,
    images: price.count,
    eur_per_image: formatEur(price.eachMicroEur + price.stepsMicroEur),
    steps: explainSteps(catalogue.find(model), image_size, first?.spec.parameters?.steps),
    after: (first?.spec.after ?? []).map((step) => ({
      model: step.model,
      operation: step.task.kind,
      eur_per_image: formatEur(BigInt(step.priceMicroEur)),
    })),
  };
}
