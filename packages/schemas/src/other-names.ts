/**
 * Names that other vendors have for fields of requests, with ours: the first that a request has is
 * suggested.
 */
export const otherNames: Readonly<Record<string, readonly string[]>> = {
  batch_size: ["n"],
  cfg_scale: ["parameters"],
  format: ["output"],
  guidance: ["parameters"],
  guidance_scale: ["parameters"],
  height: ["image_size"],
  image_url: ["image", "reference_images", "images"],
  image_urls: ["images", "reference_images"],
  init_image: ["image", "reference_images"],
  input_image: ["image", "reference_images"],
  mask_image: ["mask"],
  mask_url: ["mask"],
  moderation: ["strictness"],
  num_images: ["n"],
  num_inference_steps: ["parameters"],
  num_outputs: ["n"],
  number_of_images: ["n"],
  output_compression: ["output"],
  output_format: ["output"],
  output_quality: ["output"],
  resolution: ["image_size"],
  response_format: ["output"],
  safety_tolerance: ["strictness"],
  size: ["image_size"],
  steps: ["parameters"],
  text: ["prompt"],
  user: ["metadata"],
  width: ["image_size"],
};
