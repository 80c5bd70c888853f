import { useMutation } from "@tanstack/react-query";
import { ApiError, request } from "../../api.ts";
import { fileNameOf, saveFile } from "../../data/save-file.ts";
import { formatBytes } from "../../format.ts";
import { texts } from "../../texts/account.ts";
import { Button } from "../../ui/button.tsx";
import { Icon } from "../../ui/icons.tsx";
import { Problem } from "../../ui/problem.tsx";
import { showToast } from "../../ui/toast.tsx";
import styles from "./account.module.css";

/** Saves all data of the account as a file. */
export function ExportButton({ accountId }: { readonly accountId: string }) {
  const exporting = useMutation({
    mutationFn: () => readExport(accountId),
    onSuccess: ({ name, content }) => {
      saveFile(name, content);
      showToast(texts.account.exported(formatBytes(content.size)));
    },
  });
  return (
    <div className={styles.export}>
      <Problem error={exporting.error} />
      <Button disabled={exporting.isPending} onClick={() => exporting.mutate()}>
        <Icon name="download" size={16} />
        {exporting.isPending ? texts.account.exporting : texts.account.download}
      </Button>
    </div>
  );
}

/** @throws ApiError when the service stopped before the last line, which says that it is complete. */
async function readExport(accountId: string): Promise<{ name: string; content: Blob }> {
  const response = await request("GET /v1/account/export", {});
  const name = fileNameOf(response, `atelier-${accountId}.jsonl`);
  const content = await response.blob().catch(() => null);
  const end = await content?.slice(-200).text();
  if (content === null || !/\{"type":"end","lines":\d+\}\n$/.test(end ?? "")) {
    throw new ApiError(texts.account.incomplete, { status: 0, code: "incomplete" });
  }
  return { name, content };
}
