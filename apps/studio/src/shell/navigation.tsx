import { useState } from "react";
import { useLocation } from "wouter";
import { pages } from "../routes.tsx";
import { useSession } from "../session.ts";
import { texts } from "../texts.ts";
import { Dialog } from "../ui/dialogs/dialog.tsx";
import { Icon } from "../ui/icons.tsx";
import { isCurrent, PlaceLink } from "./place-link.tsx";
import styles from "./shell.module.css";
import { SignOutButton } from "./sign-out-button.tsx";

const groups = ["create", "account", "trust"] as const;

/** Tabs beside "More" on a narrow screen. */
const tabCount = 4;

interface NavigationProps {
  readonly isSignedIn: boolean;
}

/** The links that the navigation offers: those of pages that the key of the session may open. */
function usePlaces(isSignedIn: boolean) {
  const { scopes } = useSession();
  return pages.flatMap(({ path, name, place, isPublic, needs }) => {
    const isOpen = (isSignedIn || isPublic) && (needs === null || scopes.includes(needs));
    return place !== null && isOpen ? [{ path, name, ...place }] : [];
  });
}

/** The navigation of wide screens. */
export function Rail({ isSignedIn }: NavigationProps) {
  const places = usePlaces(isSignedIn);
  return (
    <nav aria-label={texts.shell.main} className={styles.rail}>
      {groups.map((group) => {
        const inGroup = places.filter((place) => place.group === group);
        if (inGroup.length === 0) return null;
        return (
          <section key={group} aria-labelledby={`group-${group}`}>
            <h2 id={`group-${group}`}>{texts.shell.groups[group]}</h2>
            {inGroup.map((place) => (
              <PlaceLink key={place.path} {...place} className={styles.link} />
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
      {tabs.map((place) => (
        <PlaceLink key={place.path} {...place} className={styles.tab} size={20} />
      ))}
      {hasMore && (
        <button
          type="button"
          className={styles.tab}
          data-current={places.slice(tabCount).some((place) => isCurrent(place.path, path))}
          onClick={() => setOpen(true)}
        >
          <Icon name="more" size={20} />
          {texts.shell.more}
        </button>
      )}
      {isOpen && (
        <Dialog title={texts.shell.more} onClose={() => setOpen(false)}>
          {places.slice(tabCount).map((place) => (
            <PlaceLink
              key={place.path}
              {...place}
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
