import { useState } from "react";
import { queryOptions, useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import { sendJson } from "../../api.ts";
import { formatTime } from "../../format.ts";
import { leave, saveBeforeLeaving } from "../../session.ts";
import { UnsavedDialog } from "../../shell/unsaved-dialog.tsx";
import { texts } from "../../texts/account.ts";
import { Button } from "../../ui/button.tsx";
import { Problem } from "../../ui/problem.tsx";
import styles from "./account.module.css";
import { browserOf } from "./browser-of.ts";

interface StudioSession {
  readonly id: string;
  readonly key_name: string;
  readonly user_agent: string | null;
  readonly is_current: boolean;
  readonly created_at: string;
  readonly last_used_at: string;
}

const sessionsQuery = queryOptions({
  queryKey: ["session", "list"],
  queryFn: async ({ signal }) => {
    const path = "/studio/sessions";
    const { sessions } = await sendJson<{ sessions: StudioSession[] }>("GET", path, { signal });
    return sessions;
  },
});

/** Characters that are shown of what an unknown browser calls itself. */
const shownAgent = 60;

/** Names a browser and its system; what an unknown one calls itself is shortened. */
function describeBrowser(userAgent: string | null): string {
  if (userAgent === null) return texts.account.unknownBrowser;
  const known = browserOf(userAgent);
  if (known !== null) return texts.account.browserOn(known.browser, known.system);
  return userAgent.length > shownAgent ? `${userAgent.slice(0, shownAgent)}…` : userAgent;
}

/** The browsers that are signed in, each of which can be signed out. */
export function Sessions() {
  const queryClient = useQueryClient();
  const { data: sessions = [], error } = useQuery(sessionsQuery);
  /** The session to end, null for all, although changes of this browser cannot be saved. */
  const [asked, setAsked] = useState<StudioSession | null | undefined>(undefined);
  async function end(session: StudioSession | null): Promise<void> {
    await sendJson("DELETE", `/studio/sessions${session === null ? "" : `/${session.id}`}`);
    if (session === null || session.is_current) await leave();
    else await queryClient.invalidateQueries(sessionsQuery);
  }
  const ending = useMutation({
    mutationFn: async (session: StudioSession | null) => {
      const isOwn = session === null || session.is_current;
      if (isOwn && !(await saveBeforeLeaving())) setAsked(session);
      else await end(session);
    },
  });
  return (
    <>
      <Problem error={error ?? ending.error} />
      <ul className={styles.sessions}>
        {sessions.map((session) => (
          <li key={session.id}>
            <div>
              <strong>{session.is_current ? texts.account.thisBrowser : session.key_name}</strong>
              <p title={session.user_agent ?? undefined}>{describeBrowser(session.user_agent)}</p>
              <p>
                {texts.account.sessionTimes(
                  formatTime(session.created_at),
                  formatTime(session.last_used_at),
                )}
              </p>
            </div>
            <Button
              disabled={ending.isPending}
              aria-label={texts.account.endSessionOf(session.key_name)}
              onClick={() => ending.mutate(session)}
            >
              {texts.account.endSession}
            </Button>
          </li>
        ))}
      </ul>
      <Button
        look="danger"
        className={styles.endAll}
        disabled={ending.isPending}
        onClick={() => ending.mutate(null)}
      >
        {texts.account.endSessions}
      </Button>
      {asked !== undefined && (
        <UnsavedDialog onConfirm={() => end(asked)} onClose={() => setAsked(undefined)} />
      )}
    </>
  );
}
