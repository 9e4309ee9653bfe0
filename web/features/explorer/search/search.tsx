import SearchIcon from "lucide-react/icons/search";
import { useEffect } from "react";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { keyName } from "../../../lib/keys.ts";
import { useStore } from "../../../lib/store.ts";
import { IconButton } from "../../../ui/button.tsx";
import { searchOpen } from "../open-sheets.ts";
import { recentSearches } from "./recent.ts";
import { SearchDialog } from "./search-dialog.tsx";

/** Opens the search; its tooltip names the key. */
export function SearchButton() {
  useLanguage();
  return (
    <IconButton
      label={t("search.open")}
      title={`${t("search.open")} (${keyName("K")})`}
      onClick={() => searchOpen.set(true)}
    >
      <SearchIcon aria-hidden />
    </IconButton>
  );
}

/** The search over the folder on view, while it is open. */
export function Search({ folder }: { readonly folder: string }) {
  const open = useStore(searchOpen);
  useEffect(() => () => searchOpen.set(false), []);
  // Read before it opens, so that its first frame has them.
  useEffect(() => void recentSearches.recall(), []);
  return open ? <SearchDialog folder={folder} onClose={() => searchOpen.set(false)} /> : null;
}
