import { Component, type ReactNode } from "react";
import { texts } from "../texts.ts";
import { Button } from "../ui/button.tsx";
import { EmptyState } from "../ui/empty-state.tsx";

/** Shows a page with a way out in place of one that failed, for instance because its code did not load. */
export class ErrorBoundary extends Component<
  { readonly children: ReactNode },
  { readonly hasFailed: boolean }
> {
  override state = { hasFailed: false };

  static getDerivedStateFromError(): { readonly hasFailed: boolean } {
    return { hasFailed: true };
  }

  override render(): ReactNode {
    if (!this.state.hasFailed) return this.props.children;
    return (
      <main id="main" tabIndex={-1}>
        <EmptyState
          isPage
          icon="alert"
          title={texts.shell.unexpected}
          hint={texts.shell.unexpectedHint}
        >
          <Button onClick={() => location.reload()}>{texts.shell.reload}</Button>
        </EmptyState>
      </main>
    );
  }
}
