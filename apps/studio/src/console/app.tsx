import { useEffect, type ReactNode } from "react";
import { Redirect, Route, Switch, useLocation } from "wouter";
import { messageOf } from "../api.ts";
import { ErrorBoundary } from "../shell/error-boundary.tsx";
import { useArrival } from "../shell/use-arrival.ts";
import { texts } from "../texts/console.ts";
import { Button } from "../ui/button.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { Loading } from "../ui/loading.tsx";
import { Toasts } from "../ui/toast.tsx";
import { AccountPage } from "./accounts/account.tsx";
import { Accounts } from "./accounts/accounts.tsx";
import { Frame } from "./frame.tsx";
import { Health } from "./health/health.tsx";
import { JobPage } from "./jobs/job.tsx";
import { Jobs } from "./jobs/jobs.tsx";
import { startSession, useSession } from "./session.ts";
import { SignIn } from "./sign-in.tsx";

const { accounts, jobs, health } = texts.console;

const pages = [
  { path: "/accounts", name: accounts.title, render: () => <Accounts /> },
  { path: "/accounts/:id", name: accounts.one, render: (id: string) => <AccountPage id={id} /> },
  { path: "/jobs", name: jobs.title, render: () => <Jobs /> },
  { path: "/jobs/:id", name: jobs.one, render: (id: string) => <JobPage id={id} /> },
  { path: "/health", name: health.title, render: () => <Health /> },
] as const;

/** The page of the address, or the sign-in page in its place. */
export function App() {
  const { state, problem } = useSession();
  const [path] = useLocation();
  if (state === "starting") return <Loading />;
  if (state === "signed_out" || state === "expired") return <SignIn />;
  if (state === "unreachable") {
    return (
      <main>
        <EmptyState isPage icon="alert" title={texts.shell.notAvailable} hint={messageOf(problem)}>
          <Button onClick={() => void startSession()}>{texts.common.tryAgain}</Button>
        </EmptyState>
      </main>
    );
  }
  return (
    <>
      <Frame>
        <ErrorBoundary key={path}>
          <Switch>
            {pages.map(({ path: at, name, render }) => (
              <Route key={at} path={at}>
                {({ id = "" }: { readonly id?: string }) => (
                  <Titled name={name}>{render(id)}</Titled>
                )}
              </Route>
            ))}
            <Route path="/">
              <Redirect to="/accounts" replace />
            </Route>
            <Route>
              <Titled name={texts.shell.pageNotFound}>
                <main id="main" tabIndex={-1}>
                  <EmptyState
                    isPage
                    icon="alert"
                    title={texts.shell.pageNotFound}
                    hint={texts.console.notFoundHint}
                  />
                </main>
              </Titled>
            </Route>
          </Switch>
        </ErrorBoundary>
      </Frame>
      <Toasts />
    </>
  );
}

/** A page with its name in the title of the tab. */
function Titled({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  const [path] = useLocation();
  useArrival(path);
  useEffect(() => {
    document.title = `${name} · ${texts.console.name}`;
  }, [name]);
  return children;
}
