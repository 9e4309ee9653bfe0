import { useQueryClient } from "@tanstack/react-query";
import { type ReactNode, useEffect, useEffectEvent, useState } from "react";
import { parentOf } from "#contract/paths";
import { loadWords } from "../../../i18n/i18n.ts";
import { loadOrTell } from "../../../ui/toast/load-or-tell.ts";
import { renew } from "../model/listing.ts";
import type { EditText } from "./edit-text.tsx";

/** The editor of the file on view. */
export interface Editor {
  readonly isOpen: boolean;
  /** Loads it, and opens the file in it. */
  readonly open: (path: string, name: string) => Promise<void>;
  /** The same as soon as the file is on view. */
  readonly openOnView: (path: string, name: string) => void;
}

interface Opened {
  readonly path: string;
  readonly name: string;
  readonly EditText: typeof EditText;
}

/**
 * The editor of the file at `path`, closed when another is on view. It stands beside the folder and not in it: a folder is
 * shown anew when its session ends, and what was typed must outlive that.
 */
export function useEditor(path: string | undefined): { readonly editor: Editor; readonly shown: ReactNode } {
  const queries = useQueryClient();
  const [opened, setOpened] = useState<Opened>();
  if (opened && opened.path !== path) setOpened(undefined);
  const open = async (path: string, name: string) => {
    const loaded = await loadOrTell(() => Promise.all([import("./edit-text.tsx"), loadWords("editing")]));
    if (loaded) setOpened({ path, name, EditText: loaded[0].EditText });
  };
  const [awaited, setAwaited] = useState<Pick<Opened, "path" | "name">>();
  const openAwaited = useEffectEvent(() => {
    setAwaited(undefined);
    if (awaited && awaited.path === path) void open(awaited.path, awaited.name);
  });
  useEffect(() => {
    if (path !== undefined) openAwaited();
  }, [path]);
  const isOpen = opened !== undefined && opened.path === path;
  return {
    editor: { isOpen, open, openOnView: (path, name) => setAwaited({ path, name }) },
    shown: isOpen ? (
      <opened.EditText
        path={opened.path}
        name={opened.name}
        onSaved={() => void renew(queries, parentOf(opened.path))}
        onClose={() => setOpened(undefined)}
      />
    ) : null,
  };
}
