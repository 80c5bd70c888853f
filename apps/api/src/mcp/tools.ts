import type { CatalogueEntry } from "@atelier/models";
import {
  account,
  createQuoteRequest,
  formatEur,
  job,
  listJobsQuery,
  modelList,
  namesOf,
  parseEur,
  parseRequest,
  quote,
  upload,
  usage,
  type Operation,
  type OperationTool,
} from "@atelier/schemas";
import type { ToolAnnotations } from "@modelcontextprotocol/server";
import * as z from "zod";
import type { ApiConfig } from "../config.ts";
import type { ApiOperations } from "../generations/plan/operations.ts";
import { contextOf } from "../http/context.ts";
import { presentAccountTo } from "../routes/account.ts";
import { modelsAtHand } from "../routes/models.ts";
import { answer, type Tool } from "./call.ts";
import {
  keepCharacterInput,
  keepCharacterTool,
  listCharactersInput,
  listCharactersOutput,
  listCharactersTool,
  memberOutput,
} from "./cast-tools.ts";
import { createGenerationTool, createSharedTool } from "./generate.ts";
import {
  cancelJobInput,
  cancelJobTool,
  getJobInput,
  getJobTool,
  listJobsOutput,
  listJobsTool,
} from "./job-tools.ts";
import { createQuoteTool, usageInput, usageTool } from "./money-tools.ts";
import { uploadInput, uploadTool } from "./upload-tool.ts";

/** A tool with its description for clients and its implementation. */
export interface DescribedTool {
  readonly title: string;
  readonly description: string;
  readonly input: z.ZodType;
  readonly output: z.ZodType;
  readonly annotations: ToolAnnotations;
  /** Whether a call also counts as a generation request. Default: false. */
  readonly isGeneration?: boolean;
  readonly tool: Tool;
}

const noInput = z.strictObject({});

/** A job, of which clients are shown what an assistant looks at first. */
const jobOutput = job
  .pick({
    id: true,
    status: true,
    scenes_completed: true,
    cost_eur: true,
    result: true,
    error: true,
  })
  .loose();

const listModelsTool: Tool = (input, _context, { response, dependencies }) => {
  parseRequest(noInput, input);
  const models = modelsAtHand(contextOf(response).caller, dependencies);
  return Promise.resolve(answer({ models }));
};

const checkBalanceTool: Tool = async (input, _context, { response, dependencies }) => {
  parseRequest(noInput, input);
  return answer(await presentAccountTo(contextOf(response).caller, dependencies));
};

const reads = { readOnlyHint: true, destructiveHint: false, openWorldHint: false };
const makes = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: false,
  openWorldHint: true,
};

const stores = { ...makes, openWorldHint: false };

const cancels = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: true,
  openWorldHint: false,
};

/** In descriptions: the prices of the models that the caller may use. */
const prices = "{prices}";

/** Fills the prices of models into the description of a tool. */
export function fillPrices(description: string, entries: readonly CatalogueEntry[]): string {
  return description.replace(prices, () => describePrices(entries)).trim();
}

/** Returns all tools by name. Their descriptions have yet to be filled with `fillPrices`. */
export function describeTools(
  config: ApiConfig,
  operations: ApiOperations,
): Readonly<Record<string, DescribedTool>> {
  const quoteRequest = createQuoteRequest(operations);
  return {
    list_models: {
      title: "List models",
      description:
        "Lists the models: what each makes (operations, such as image, story, edit or diagram), its aspect ratios, its sizes with the price of an image in EUR, and what it supports, such as reference images, masks, seeds and transparency.",
      input: noInput,
      output: modelList.pick({ models: true }),
      annotations: reads,
      tool: listModelsTool,
    },
    ...describeGenerationTools(config, operations),
    upload_image: {
      title: "Upload an image",
      description:
        "Stores a small image of the user's and answers with its id, which the images of other tools take as upload_id. Larger images can be given there as the url of a public HTTPS address instead. Kept for a while only. Costs nothing.",
      input: uploadInput,
      output: upload,
      annotations: stores,
      isGeneration: true,
      tool: uploadTool,
    },
    keep_character: {
      title: "Keep a character",
      description:
        "Keeps a character or location of a completed story, to look the same in later ones. Answers with its id, the character_id or location_id of generate_image, generate_story and generate_scene. Costs nothing.",
      input: keepCharacterInput,
      output: memberOutput,
      annotations: stores,
      tool: keepCharacterTool,
    },
    list_characters: {
      title: "List characters",
      description: "Lists the characters and locations that the account keeps. Costs nothing.",
      input: listCharactersInput,
      output: listCharactersOutput,
      annotations: reads,
      tool: listCharactersTool,
    },
    get_job: {
      title: "Look at a job",
      description:
        "Reads a job: its status, of a story how many scenes are done, and with status completed the result with new links to its images, which work until their expires_at. Costs nothing.",
      input: getJobInput(config),
      output: jobOutput,
      annotations: reads,
      tool: getJobTool,
    },
    list_jobs: {
      title: "List jobs",
      description:
        "Lists the account's jobs, newest first: operation, status, model, cost, title and error. Use it when an answer was lost, before asking for an image a second time; get_job has the images. Costs nothing.",
      input: listJobsQuery,
      output: listJobsOutput,
      annotations: reads,
      tool: listJobsTool,
    },
    cancel_job: {
      title: "Cancel a job",
      description:
        "Cancels a job, which then costs nothing: a single image before it is being made, a story or several images at any time. If some of them are being made, the job is cancelled when those are done, or completed if they were the last; get_job says which.",
      input: cancelJobInput,
      output: jobOutput,
      annotations: cancels,
      tool: cancelJobTool,
    },
    get_quote: {
      title: "Quote a request",
      description:
        "Tells what a request would cost, whether the balance and the budget of this key allow it, how many images it makes, and how long it would wait. Makes nothing and costs nothing. Use it before stories and before spending much.",
      input: quoteRequest,
      output: quote,
      annotations: reads,
      tool: createQuoteTool(quoteRequest),
    },
    get_usage: {
      title: "Read the usage",
      description:
        "Sums the account's jobs, images and cost in EUR by day, model, key or kind, by default of the last 30 days. Needs a key that may read the account. Costs nothing.",
      input: usageInput,
      output: usage,
      annotations: reads,
      tool: usageTool,
    },
    check_balance: {
      title: "Check the balance",
      description:
        "Tells what the account has left to spend, in EUR, and what unfinished jobs hold.",
      input: noInput,
      output: account,
      annotations: reads,
      tool: checkBalanceTool,
    },
  };
}

/** Describes the tools of the operations. */
function describeGenerationTools(
  config: ApiConfig,
  operations: ApiOperations,
): Readonly<Record<string, DescribedTool>> {
  const toolOf = (operation: Operation): OperationTool => operations[operation].tool;
  const shared = Map.groupBy(namesOf(operations), (operation) => toolOf(operation).name);
  return Object.fromEntries(
    Array.from(shared, ([name, [first, ...others]]): [string, DescribedTool] => {
      if (first === undefined) throw new Error(`the tool ${name} has no operation`);
      const { description, shared: lead, title } = toolOf(first);
      const all = [first, ...others] as const;
      const descriptions =
        lead === undefined
          ? [description]
          : [lead, ...all.map((operation) => toolOf(operation).description)];
      return [
        name,
        {
          title,
          description: [...descriptions, prices].join(" "),
          output: jobOutput,
          annotations: makes,
          isGeneration: true,
          ...(lead === undefined
            ? createGenerationTool(first, operations, config)
            : createSharedTool(all, operations, config)),
        },
      ];
    }),
  );
}

/** Describes the range of prices of one image, over models and sizes; empty without models. */
function describePrices(entries: readonly CatalogueEntry[]): string {
  const amounts = entries
    .flatMap(({ prices_eur }) => Object.values(prices_eur).map(parseEur))
    .toSorted((a, b) => (a < b ? -1 : 1));
  const [lowest, highest = lowest] = [amounts[0], amounts.at(-1)];
  if (lowest === undefined || highest === undefined) return "";
  return lowest === highest
    ? `Each image costs ${formatEur(lowest)} EUR.`
    : `Each image costs ${formatEur(lowest)} to ${formatEur(highest)} EUR, by model and size; get_quote tells the price.`;
}
