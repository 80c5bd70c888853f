import type { KeyScope } from "@atelier/schemas";
import type { ComponentType, LazyExoticComponent } from "react";
import { texts } from "./texts.ts";
import type { IconName } from "./ui/icons.tsx";
import { loadLater } from "./ui/load-later.ts";

type Module = { readonly default: ComponentType };

/** A page of the app. */
export interface Page {
  /** Below `/studio`, such as `/stories/:id`. */
  readonly path: string;
  readonly name: string;
  /** Its place in the navigation; null for pages that others lead to. */
  readonly place: {
    readonly group: "create" | "account" | "trust";
    readonly icon: IconName;
  } | null;
  /** Whether it can be used without signing in. */
  readonly isPublic: boolean;
  /** The scope without which it shows nothing; null for pages that every key may open. */
  readonly needs: KeyScope | null;
  /** Loads its code. */
  readonly load: () => Promise<Module>;
  readonly Component: LazyExoticComponent<ComponentType>;
}

function page(
  path: string,
  name: string,
  place: Page["place"],
  load: Page["load"],
  { isPublic = false, needs = null }: Partial<Pick<Page, "isPublic" | "needs">> = {},
): Page {
  const Component = loadLater(async () => (await load()).default);
  return { path, name, place, isPublic, needs, load, Component };
}

/** All pages, in the order of the navigation. */
export const pages: readonly Page[] = [
  page(
    "/",
    texts.pages.create,
    { group: "create", icon: "spark" },
    () => import("./pages/create/create.tsx"),
  ),
  page(
    "/stories",
    texts.pages.stories,
    { group: "create", icon: "story" },
    () => import("./pages/stories/stories.tsx"),
  ),
  page(
    "/stories/new",
    texts.pages.newStory,
    null,
    () => import("./pages/stories/builder/builder.tsx"),
  ),
  page("/stories/:id", texts.pages.story, null, () => import("./pages/stories/board/board.tsx")),
  page(
    "/stories/:id/pages",
    texts.pages.book,
    null,
    () => import("./pages/stories/book/book-page.tsx"),
  ),
  page(
    "/stories/:id/sheet",
    texts.pages.contactSheet,
    null,
    () => import("./pages/stories/sheet/sheet.tsx"),
  ),
  page(
    "/library",
    texts.pages.library,
    { group: "create", icon: "gallery" },
    () => import("./pages/library/library.tsx"),
  ),
  page(
    "/usage",
    texts.pages.usage,
    { group: "account", icon: "chart" },
    () => import("./pages/usage/usage.tsx"),
  ),
  page(
    "/keys",
    texts.pages.keys,
    { group: "account", icon: "key" },
    () => import("./pages/keys/keys.tsx"),
    { needs: "manage" },
  ),
  page(
    "/budgets",
    texts.pages.budgets,
    { group: "account", icon: "wallet" },
    () => import("./pages/budgets/budgets.tsx"),
    { needs: "manage" },
  ),
  page(
    "/members",
    texts.pages.members,
    { group: "account", icon: "people" },
    () => import("./pages/members/members.tsx"),
    { needs: "manage" },
  ),
  page(
    "/webhooks",
    texts.pages.webhooks,
    { group: "account", icon: "hook" },
    () => import("./pages/webhooks/webhooks.tsx"),
    { needs: "manage" },
  ),
  page("/webhooks/:id", texts.pages.webhook, null, () => import("./pages/webhooks/webhook.tsx")),
  page(
    "/skills",
    texts.pages.skills,
    { group: "account", icon: "file" },
    () => import("./pages/skills/skills.tsx"),
  ),
  page(
    "/account",
    texts.pages.account,
    { group: "account", icon: "person" },
    () => import("./pages/account/account.tsx"),
  ),
  page(
    "/verify",
    texts.pages.verify,
    { group: "trust", icon: "shield" },
    () => import("./pages/verify/verify.tsx"),
    { isPublic: true },
  ),
];
