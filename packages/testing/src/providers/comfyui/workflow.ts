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
