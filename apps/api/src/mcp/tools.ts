import { account, job, listJobsQuery, modelList, parseRequest } from "@atelier/schemas";
import type { ToolAnnotations } from "@modelcontextprotocol/server";
import * as z from "zod";
import type { ApiConfig } from "../config.ts";
import { contextOf } from "../http/context.ts";
import { presentAccount } from "../routes/account.ts";
import { modelsAtHand } from "../routes/models.ts";
import { answer, type Tool } from "./call.ts";
import { generateImageTool, generateStoryTool, imageInput, storyInput } from "./generate.ts";
import {
  cancelJobInput,
  cancelJobTool,
  getJobInput,
  getJobTool,
  listJobsOutput,
  listJobsTool,
} from "./job-tools.ts";

/** A tool as it is shown to clients, and what it does. */
export interface DescribedTool {
  readonly title: string;
  readonly description: string;
  readonly input: z.ZodType;
  readonly output: z.ZodType;
  readonly annotations: ToolAnnotations;
  readonly tool: Tool;
}

const nothing = z.strictObject({});

const listModelsTool: Tool = (input, _context, { dependencies }) => {
  parseRequest(nothing, input);
  return Promise.resolve(answer({ models: modelsAtHand(dependencies) }));
};

const checkBalanceTool: Tool = async (input, _context, { response, dependencies }) => {
  parseRequest(nothing, input);
  return answer(await presentAccount(contextOf(response).caller.accountId, dependencies));
};

const reads = { readOnlyHint: true, destructiveHint: false, openWorldHint: false };
const makes = {
  readOnlyHint: false,
  destructiveHint: false,
  idempotentHint: false,
  openWorldHint: true,
};

const cancels = {
  readOnlyHint: false,
  destructiveHint: true,
  idempotentHint: true,
  openWorldHint: false,
};

/** Tools whose calls count as requests to generate. */
export const generationTools: readonly string[] = ["generate_image", "generate_story"];

/** Every tool by its name. */
export function describeTools(config: ApiConfig): Readonly<Record<string, DescribedTool>> {
  return {
    list_models: {
      title: "List models",
      description:
        "Lists the models that images can be made with: aspect ratios, sizes, the price of an image in EUR by size, and whether a model takes reference images and makes stories (supports_multiturn).",
      input: nothing,
      output: modelList,
      annotations: reads,
      tool: listModelsTool,
    },
    generate_image: {
      title: "Generate an image",
      description:
        "Makes one image from a text prompt, and charges its price to the account. Answers with the finished job: a link to the image, the image itself when it is small, cost and balance. When it takes longer than wait_seconds, answers with the unfinished job: call get_job then, and not this again. Use generate_story for several images of the same characters.",
      input: imageInput(config),
      output: job,
      annotations: makes,
      tool: generateImageTool,
    },
    generate_story: {
      title: "Generate a story",
      description:
        "Makes an illustrated story of 2 to 10 scenes whose characters and locations stay themselves, by a model with supports_multiturn. Charges the price of an image for each character, state, location and scene. Often takes longer than wait_seconds: it answers with the unfinished job then; call get_job until it is completed.",
      input: storyInput(config),
      output: job,
      annotations: makes,
      tool: generateStoryTool,
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
        "Lists the account's jobs, newest first: kind, status, model, what each cost, the title of a story, and why one failed. Use it when an answer was lost, before asking for an image a second time; get_job has the images. Costs nothing.",
      input: listJobsQuery,
      output: listJobsOutput,
      annotations: reads,
      tool: listJobsTool,
    },
    cancel_job: {
      title: "Cancel a job",
      description:
        "Cancels a job, which costs nothing then: an image before it is being made, a story at any time. A story whose images are being made is cancelled when they are done; get_job tells.",
      input: cancelJobInput,
      output: job,
      annotations: cancels,
      tool: cancelJobTool,
    },
    check_balance: {
      title: "Check the balance",
      description:
        "Tells what the account has left to spend, in EUR, and what unfinished jobs hold.",
      input: nothing,
      output: account,
      annotations: reads,
      tool: checkBalanceTool,
    },
  };
}
