import FolderOpen from "lucide-react/icons/folder-open";
import FolderTree from "lucide-react/icons/folder-tree";
import Pencil from "lucide-react/icons/pencil";
import Power from "lucide-react/icons/power";
import Trash2 from "lucide-react/icons/trash-2";
import { useEffect, useId, useRef } from "react";
import type { MountRecord } from "#contract/mounts";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { Button, ButtonLink, IconButton } from "../../../ui/button.tsx";
import { Notice } from "../../../ui/notice.tsx";
import { Card } from "../../../ui/surface.tsx";
import { MountFacts } from "./mount-facts.tsx";
import type { Outcome, Verb } from "./outcome.ts";

interface MountCardProps {
  readonly mount: MountRecord;
  /** What came of the last action, when it was about this mount. */
  readonly outcome: Outcome | undefined;
  readonly onVerb: (verb: Verb) => void;
  readonly onSwitch: () => void;
}

/** One mount: where it stands, what is behind it, and what can be done with it. */
export function MountCard({ mount, outcome, onVerb, onSwitch }: MountCardProps) {
  useLanguage();
  const title = useId();
  const card = useRef<HTMLElement>(null);
  useEffect(() => {
    if (!outcome) return;
    // A new mount may stand anywhere in the list.
    card.current?.scrollIntoView({ block: "nearest" });
    if (document.activeElement === document.body) card.current?.focus({ preventScroll: true });
  }, [outcome]);
  return (
    <Card ref={card} tabIndex={-1} aria-labelledby={title} className="flex h-full flex-col">
      <div className="grid flex-1 content-start gap-4 p-4">
        <Heading mount={mount} id={title} />
        <MountFacts mount={mount} />
        {outcome && (
          <Notice
            tone={outcome.tone}
            action={outcome.undo && <Button onClick={outcome.undo}>{t("mount.card.undo")}</Button>}
          >
            {outcome.sentence}
          </Notice>
        )}
      </div>
      <Actions mount={mount} onVerb={onVerb} onSwitch={onSwitch} />
    </Card>
  );
}

interface HeadingProps {
  readonly mount: MountRecord;
  readonly id: string;
}

function Heading({ mount: { name, mount_path: path, is_active: active }, id }: HeadingProps) {
  return (
    <div className="flex items-start gap-3">
      <div className="grid size-9 shrink-0 place-items-center rounded-lg bg-sunken text-muted [&_svg]:size-[18px]">
        <FolderTree aria-hidden />
      </div>
      <div className="min-w-0 flex-1">
        <h2 id={id} className="wrap-anywhere font-semibold leading-snug">
          {name}
        </h2>
        <p className="wrap-anywhere font-mono text-[13px] text-muted">{path}</p>
      </div>
      <span
        className={`shrink-0 rounded-full px-2.5 py-0.5 font-medium text-xs ${active ? "bg-ok-soft text-ok" : "bg-sunken text-muted"}`}
      >
        {t(active ? "mount.card.active" : "mount.card.inactive")}
      </span>
    </div>
  );
}

/** Where the explorer shows a folder. */
const explorerAt = (path: string): string => `/mount-explorer${path.split("/").map(encodeURIComponent).join("/")}`;

function Actions({ mount, onVerb, onSwitch }: Omit<MountCardProps, "outcome">) {
  const active = mount.is_active === 1;
  return (
    <div className="flex items-center border-line border-t px-2 py-1.5">
      {active ? (
        <ButtonLink variant="plain" icon={<FolderOpen aria-hidden />} to={explorerAt(mount.mount_path)}>
          {t("mount.card.open")}
        </ButtonLink>
      ) : null}
      <Button variant="plain" icon={<Power aria-hidden />} className="mr-auto" onClick={onSwitch}>
        {t(active ? "mount.card.disable" : "mount.card.enable")}
      </Button>
      <IconButton label={t("mount.card.edit")} onClick={() => onVerb("edit")}>
        <Pencil aria-hidden />
      </IconButton>
      <IconButton tone="danger" label={t("mount.card.remove")} onClick={() => onVerb("remove")}>
        <Trash2 aria-hidden />
      </IconButton>
    </div>
  );
}
