import { useMutation } from "@tanstack/react-query";
import { leaveForProvider } from "../../api.ts";
import { keepWithoutIdentity } from "../../session.ts";
import { texts } from "../../texts.ts";
import { Button } from "../../ui/button.tsx";
import { EmptyState } from "../../ui/empty-state.tsx";
import { Problem } from "../../ui/problem.tsx";

/** Asks whether to bind the member whose link was opened to the identity of the person. */
export function BindIdentity(props: { readonly account: string; readonly provider: string }) {
  const { account, provider } = props;
  const leaving = useMutation({ mutationFn: () => leaveForProvider(true) });
  return (
    <EmptyState
      isPage
      icon="alert"
      title={texts.signIn.bindTitle(account)}
      hint={texts.signIn.bindHint(account, provider)}
    >
      <Problem error={leaving.error} />
      <Button look="primary" disabled={leaving.isPending} onClick={() => leaving.mutate()}>
        {texts.signIn.bind(account, provider)}
      </Button>
      <Button onClick={() => void keepWithoutIdentity()}>{texts.signIn.doNotBind}</Button>
    </EmptyState>
  );
}
