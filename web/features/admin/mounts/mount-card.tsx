import FolderOpen from "lucide-react/icons/folder-open";
import FolderTree from "lucide-react/icons/folder-tree";
import Power from "lucide-react/icons/power";
import type { MountRecord } from "#contract/mounts";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { explorerAt } from "../../../lib/explorer-address.ts";
import { Button, ButtonLink } from "../../../ui/button.tsx";
import type { Outcome } from "../resource/outcome.tsx";
import { ResourceCard } from "../resource/resource-card.tsx";
import { MountFacts } from "./mount-facts.tsx";

interface MountCardProps {
  readonly mount: MountRecord;
  /** What came of the last action, when it was about this mount. */
  readonly outcome: Outcome | undefined;
  readonly onEdit: () => void;
  readonly onRemove: () => void;
  readonly onSwitch: () => void;
}

/** One mount: where it stands, what is behind it, and what can be done with it. */
export function MountCard({ mount, onSwitch, ...card }: MountCardProps) {
  useLanguage();
  const { name, mount_path: path } = mount;
  const active = mount.is_active === 1;
  return (
    <ResourceCard
      icon={<FolderTree aria-hidden />}
      name={name}
      about={<span className="font-mono">{path}</span>}
      badge={active ? { tone: "ok", text: t("mount.card.active") } : { tone: "plain", text: t("mount.card.inactive") }}
      actions={
        <>
          {active && (
            <ButtonLink variant="plain" icon={<FolderOpen aria-hidden />} to={explorerAt(path)}>
              {t("mount.card.open")}
            </ButtonLink>
          )}
          <Button variant="plain" icon={<Power aria-hidden />} className="mr-auto" onClick={onSwitch}>
            {t(active ? "mount.card.disable" : "mount.card.enable")}
          </Button>
        </>
      }
      {...card}
    >
      <MountFacts mount={mount} />
    </ResourceCard>
  );
}
