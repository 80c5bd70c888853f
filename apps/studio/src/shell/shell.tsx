import { useQuery } from "@tanstack/react-query";
import { useEffect, useRef, useState, type ReactNode } from "react";
import { Link, useLocation } from "wouter";
import { messageOf } from "../api.ts";
import { accountQuery } from "../data/queries.ts";
import { formatEur } from "../format.ts";
import { leave } from "../session.ts";
import { texts } from "../texts.ts";
import { Icon } from "../ui/icons.tsx";
import { showToast } from "../ui/toast.tsx";
import { KeyboardHelp } from "./keyboard-help.tsx";
import { Rail, Tabs } from "./navigation.tsx";
import { OfflineNotice } from "./offline-notice.tsx";
import styles from "./shell.module.css";
import { ThemeButton } from "./theme-button.tsx";

/** What surrounds every page: navigation, balance, theme, sign-out. */
export function Shell(props: { readonly isSignedIn: boolean; readonly children: ReactNode }) {
  const { isSignedIn, children } = props;
  const [isHelpOpen, setHelpOpen] = useState(false);
  useFocusOnNavigation();
  return (
    <div className={styles.frame}>
      <a className={styles.skip} href="#main">
        {texts.shell.skip}
      </a>
      <header className={styles.side}>
        <Brand />
        <Rail isSignedIn={isSignedIn} />
        <div className={styles.foot}>
          {isSignedIn && <Balance />}
          <div className={styles.tools}>
            {isSignedIn ? <AccountName /> : <SignInLink />}
            <button
              type="button"
              className={styles.iconButton}
              onClick={() => setHelpOpen(true)}
              aria-label={texts.shell.keyboardHelp}
              title={texts.shell.keyboardHelp}
            >
              <Icon name="keyboard" />
            </button>
            <ThemeButton />
            {isSignedIn && <SignOutButton />}
          </div>
        </div>
      </header>
      <header className={styles.top}>
        <Brand />
        {isSignedIn ? <BalancePill /> : <SignInLink />}
        <ThemeButton />
        {isSignedIn && <SignOutButton />}
      </header>
      <div className={styles.page}>
        <OfflineNotice />
        {children}
      </div>
      <Tabs isSignedIn={isSignedIn} />
      <KeyboardHelp isOpen={isHelpOpen} onChange={setHelpOpen} />
    </div>
  );
}

/** Moves the focus to the content of a new page, as a browser does. */
function useFocusOnNavigation(): void {
  const [path] = useLocation();
  const shown = useRef(path);
  useEffect(() => {
    if (shown.current === path) return;
    shown.current = path;
    document.getElementById("main")?.focus();
  }, [path]);
}

function Brand() {
  return (
    <Link href="/" className={styles.brand}>
      <img src="/studio/icon.svg" alt="" width="26" height="26" /> Atelier
    </Link>
  );
}

function Balance() {
  const { data } = useQuery(accountQuery);
  return (
    <dl className={styles.balance}>
      <div>
        <dt>{texts.shell.balance}</dt>
        <dd className="num">{data === undefined ? "–" : formatEur(data.balance_eur)}</dd>
      </div>
      {data !== undefined && Number(data.held_eur) > 0 && (
        <div>
          <dt className="sr">{texts.shell.heldName}</dt>
          <dd className={`${styles.held} num`}>{texts.shell.held(formatEur(data.held_eur))}</dd>
        </div>
      )}
    </dl>
  );
}

function BalancePill() {
  const { data } = useQuery(accountQuery);
  return (
    <span className={`${styles.pill} num`}>
      <span className="sr">{texts.shell.balance} </span>
      {data === undefined ? "–" : formatEur(data.balance_eur)}
    </span>
  );
}

function SignOutButton() {
  return (
    <button
      type="button"
      className={styles.iconButton}
      onClick={() => void leave().catch((error: unknown) => showToast(messageOf(error)))}
      aria-label={texts.shell.signOut}
      title={texts.shell.signOut}
    >
      <Icon name="out" />
    </button>
  );
}

function AccountName() {
  const { data } = useQuery(accountQuery);
  return <span className={styles.name}>{data?.name}</span>;
}

function SignInLink() {
  return (
    <Link href="/" className={styles.name}>
      {texts.shell.signIn}
    </Link>
  );
}
