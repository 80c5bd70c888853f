import { createUpload, generateEdit, verifyImage } from "../generated/hey-api";
import { client } from "../generated/hey-api/client.gen";
import type { Received, Service } from "./service";

export async function use({ url, key, picture }: Service): Promise<Received> {
  client.setConfig({ baseUrl: url, auth: key, throwOnError: true });
  const file = new File([picture], "picture.png", { type: "image/png" });
  const { data: upload } = await createUpload({ body: { file }, throwOnError: true });
  const { data: edited } = await generateEdit({
    body: { model: "builtin-illustrator", prompt: "a blue boat", image: { upload_id: upload.id } },
    throwOnError: true,
  });
  if ("job_id" in edited) throw new Error("the edit is unfinished");
  const { data: verified } = await verifyImage({ body: { file }, throwOnError: true });
  return {
    uploadId: upload.id,
    imageUrl: edited.image_url,
    width: edited.formats.png.width,
    verdict: verified.verdict,
  };
}
