import { Suspense, type ReactNode } from "react";
import { Route, Switch, useLocation } from "wouter";
import { ApiError, messageOf } from "./api.ts";
import { formatWait } from "./format.ts";
import { pages } from "./routes.tsx";
import { answerLink, useSession, startSession, type LinkQuestion } from "./session.ts";
import { ErrorBoundary } from "./shell/error-boundary.tsx";
import { Shell } from "./shell/shell.tsx";
import { useArrival } from "./shell/use-arrival.ts";
import { useTitle } from "./shell/use-title.ts";
import { texts } from "./texts.ts";
import { Button, ButtonLink } from "./ui/button.tsx";
import { EmptyState } from "./ui/empty-state.tsx";
import { loadLater } from "./ui/load-later.ts";
import { Loading } from "./ui/loading.tsx";
import { Toasts } from "./ui/toast.tsx";

const BindIdentity = loadLater(
  async () => (await import("./pages/sign-in/bind-identity.tsx")).BindIdentity,
);
const SignIn = loadLater(async () => (await import("./pages/sign-in/sign-in.tsx")).SignIn);

const publicPages = pages.filter((page) => page.isPublic);

/** The page of the address, or the sign-in page in its place. */
export function App() {
  const { state, problem, question } = useSession();
  const [path] = useLocation();
  const isPublic = publicPages.some((page) => page.path === path.replace(/\/$/, ""));
  if (state === "starting") return <Loading />;
  if (question !== null) {
    return (
      <main>
        {"link" in question ? (
          <ReplaceSession question={question} />
        ) : (
          <Suspense fallback={<Loading />}>
            <BindIdentity {...question} />
          </Suspense>
        )}
      </main>
    );
  }
  if (state === "unreachable") return <Unreachable problem={problem} />;
  return (
    <>
      {state === "signed_in" || isPublic ? (
        <Shell isSignedIn={state === "signed_in"}>
          <ErrorBoundary key={path}>
            <Suspense fallback={<Loading />}>
              <Switch>
                {pages.map((page) => (
                  <Route key={page.path} path={page.path}>
                    <Titled name={page.name}>
                      <page.Component />
                    </Titled>
                  </Route>
                ))}
                <Route>
                  <Titled name={texts.pages.notFound}>
                    <NotFound />
                  </Titled>
                </Route>
              </Switch>
            </Suspense>
          </ErrorBoundary>
        </Shell>
      ) : (
        <ErrorBoundary key="sign-in">
          <Suspense fallback={<Loading />}>
            <SignIn isExpired={state === "expired"} problem={problem} publicPages={publicPages} />
          </Suspense>
        </ErrorBoundary>
      )}
      <Toasts />
    </>
  );
}

/** Asks whether a link may replace the session of another account, or of another person of the same account. */
function ReplaceSession({ question }: { readonly question: LinkQuestion }) {
  const [asked, now] =
    "person" in question
      ? [texts.signIn.replacePerson, question.person]
      : [texts.signIn.replaceAccount, question.account];
  return (
    <EmptyState isPage icon="alert" title={asked.title(question.by)} hint={asked.hint(now)}>
      <Button look="primary" onClick={() => void answerLink(question, true)}>
        {asked.replace(question.by)}
      </Button>
      <Button onClick={() => void answerLink(question, false)}>{asked.keep(now)}</Button>
    </EmptyState>
  );
}

/** A page that has arrived, with its name in the title. */
function Titled({ name, children }: { readonly name: string; readonly children: ReactNode }) {
  const [path] = useLocation();
  useArrival(path);
  useTitle(name);
  return children;
}

function NotFound() {
  return (
    <main id="main" tabIndex={-1}>
      <EmptyState
        isPage
        icon="alert"
        title={texts.shell.pageNotFound}
        hint={texts.shell.pageNotFoundHint}
      >
        <ButtonLink href="/studio/">{texts.shell.toCreate}</ButtonLink>
      </EmptyState>
    </main>
  );
}

/** The session cannot be read: no response, or an error of the service. */
function Unreachable({ problem }: { readonly problem: unknown }) {
  const { status = 0, retryAfterSeconds: wait = null } = problem instanceof ApiError ? problem : {};
  const hint = [
    status === 0 ? texts.shell.unreachableHint : messageOf(problem),
    ...(wait === null ? [] : [texts.common.retryIn(formatWait(wait))]),
  ].join(" ");
  return (
    <main>
      <EmptyState
        isPage
        icon="alert"
        title={status === 0 ? texts.shell.unreachable : texts.shell.notAvailable}
        hint={hint}
      >
        <Button onClick={() => void startSession()}>{texts.common.tryAgain}</Button>
      </EmptyState>
    </main>
  );
}
