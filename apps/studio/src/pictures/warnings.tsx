import type { GenerationResponse } from "@atelier/schemas";
import { texts } from "../texts/pictures.ts";
import { Notice } from "../ui/notice.tsx";

/** The warnings of a result, in the service's English. */
export function Warnings({ result }: { readonly result: GenerationResponse | null }) {
  const warnings = result?.warnings ?? [];
  if (warnings.length === 0) return null;
  return (
    <Notice kind="neutral">
      <strong>{texts.pictures.warnings}</strong>
      {warnings.map((warning) => (
        <p key={warning} lang="en" dir="auto">
          {warning}
        </p>
      ))}
    </Notice>
  );
}
