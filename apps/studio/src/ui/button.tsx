import type { ComponentProps } from "react";
import { texts } from "../texts.ts";
import styles from "./button.module.css";

interface Look {
  /** `primary` for the one main action of a screen. */
  readonly look?: "primary" | "plain" | "ghost" | "danger" | undefined;
  readonly isBig?: boolean | undefined;
}

function classOf({ look = "plain", isBig = false }: Look, more = ""): string {
  return `${styles.button} ${styles[look]} ${isBig ? styles.big : ""} ${more}`;
}

/** A button that does something here. */
export function Button({ look, isBig, className, ...props }: ComponentProps<"button"> & Look) {
  return <button type="button" {...props} className={classOf({ look, isBig }, className)} />;
}

/** A link that looks like a button. */
export function ButtonLink({ look, isBig, className, ...props }: ComponentProps<"a"> & Look) {
  return <a {...props} className={classOf({ look, isBig }, className)} />;
}

/** Reads the next page of a list, unless it was the last one. */
export function MoreButton(props: {
  readonly list: {
    readonly hasNextPage: boolean;
    readonly isFetchingNextPage: boolean;
    readonly fetchNextPage: () => Promise<unknown>;
  };
}) {
  const { list } = props;
  if (!list.hasNextPage) return null;
  return (
    <div>
      <Button disabled={list.isFetchingNextPage} onClick={() => void list.fetchNextPage()}>
        {texts.common.more}
      </Button>
    </div>
  );
}
