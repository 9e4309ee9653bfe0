import { QueryCache, QueryClient, QueryClientProvider, useQuery } from "@tanstack/react-query";
import FolderX from "lucide-react/icons/folder-x";
import { useMemo, useState } from "react";
import { Navigate, useLocation } from "react-router-dom";
import { fs } from "#contract/fs/fs";
import type { OpenedLink } from "#contract/links";
import { nameOf, within } from "#contract/paths";
import type { Permission } from "#contract/permissions";
import { failureText, isFailure } from "../../../api/failure.ts";
import type { Rights } from "../../../api/session/rights.ts";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { bare } from "../../../lib/folder-path.ts";
import { shownName } from "../../../lib/shown-name.ts";
import { useOwnTitle } from "../../../page/page-title.ts";
import { Button } from "../../../ui/button.tsx";
import { EmptyState } from "../../../ui/card.tsx";
import { useExplorerState } from "../folder/explorer-state.tsx";
import { FolderView } from "../folder/folder-view.tsx";
import { FolderSkeleton } from "../folder/states.tsx";
import { addressesAt, PREVIEW } from "../model/address.ts";
import type { Editor } from "../preview/use-editor.tsx";
import { UploadStrip } from "../tasks/task-strip.tsx";
import { type Tree, TreeProvider } from "../tree.ts";
import { LinkDrop } from "./link-drop.tsx";
import { LinkHeading } from "./link-heading.tsx";
import { visitOf } from "./visits.ts";

interface OpenedTreeProps {
  readonly slug: string;
  readonly opened: OpenedLink;
  /** The grant opens nothing any more. */
  readonly onEnd: () => void;
}

/** What is asked with a grant is kept apart from what anybody else at this screen is shown, and goes with the page. */
const createQueries = (onEnd: () => void): QueryClient =>
  new QueryClient({
    queryCache: new QueryCache({ onError: (error) => isFailure(error, "grant.void") && onEnd() }),
    defaultOptions: {
      queries: {
        staleTime: 30_000,
        retry: (count, error) => count < 1 && isFailure(error, "network"),
        networkMode: "always",
      },
    },
  });

/** An opened link: the tree that it leads to, by the views of the explorer. */
export function OpenedTree({ slug, opened, onEnd }: OpenedTreeProps) {
  const [queries] = useState(() => createQueries(onEnd));
  const isInbound = useLocation().pathname.startsWith("/in/");
  const mayLook = opened.rights.includes("view");
  // Each kind of page has an address of its own, and somebody may have been given the other one.
  if (mayLook === isInbound) return <Navigate replace to={mayLook ? pageOf(slug) : inboundPageOf(slug)} />;
  return (
    <QueryClientProvider client={queries}>
      {mayLook ? (
        <ViewedTree slug={slug} opened={opened} />
      ) : (
        <TreeProvider value={treeOf(slug, opened, false)}>
          <LinkDrop slug={slug} opened={opened} may={rightsIn(opened, "/").may} />
        </TreeProvider>
      )}
    </QueryClientProvider>
  );
}

function treeOf(slug: string, { grant, rights }: OpenedLink, isSingle: boolean): Tree {
  const { addressOf } = addressesAt(pageOf(slug));
  return { ...visitOf({ slug, grant }), addressOf, link: linkOf(rights, isSingle) };
}

const linkOf = (rights: OpenedLink["rights"], isSingle: boolean): Tree["link"] => ({
  mayDownload: rights.includes("download"),
  isBlind: !rights.includes("view"),
  isSingle,
});

const pageOf = (slug: string): string => `/s/${encodeURIComponent(slug)}`;

const inboundPageOf = (slug: string): string => `/in/${encodeURIComponent(slug)}`;

/** The rights of a link as the explorer asks for them. */
const rightsIn = ({ rights }: OpenedLink, basePath: string): Rights => ({
  admin: false,
  signedIn: false,
  may: (right: Permission) =>
    (right === "mount_view" && rights.includes("view")) || (right === "mount_upload" && rights.includes("upload")),
  basePath,
  visitors: 0,
});

interface ViewedTreeProps extends Pick<OpenedTreeProps, "slug" | "opened"> {}

/** Looks what is at the root, because one file is shown at once and one folder entered. */
function ViewedTree({ slug, opened }: ViewedTreeProps) {
  useLanguage();
  const { call } = visitOf({ slug, grant: opened.grant });
  const { data, error, refetch } = useQuery({
    queryKey: ["tree", "root"],
    queryFn: async ({ signal }) => (await call(fs.list, { query: { path: "/", limit: 2 }, signal })).data,
    staleTime: Number.POSITIVE_INFINITY,
  });
  const items = data?.items ?? [];
  const only = items.length === 1 && data?.next_cursor === null && data.troubles.length === 0 ? items[0] : undefined;
  const isSingle = only?.isDirectory === false;
  // biome-ignore lint/correctness/useExhaustiveDependencies: these of what was opened make the tree
  const tree = useMemo(() => treeOf(slug, opened, isSingle), [slug, opened.grant, isSingle]);
  if (error || (items.length === 0 && data?.troubles.length === 0))
    return (
      <EmptyState
        icon={<FolderX aria-hidden />}
        title={t(error ? "explorer.state.failedTitle" : "link.page.emptyTitle")}
        text={error ? failureText(error) : t("link.page.emptyText")}
        action={<Button onClick={() => void refetch()}>{t("shell.actions.retry")}</Button>}
      />
    );
  if (!data) return <FolderSkeleton />;
  return (
    <TreeProvider value={tree}>
      <LinkPlace
        slug={slug}
        opened={opened}
        base={only?.isDirectory ? bare(only.path) : "/"}
        single={isSingle ? only?.name : undefined}
      />
    </TreeProvider>
  );
}

/** Files of a link's tree are not edited in place. */
const noEditor: Editor = { isOpen: false, open: async () => undefined, openOnView: () => undefined };

interface LinkPlaceProps extends ViewedTreeProps {
  /** The folder that the tree begins with. */
  readonly base: string;
  /** The name of the only file. */
  readonly single: string | undefined;
}

function LinkPlace({ slug, opened, base, single }: LinkPlaceProps) {
  useLanguage();
  const { pathname, search } = useLocation();
  const { addressOf, folderAt } = addressesAt(pageOf(slug));
  const at = folderAt(pathname);
  const folder = at === "/" ? base : at;
  const preview = single ?? new URLSearchParams(search).get(PREVIEW) ?? undefined;
  const rights = rightsIn(opened, base);
  const { told, ...place } = useExplorerState(folder ?? "/", preview, rights);
  const shown = preview ?? (folder === undefined || folder === "/" ? undefined : nameOf(folder));
  useOwnTitle(opened.title ?? (shown === undefined ? t("link.page.heading") : shownName(shown)));
  if (folder === undefined || !within(base, folder)) return <Navigate to={addressOf("/")} replace />;
  return (
    <div
      data-explorer
      className="keeps-screen mx-auto flex min-h-0 w-full max-w-fluid flex-1 flex-col gap-2.5 px-4 pt-3 max-sm:pb-2 max-sm:has-data-chosen:pb-16 sm:pt-4"
    >
      <LinkHeading opened={opened} brief={preview !== undefined} />
      <FolderView key={folder} {...{ folder, preview, rights }} editor={noEditor} {...place} />
      <UploadStrip />
      {told}
    </div>
  );
}
