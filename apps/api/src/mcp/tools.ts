import {
  account,
  formatEur,
  job,
  listJobsQuery,
  modelList,
  parseEur,
  parseRequest,
  quote,
  quoteRequest,
  upload,
  usage,
} from "@atelier/schemas";
import type { CatalogueEntry } from "@atelier/models";
import type { ToolAnnotations } from "@modelcontextprotocol/server";
import * as z from "zod";
import type { ApiConfig } from "../config.ts";
import { contextOf } from "../http/context.ts";
import { presentAccount } from "../routes/account.ts";
import { modelsAtHand } from "../routes/models.ts";
import { answer, type Tool } from "./call.ts";
import { quoteTool, usageInput, usageTool } from "./money-tools.ts";
import {
  combineTool,
  diagramTool,
  editTool,
  graphicTool,
  imageTool,
  storyTool,
} from "./generate.ts";
import {
  cancelJobInput,
  cancelJobTool,
  getJobInput,
  getJobTool,
  listJobsOutput,
  listJobsTool,
} from "./job-tools.ts";
import { uploadInput, uploadTool } from "./upload-tool.ts";

/** A tool with its description for clients and its implementation. */
export interface DescribedTool {
  readonly title: string;
  readonly description: string;
  readonly input: z.ZodType;
  readonly output: z.ZodType;
  readonly annotations: ToolAnnotations;
  readonly tool: Tool;
}

const noInput = z.strictObject({});

const listModelsTool: Tool = (input, _context, { response, dependencies }) => {
  parseRequest(noInput, input);
  const models = modelsAtHand(contextOf(response).caller, dependencies);
  return Promise.resolve(answer({ models }));
};

const checkBalanceTool: Tool = async (input, _context, { response, dependencies }) => {
  parseRequest(noInput, input);
  return answer(await presentAccount(contextOf(response).caller.accountId, dependencies));
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

/** Tools whose calls count as generation requests. */
export const generationTools: readonly string[] = [
  "generate_image",
  "generate_story",
  "edit_image",
  "combine_images",
  "draw_graphic",
  "draw_diagram",
  "upload_image",
];

/** In descriptions: the prices of the models that the caller may use. */
const prices = "{prices}";

/** Fills the prices of models into the description of a tool. */
export function fillPrices(description: string, entries: readonly CatalogueEntry[]): string {
  return description.replace(prices, () => describePrices(entries)).trim();
}

/** Returns all tools by name. Their descriptions have yet to be filled with `fillPrices`. */
export function describeTools(config: ApiConfig): Readonly<Record<string, DescribedTool>> {
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
    generate_image: {
      title: "Generate an image",
      description: `Makes one image from a text prompt, or several with n, and charges the price of each to the account. Answers with the finished job: a link to the image, the image itself when it is small, cost and balance. When it takes longer than wait_seconds, answers with the unfinished job: call get_job then, and not this again. Use generate_story for several scenes with the same characters. ${prices}`,
      input: imageTool.input(config),
      output: job,
      annotations: makes,
      tool: imageTool.tool,
    },
    generate_story: {
      title: "Generate a story",
      description: `Makes an illustrated story of 2 to 10 scenes whose characters and locations stay themselves, by a model with supports_multiturn. Charges the price of an image for each character, state, location and scene. Often takes longer than wait_seconds: it answers with the unfinished job then; call get_job until it is completed. ${prices}`,
      input: storyTool.input(config),
      output: job,
      annotations: makes,
      tool: storyTool.tool,
    },
    edit_image: {
      title: "Edit an image",
      description: `Changes an image as the prompt says, everywhere or inside a mask, by a model with supports_edit. The image is a URL, an upload or the image of an earlier job (job_id). Answers and charges like generate_image. ${prices}`,
      input: editTool.input(config),
      output: job,
      annotations: makes,
      tool: editTool.tool,
    },
    combine_images: {
      title: "Combine images",
      description: `Makes one image of two to five images and a prompt, by a model with supports_combine. Each image is a URL, an upload or the image of an earlier job (job_id), with a description. Answers and charges like generate_image. ${prices}`,
      input: combineTool.input(config),
      output: job,
      annotations: makes,
      tool: combineTool.tool,
    },
    draw_graphic: {
      title: "Draw a graphic",
      description: `Draws an icon, a logo or a flat illustration with a transparent background, also as SVG by a model with supports_svg. The operations of the model must include graphic. Answers and charges like generate_image. ${prices}`,
      input: graphicTool.input(config),
      output: job,
      annotations: makes,
      tool: graphicTool.tool,
    },
    draw_diagram: {
      title: "Draw a diagram",
      description: `Lays out a diagram of words ("user → API → queue"), Graphviz DOT or a Mermaid flowchart, also as SVG. The operations of the model must include diagram. Answers and charges like generate_image. ${prices}`,
      input: diagramTool.input(config),
      output: job,
      annotations: makes,
      tool: diagramTool.tool,
    },
    upload_image: {
      title: "Upload an image",
      description:
        "Stores a small image of the user's and answers with its id, which the images of other tools take as upload_id. Larger images can be given there as the url of a public HTTPS address instead. Kept for a while only. Costs nothing.",
      input: uploadInput,
      output: upload,
      annotations: stores,
      tool: uploadTool,
    },
    get_job: {
      title: "Look at a job",
      description:
        "Reads a job: its status, of a story how many scenes are done, and with status completed the result with new links to its images, which work until their expires_at. Costs nothing.",
      input: getJobInput(config),
      output: job,
      annotations: reads,
      tool: getJobTool,
    },
    list_jobs: {
      title: "List jobs",
      description:
        "Lists the account's jobs, newest first: operation, status, model, what each cost, the title of a story, and why one failed. Use it when an answer was lost, before asking for an image a second time; get_job has the images. Costs nothing.",
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
      output: job,
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
      tool: quoteTool,
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
