import { useMutation } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Link } from "wouter";
import { messageOf } from "../api.ts";
import { PlaceLink } from "../shell/place-link.tsx";
import styles from "../shell/shell.module.css";
import { ThemeButton } from "../shell/theme-button.tsx";
import { texts } from "../texts/console.ts";
import { Icon } from "../ui/icons.tsx";
import { showToast } from "../ui/toast.tsx";
import { leave, useSession } from "./session.ts";

const places = [
  { path: "/accounts", name: texts.console.accounts.title, icon: "people" },
  { path: "/jobs", name: texts.console.jobs.title, icon: "gallery" },
  { path: "/health", name: texts.console.health.title, icon: "chart" },
] as const;

/** The frame of every page of the console: navigation, theme, sign-out. */
export function Frame({ children }: { readonly children: ReactNode }) {
  return (
    <div className={styles.frame}>
      <a className={styles.skip} href="#main">
        {texts.shell.skip}
      </a>
      <header className={styles.side}>
        <Brand />
        <nav aria-label={texts.shell.main} className={styles.rail}>
          {places.map((place) => (
            <PlaceLink key={place.path} {...place} className={styles.link} />
          ))}
        </nav>
        <div className={styles.foot}>
          <div className={styles.tools}>
            <Role />
            <ThemeButton />
            <SignOutButton />
          </div>
        </div>
      </header>
      <header className={styles.top}>
        <Brand />
        <ThemeButton />
        <SignOutButton />
      </header>
      <div className={styles.page}>{children}</div>
      <nav aria-label={texts.shell.main} className={styles.tabs}>
        {places.map((place) => (
          <PlaceLink key={place.path} {...place} className={styles.tab} size={20} />
        ))}
      </nav>
    </div>
  );
}

/** The name of the console with its icon. */
function Brand() {
  return (
    <Link href="/accounts" className={styles.brand}>
      <img src={`${import.meta.env.BASE_URL}icon.svg`} alt="" width="26" height="26" />
      {texts.console.name}
    </Link>
  );
}

function Role() {
  const role = useSession().operator?.role ?? null;
  return <span className={styles.name}>{role !== null && texts.console.session.roles[role]}</span>;
}

function SignOutButton() {
  const leaving = useMutation({
    mutationFn: leave,
    onError: (error) => showToast(messageOf(error)),
  });
  return (
    <button
      type="button"
      className={styles.iconButton}
      disabled={leaving.isPending}
      onClick={() => leaving.mutate()}
      aria-label={texts.shell.signOut}
      title={texts.shell.signOut}
    >
      <Icon name="out" />
    </button>
  );
}
