import { createUpload, generateEdit, verifyImage } from "../generated/orval";
import type { Received, Service } from "./service";

export async function use({ key, picture }: Service): Promise<Received> {
  const options = { headers: { Authorization: `Bearer ${key}` } };
  const file = new File([picture], "picture.png", { type: "image/png" });
  const upload = await createUpload({ file }, options);
  if (upload.status !== 201) throw new Error(`status ${upload.status}`);
  const edited = await generateEdit(
    {
      model: "builtin-illustrator",
      prompt: "a blue boat",
      image: { upload_id: upload.data.id },
    },
    options,
  );
  if (edited.status !== 200) throw new Error(`status ${edited.status}`);
  const verified = await verifyImage({ file });
  if (verified.status !== 200) throw new Error(`status ${verified.status}`);
  return {
    uploadId: upload.data.id,
    imageUrl: edited.data.image_url,
    width: edited.data.formats.png.width,
    verdict: verified.data.verdict,
  };
}
