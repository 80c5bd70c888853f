import { Component, type ReactNode } from "react";
import { texts } from "../texts.ts";
import { Button } from "../ui/button.tsx";
import { EmptyState } from "../ui/empty-state.tsx";
import { LoadError } from "../ui/load-later.ts";

interface State {
  /** A key of `texts.shell.failures`; null while the page works. */
  readonly failure: "stopped" | "notLoaded" | null;
}

/** Shows a page with a way out in place of one that failed, for instance because its code did not load. */
export class ErrorBoundary extends Component<{ readonly children: ReactNode }, State> {
  override state: State = { failure: null };

  static getDerivedStateFromError(error: unknown): State {
    return { failure: error instanceof LoadError ? "notLoaded" : "stopped" };
  }

  override render(): ReactNode {
    const { failure } = this.state;
    if (failure === null) return this.props.children;
    const { title, hint } = texts.shell.failures[failure];
    return (
      <main id="main" tabIndex={-1}>
        <EmptyState isPage icon="alert" title={title} hint={hint}>
          <Button onClick={() => location.reload()}>{texts.shell.reload}</Button>
        </EmptyState>
      </main>
    );
  }
}
