import type { MountRecord } from "#contract/mounts";
import { t, useLanguage } from "../../../i18n/i18n.ts";
import { providerName } from "../../../ui/provider-name.ts";
import { Moment } from "../list/row-parts.tsx";
import { Fact, Facts } from "../resource/facts.tsx";

/** What is behind a mount and how it is handed out. */
export function MountFacts({ mount }: { readonly mount: MountRecord }) {
  useLanguage();
  const { storage_config_name: storage, storage_provider_type: provider, remark } = mount;
  return (
    <>
      {mount.indexing !== undefined && <Indexing names={mount.indexing} />}
      <Badges mount={mount} />
      <Facts>
        <Fact name={t("mount.card.storage")} wide>
          {`${storage} · ${providerName(provider)}`}
        </Fact>
        {remark && (
          <Fact name={t("mount.card.remark")} wide>
            <span className="whitespace-pre-line">{remark}</span>
          </Fact>
        )}
        <Fact name={t("mount.card.createdBy")}>{creatorOf(mount)}</Fact>
        <Fact name={t("mount.card.created")}>
          <Moment at={mount.created_at} />
        </Fact>
        <Fact name={t("mount.card.cacheTtl")}>{t("mount.card.seconds", { seconds: mount.cache_ttl })}</Fact>
        <Fact name={t("mount.card.lastUsed")}>
          {mount.last_used ? <Moment at={mount.last_used} /> : t("mount.card.neverUsed")}
        </Fact>
      </Facts>
    </>
  );
}

/** Says that search does not know all names yet. */
function Indexing({ names }: { readonly names: number }) {
  const language = useLanguage();
  return (
    <p role="status" className="text-muted text-sm tabular-nums">
      {t("mount.card.indexing", { names: names.toLocaleString(language) })}
    </p>
  );
}

/** In a few words what differs from one mount to the next. */
function Badges({ mount }: { readonly mount: MountRecord }) {
  const badges = [
    mount.web_proxy === 1 && t("mount.card.proxy"),
    mount.web_proxy === 1 && mount.enable_sign === 1 && t("mount.card.signed"),
    t(mount.webdav_policy === "native_proxy" ? "mount.card.webdavProxy" : "mount.card.webdavRedirect"),
    mount.trash === 0 && t("mount.card.noTrash"),
    mount.is_public === 0 && t("mount.card.adminOnly"),
  ].filter((badge) => badge !== false);
  return (
    <ul aria-label={t("mount.card.access")} className="flex flex-wrap gap-1.5">
      {badges.map((badge) => (
        <li key={badge} className="rounded-full bg-sunken px-2.5 py-0.5 text-muted text-xs">
          {badge}
        </li>
      ))}
    </ul>
  );
}

function creatorOf({ created_by: creator }: MountRecord): string {
  if (creator === "system") return t("mount.card.bySystem");
  return creator === "admin"
    ? t("admin.list.byAdmin")
    : t("admin.list.byKey", { name: creator.replace(/^apikey:/, "") });
}
