import type { AdminJob } from "@atelier/schemas/admin";
import { formatBytes } from "../../format.ts";
import { texts } from "../../texts/console.ts";
import { Badge } from "../../ui/badge.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { Table } from "../../ui/table.tsx";
import styles from "../console.module.css";

/** The files of a job, without a way to open them. */
export function Files({ files }: Pick<AdminJob, "files">) {
  const named = texts.console.jobs;
  const { image, format, pixels, size, sha256 } = named.fileColumns;
  return (
    <Table name={named.files} isStacked>
      <thead>
        <tr>
          <th scope="col" className="num">
            {image}
          </th>
          <th scope="col">{format}</th>
          <th scope="col">{pixels}</th>
          <th scope="col" className="num">
            {size}
          </th>
          <th scope="col">{sha256}</th>
        </tr>
      </thead>
      <tbody>
        {files.map((file) => (
          <tr key={file.storage_key}>
            <td className="num" data-name={image}>
              {file.image + 1}
            </td>
            <th scope="row" className={styles.line}>
              {file.format.toUpperCase()}{" "}
              {file.deleted_at !== null && <Badge kind="neutral">{named.deleted}</Badge>}
            </th>
            <td className={styles.line}>
              {file.width} × {file.height}
            </td>
            <td className="num" data-name={size}>
              {formatBytes(file.size_bytes)}
            </td>
            <td className={styles.line} data-name={sha256}>
              <code className={styles.id}>{file.sha256}</code>{" "}
              <CopyButton text={file.sha256} name={named.copyHash(file.format.toUpperCase())} />
            </td>
          </tr>
        ))}
      </tbody>
    </Table>
  );
}
