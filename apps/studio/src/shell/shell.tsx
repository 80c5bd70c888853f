import { useQuery } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { Link } from "wouter";
import { accountQuery } from "../data/queries.ts";
import { formatEur } from "../format.ts";
import { useSession } from "../session.ts";
import { texts } from "../texts.ts";
import { Icon } from "../ui/icons.tsx";
import { KeyboardHelp } from "./keyboard-help.tsx";
import { Rail, Tabs } from "./navigation.tsx";
import { OfflineNotice } from "./offline-notice.tsx";
import styles from "./shell.module.css";
import { SignOutButton } from "./sign-out-button.tsx";
import { ThemeButton } from "./theme-button.tsx";

/** The frame of every page: navigation, balance, theme, sign-out. */
export function Shell(props: { readonly isSignedIn: boolean; readonly children: ReactNode }) {
  const { isSignedIn, children } = props;
  const [isHelpOpen, setHelpOpen] = useState(false);
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
            {isSignedIn ? <SignedIn /> : <SignInLink />}
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
            {isSignedIn && <SignOutButton className={styles.iconButton} />}
          </div>
        </div>
      </header>
      <header className={styles.top}>
        <Brand />
        {isSignedIn ? <BalancePill /> : <SignInLink />}
        <ThemeButton />
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
      {data?.held_eur !== undefined && Number(data.held_eur) > 0 && (
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

/** The name of the person who is signed in, or of the account of the key. */
function SignedIn() {
  const { member } = useSession();
  const { data } = useQuery(accountQuery);
  if (member === null) {
    return (
      <span className={styles.name} title={data?.name}>
        {data?.name}
      </span>
    );
  }
  const name = texts.shell.signedInAs(member.name);
  return (
    <span className={styles.name} title={data?.name === undefined ? name : `${name}, ${data.name}`}>
      {member.name}
    </span>
  );
}

function SignInLink() {
  return (
    <Link href="/" className={styles.name}>
      {texts.shell.signIn}
    </Link>
  );
}
