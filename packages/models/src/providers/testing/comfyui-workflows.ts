const node = (class_type: string, title: string, inputs: object): object => ({
  class_type,
  inputs,
  _meta: { title },
});

/** An operator's workflow as ComfyUI exports it, with up to two references. */
export const workflowText = JSON.stringify({
  "3": node("KSampler", "KSampler @seed", {
    seed: 1,
    steps: 20,
    cfg: 4,
    sampler_name: "euler",
    scheduler: "normal",
    denoise: 1,
    model: ["4", 0],
    positive: ["6", 0],
    negative: ["7", 0],
    latent_image: ["5", 0],
  }),
  "4": node("CheckpointLoaderSimple", "Load Checkpoint", { ckpt_name: "model.safetensors" }),
  "5": node("EmptyLatentImage", "Empty Latent @size", { width: 512, height: 512, batch_size: 1 }),
  "6": node("TextEncodeQwenImageEditPlus", "Positive @prompt", {
    prompt: "",
    clip: ["4", 1],
    vae: ["4", 2],
    image1: ["10", 0],
    image2: ["11", 0],
  }),
  "7": node("CLIPTextEncode", "Negative", { text: "watermark", clip: ["4", 1] }),
  "8": node("VAEDecode", "VAE Decode", { samples: ["3", 0], vae: ["4", 2] }),
  "9": node("SaveImage", "Save Image @output", { filename_prefix: "atelier", images: ["8", 0] }),
  "10": node("LoadImage", "Load Image @reference1", { image: "example.png" }),
  "11": node("LoadImage", "Load Image @reference2", { image: "example.png" }),
});

/** A workflow with slots for all options of the engine. */
export const parametersWorkflowText = JSON.stringify({
  "3": node("KSampler", "KSampler @seed @steps @guidance @sampler @scheduler", {
    seed: 1,
    steps: 28,
    cfg: 4,
    sampler_name: "euler",
    scheduler: "normal",
    denoise: 1,
    model: ["12", 0],
    positive: ["6", 0],
    negative: ["7", 0],
    latent_image: ["5", 0],
  }),
  "4": node("CheckpointLoaderSimple", "Load Checkpoint", { ckpt_name: "model.safetensors" }),
  "5": node("EmptyLatentImage", "Empty Latent @size", { width: 512, height: 512, batch_size: 1 }),
  "6": node("CLIPTextEncode", "Positive @prompt", { text: "", clip: ["12", 1] }),
  "7": node("CLIPTextEncode", "Negative", { text: "watermark", clip: ["12", 1] }),
  "8": node("VAEDecode", "VAE Decode", { samples: ["3", 0], vae: ["4", 2] }),
  "9": node("SaveImage", "Save Image @output", { filename_prefix: "atelier", images: ["8", 0] }),
  "12": node("LoraLoader", "Load LoRA @lora1", {
    lora_name: "none.safetensors",
    strength_model: 1,
    strength_clip: 1,
    model: ["4", 0],
    clip: ["4", 1],
  }),
});

/** A workflow for edits with a mask, a negative prompt and a strength. */
export const editWorkflowText = JSON.stringify({
  "3": node("KSampler", "KSampler @seed @strength", {
    seed: 1,
    steps: 20,
    cfg: 4,
    sampler_name: "euler",
    scheduler: "normal",
    denoise: 0.8,
    model: ["4", 0],
    positive: ["6", 0],
    negative: ["7", 0],
    latent_image: ["13", 0],
  }),
  "4": node("CheckpointLoaderSimple", "Load Checkpoint", { ckpt_name: "inpaint.safetensors" }),
  "6": node("CLIPTextEncode", "Positive @prompt", { text: "", clip: ["4", 1] }),
  "7": node("CLIPTextEncode", "Negative @negative", { text: "", clip: ["4", 1] }),
  "8": node("VAEDecode", "VAE Decode", { samples: ["3", 0], vae: ["4", 2] }),
  "9": node("SaveImage", "Save Image @output", { filename_prefix: "atelier", images: ["8", 0] }),
  "11": node("LoadImage", "Load Image @source", { image: "example.png" }),
  "12": node("LoadImageMask", "Load Mask @mask", { image: "example.png", channel: "red" }),
  "13": node("VAEEncodeForInpaint", "VAE Encode", {
    pixels: ["11", 0],
    vae: ["4", 2],
    mask: ["12", 0],
    grow_mask_by: 6,
  }),
});
