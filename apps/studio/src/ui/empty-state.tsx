import type { ReactNode } from "react";
import styles from "./empty-state.module.css";
import { Icon, type IconName } from "./icons.tsx";

/** In place of content that is not there: why, and the way to get it. */
export function EmptyState(props: {
  readonly icon: IconName;
  readonly title: string;
  readonly hint: string;
  /** Whether it is in place of a whole page, whose heading it then has. */
  readonly isPage?: boolean;
  readonly children?: ReactNode;
}) {
  const { icon, title, hint, isPage = false, children } = props;
  const Heading = isPage ? "h1" : "h2";
  return (
    <div className={styles.empty}>
      <Icon name={icon} size={28} />
      <Heading>{title}</Heading>
      <p>{hint}</p>
      {children !== undefined && <div className={styles.actions}>{children}</div>}
    </div>
  );
}
