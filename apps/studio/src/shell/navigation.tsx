import { useState } from "react";
import { Link, useLocation } from "wouter";
import { pages, type Page } from "../routes.tsx";
import { useSession } from "../session.ts";
import { texts } from "../texts.ts";
import { Dialog } from "../ui/dialogs/dialog.tsx";
import { Icon } from "../ui/icons.tsx";
import styles from "./shell.module.css";
import { SignOutButton } from "./sign-out-button.tsx";

const groups = ["create", "account", "trust"] as const;

/** Tabs beside "More" on a narrow screen. */
const tabCount = 4;

interface NavigationProps {
  readonly isSignedIn: boolean;
}

function isCurrent(page: Page, path: string): boolean {
  return path === page.path || (page.path !== "/" && path.startsWith(`${page.path}/`));
}

/** The pages that the navigation offers: those that the key of the session may open. */
function usePlaces(isSignedIn: boolean): readonly Page[] {
  const { scopes } = useSession();
  return pages.filter(
    ({ place, isPublic, needs }) =>
      place !== null && (isSignedIn || isPublic) && (needs === null || scopes.includes(needs)),
  );
}

/** The navigation of wide screens. */
export function Rail({ isSignedIn }: NavigationProps) {
  const places = usePlaces(isSignedIn);
  return (
    <nav aria-label={texts.shell.main} className={styles.rail}>
      {groups.map((group) => {
        const inGroup = places.filter(({ place }) => place?.group === group);
        if (inGroup.length === 0) return null;
        return (
          <section key={group} aria-labelledby={`group-${group}`}>
            <h2 id={`group-${group}`}>{texts.shell.groups[group]}</h2>
            {inGroup.map((page) => (
              <PlaceLink key={page.path} page={page} className={styles.link} />
            ))}
          </section>
        );
      })}
    </nav>
  );
}

/** The navigation of narrow screens: the first pages as tabs, the others behind "More". */
export function Tabs({ isSignedIn }: NavigationProps) {
  const [path] = useLocation();
  const [isOpen, setOpen] = useState(false);
  const { member } = useSession();
  const places = usePlaces(isSignedIn);
  if (places.length < 2) return null;
  const hasMore = places.length > tabCount + 1;
  const tabs = hasMore ? places.slice(0, tabCount) : places;
  return (
    <nav aria-label={texts.shell.main} className={styles.tabs}>
      {tabs.map((page) => (
        <PlaceLink key={page.path} page={page} className={styles.tab} size={20} />
      ))}
      {hasMore && (
        <button
          type="button"
          className={styles.tab}
          data-current={places.slice(tabCount).some((page) => isCurrent(page, path))}
          onClick={() => setOpen(true)}
        >
          <Icon name="more" size={20} />
          {texts.shell.more}
        </button>
      )}
      {isOpen && (
        <Dialog title={texts.shell.more} onClose={() => setOpen(false)}>
          {places.slice(tabCount).map((page) => (
            <PlaceLink
              key={page.path}
              page={page}
              className={styles.link}
              onClick={() => setOpen(false)}
            />
          ))}
          {member !== null && <p className={styles.who}>{texts.shell.signedInAs(member.name)}</p>}
          <SignOutButton className={styles.link} isNamed />
        </Dialog>
      )}
    </nav>
  );
}

function PlaceLink(props: {
  readonly page: Page;
  readonly className: string | undefined;
  readonly size?: number;
  readonly onClick?: () => void;
}) {
  const [path] = useLocation();
  const { page, className, size, onClick } = props;
  if (page.place === null) return null;
  return (
    <Link
      href={page.path}
      className={className}
      aria-current={isCurrent(page, path) ? "page" : undefined}
      onClick={onClick}
    >
      <Icon name={page.place.icon} size={size} />
      {page.name}
    </Link>
  );
}
