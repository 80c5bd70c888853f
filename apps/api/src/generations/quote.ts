import { assertScope, findAccount, type Caller } from "@atelier/accounts";
import { readKeyBudgets } from "@atelier/billing";
import { assertReferencesKept } from "@atelier/generations";
import {
  combineRequest,
  diagramRequest,
  editRequest,
  formatEur,
  graphicRequest,
  imageRequest,
  parseRequest,
  quoteRequest,
  sceneRequest,
  storyRequest,
  type GenerationPlan,
  type Quote,
  type QuotedOperation,
} from "@atelier/schemas";
import type * as z from "zod";
import type { ApiDependencies } from "../dependencies.ts";
import { planCombine } from "./plan-combine.ts";
import { planDiagram } from "./plan-diagram.ts";
import { planEdit } from "./plan-edit.ts";
import { planGraphic } from "./plan-graphic.ts";
import { planImage } from "./plan-image.ts";
import { planSceneWith, planStoryWith } from "./plan-story.ts";
import type { Planner } from "./planner.ts";
import { preparePlan } from "./prepare-plan.ts";

/** Plans a request with the functions of its operation. */
type PlanRequest = (
  request: unknown,
  caller: Pick<Caller, "strictness">,
  dependencies: ApiDependencies,
) => GenerationPlan;

/** Validates a request by its schema and plans it. */
function planBy<Body>(schema: z.ZodType<Body>, plan: Planner<Body>): PlanRequest {
  return (request, { strictness }, dependencies) =>
    plan(parseRequest(schema, request), strictness, dependencies);
}

const planners: Readonly<Record<QuotedOperation, PlanRequest>> = {
  image: planBy(imageRequest, planImage),
  story: planBy(storyRequest, planStoryWith),
  scene: planBy(sceneRequest, planSceneWith),
  edit: planBy(editRequest, planEdit),
  combine: planBy(combineRequest, planCombine),
  graphic: planBy(graphicRequest, planGraphic),
  diagram: planBy(diagramRequest, planDiagram),
};

/**
 * Quotes a request: validates and prices it as its operation does, without accepting it.
 *
 * @throws AppError with the error of the operation, except those of moderation, credit and load.
 */
export async function quote(
  caller: Caller,
  body: unknown,
  dependencies: ApiDependencies,
): Promise<Quote> {
  assertScope(caller, "generate");
  const { operation, request } = parseRequest(quoteRequest, body);
  const makePlan = () => planners[operation](request, caller, dependencies);
  const { plan } = await preparePlan(caller, makePlan, dependencies);
  const { database, waits } = dependencies;
  await assertReferencesKept(database, plan);
  const [account, budgets] = await Promise.all([
    findAccount(database, caller.accountId),
    readKeyBudgets(database, [caller.keyId]),
  ]);
  if (account === null) throw new Error(`account ${caller.accountId} is gone`);
  const { balanceMicroEur } = account;
  const { budgetMicroEur = null, spentMicroEur = 0n } = budgets.get(caller.keyId) ?? {};
  const { priceMicroEur, renders } = plan;
  const isWithinBudget = budgetMicroEur === null || spentMicroEur + priceMicroEur <= budgetMicroEur;
  return {
    price_eur: formatEur(priceMicroEur),
    balance_eur: formatEur(balanceMicroEur),
    affordable: balanceMicroEur >= priceMicroEur && isWithinBudget,
    renders: renders.length,
    estimated_wait_seconds: waits.ofNewJob(caller.accountId, renders[0]?.lane ?? ""),
  };
}
