import { useMutation } from "@tanstack/react-query";
import { useEffect, useRef } from "react";
import { useSearchParams } from "wouter";
import { texts } from "../../texts/verify.ts";
import { Button } from "../../ui/button.tsx";
import { readHash, useTransfers } from "../../ui/use-transfers.ts";
import { check } from "./check-file.ts";
import { DropZone } from "./drop-zone.tsx";
import { HashForm } from "./hash-form.tsx";
import { Preview } from "./preview.tsx";
import { Problem } from "./problem.tsx";
import { Result } from "./result.tsx";
import styles from "./verify.module.css";

/** The public page that says what is known of the origin of a picture. */
export default function Verify() {
  const [search] = useSearchParams();
  const requestedHash = search.get("sha256");
  const checking = useMutation({ mutationFn: check });
  const { mutate, reset } = checking;
  const heading = useRef<HTMLHeadingElement>(null);
  const isOver = useTransfers(mutate);

  function startAgain(): void {
    reset();
    heading.current?.focus();
  }

  useEffect(() => {
    const sha256 = readHash(requestedHash ?? "");
    if (sha256 !== null) mutate({ sha256 });
  }, [requestedHash, mutate]);

  const { data, error, variables, isPending } = checking;
  const isOpen = data === undefined && !isPending;
  return (
    <main id="main" tabIndex={-1} className={styles.page}>
      <header className={styles.heading}>
        <h1 ref={heading} tabIndex={-1}>
          {texts.pages.verify}
        </h1>
        <p>{texts.verify.lead}</p>
      </header>
      {error !== null && variables !== undefined && (
        <Problem error={error} onRetry={() => mutate(variables)} />
      )}
      {isOpen && (
        <>
          <DropZone isOver={isOver} onFile={(file) => mutate({ file })} />
          <HashForm initial={requestedHash ?? ""} onHash={(sha256) => mutate({ sha256 })} />
        </>
      )}
      {isPending && variables !== undefined && (
        <div className={styles.checking} role="status">
          {"file" in variables && <Preview file={variables.file} />}
          <p>{texts.verify.checking}</p>
        </div>
      )}
      {data !== undefined && variables !== undefined && (
        <Result found={data} subject={variables}>
          <Button onClick={startAgain}>{texts.verify.another}</Button>
        </Result>
      )}
    </main>
  );
}
