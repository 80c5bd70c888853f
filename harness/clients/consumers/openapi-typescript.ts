import createClient from "openapi-fetch";
import type { paths } from "../generated/openapi-typescript";
import type { Received, Service } from "./service";

export async function use({ url, key, picture }: Service): Promise<Received> {
  const client = createClient<paths>({
    baseUrl: url,
    headers: { Authorization: `Bearer ${key}` },
  });
  const form = new FormData();
  form.set("file", picture, "picture.png");
  // The library's types have no binary data: a form is passed by its serializer.
  const body = { file: "" };
  const bodySerializer = () => form;
  const { data: upload } = await client.POST("/v1/uploads", { body, bodySerializer });
  if (upload === undefined) throw new Error("no upload");
  const { data: edited, response } = await client.POST("/v1/generate/edit", {
    body: {
      model: "builtin-illustrator",
      prompt: "a blue boat",
      image: { upload_id: upload.id },
      n: 1,
    },
  });
  if (edited === undefined || "job_id" in edited) throw new Error(`status ${response.status}`);
  const { data: verified } = await client.POST("/verify", { body, bodySerializer });
  return {
    uploadId: upload.id,
    imageUrl: edited.image_url,
    width: edited.formats.png.width,
    verdict: verified?.verdict ?? "",
  };
}
