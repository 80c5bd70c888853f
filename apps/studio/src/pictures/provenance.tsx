import type { Verification } from "@atelier/schemas";
import { useMutation } from "@tanstack/react-query";
import { Link } from "wouter";
import { messageOf, sendJson } from "../api.ts";
import { texts } from "../texts.ts";
import { Icon } from "../ui/icons.tsx";
import { showToast } from "../ui/toast.tsx";
import type { ResultImage } from "./images-of.ts";
import styles from "./provenance.module.css";

/** The marks that the image carries, and on request what the public check says of its hash. */
export function Provenance({ image }: { readonly image: ResultImage }) {
  const checking = useMutation({
    mutationFn: () => sendJson<Verification>("POST", "/verify", { body: { sha256: image.hash } }),
    onError: (error) => showToast(messageOf(error)),
  });
  const verdict = checking.data?.verdict;
  return (
    <span className={styles.provenance}>
      <span className={styles.signed}>
        <Icon name="shield" size={14} />
        {image.layers.map((layer) => texts.create.layers[layer]).join(", ")}
      </span>
      {verdict === undefined ? (
        <button type="button" onClick={() => checking.mutate()} disabled={checking.isPending}>
          {texts.create.check}
        </button>
      ) : (
        <span role="status">
          <Link href={`/verify?sha256=${image.hash}`}>{texts.create.verdicts[verdict]}</Link>
        </span>
      )}
    </span>
  );
}
