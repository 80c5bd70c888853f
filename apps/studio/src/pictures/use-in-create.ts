import { useQuery } from "@tanstack/react-query";
import { modelsQuery } from "../data/queries.ts";
import { changeOf, readDraft } from "../pages/create/draft.ts";
import { withReference } from "../pages/create/references/with-reference.ts";
import { useOpenDraft } from "../pages/create/use-draft.ts";
import { texts } from "../texts/pictures.ts";
import { showToast } from "../ui/toast.tsx";
import type { PictureUse } from "./picture-menu.tsx";

/** Takes a picture of another page to the form of Create. */
export function useInCreate(): PictureUse {
  const { data: models = [] } = useQuery(modelsQuery);
  const begin = useOpenDraft();
  return {
    refer: (reference) => {
      const added = withReference(readDraft(), reference, models);
      if (added === null) return;
      showToast(added.message);
      if (added.part !== null) begin(added.part);
    },
    change: (operation, image) => {
      showToast(texts.pictures.toolStarted);
      begin(changeOf(readDraft(), operation, image));
    },
  };
}
