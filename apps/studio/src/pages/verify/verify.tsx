import { useMutation } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { useSearchParams } from "wouter";
import { formatBytes } from "../../format.ts";
import { texts } from "../../texts/verify.ts";
import { Button } from "../../ui/button.tsx";
import { check, fileOf, maxBytes, type Subject } from "./check-file.ts";
import { DropZone } from "./drop-zone.tsx";
import { HashForm } from "./hash-form.tsx";
import { Preview } from "./preview.tsx";
import { Problem } from "./problem.tsx";
import { Result } from "./result.tsx";
import styles from "./verify.module.css";

/** The public page that says what is known of the origin of a picture. */
export default function Verify() {
  const [search] = useSearchParams();
  const asked = search.get("sha256");
  const [tooLarge, setTooLarge] = useState<File | null>(null);
  const checking = useMutation({ mutationFn: check });
  const { mutate, reset } = checking;
  const heading = useRef<HTMLHeadingElement>(null);

  function start(subject: Subject): void {
    setTooLarge(null);
    if ("file" in subject && subject.file.size > maxBytes) {
      reset();
      setTooLarge(subject.file);
      return;
    }
    mutate(subject);
  }
  function startAgain(): void {
    setTooLarge(null);
    reset();
    heading.current?.focus();
  }

  useEffect(() => {
    if (asked !== null) mutate({ sha256: asked });
  }, [asked, mutate]);
  useEffect(() => {
    function onPaste(event: ClipboardEvent): void {
      const file = fileOf(event.clipboardData);
      if (file === null) return;
      event.preventDefault();
      start({ file });
    }
    addEventListener("paste", onPaste);
    return () => removeEventListener("paste", onPaste);
  });

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
      {tooLarge !== null && <Problem message={texts.verify.tooLarge(formatBytes(tooLarge.size))} />}
      {error !== null && variables !== undefined && (
        <Problem error={error} onRetry={() => mutate(variables)} />
      )}
      {isOpen && (
        <>
          <DropZone onFile={(file) => start({ file })} />
          <HashForm initial={asked ?? ""} onHash={(sha256) => start({ sha256 })} />
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
