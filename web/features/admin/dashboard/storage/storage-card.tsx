import { useState } from "react";
import { Link } from "react-router-dom";
import { t, useLanguage } from "../../../../i18n/i18n.ts";
import { formatBytes } from "../../../../lib/bytes.ts";
import { providerName } from "../../../../ui/provider-name.ts";
import { Select } from "../../../../ui/select.tsx";
import { Skeleton } from "../../../../ui/surface.tsx";
import { TitledCard } from "../card.tsx";
import { type Bucket, filledShare, levelColour, levelOf } from "./fill.ts";
import { Providers } from "./providers.tsx";

const ALL = "";
/** Storages that are listed together. */
const LISTED = 4;

/** How full the storages are, all of them or the one that is chosen. */
export function StorageCard({ buckets }: { readonly buckets: readonly Bucket[] | undefined }) {
  useLanguage();
  const [chosen, setChosen] = useState(ALL);
  const one = buckets?.find(({ id }) => id === chosen);
  const choices = [
    { value: ALL, label: t("admin.dashboard.storage.all") },
    ...(buckets ?? []).map(({ id, name }) => ({ value: id, label: name })),
  ];
  return (
    <TitledCard
      title={t("admin.dashboard.storage.title")}
      tools={
        choices.length > 2 && (
          <Select
            hiddenLabel
            label={t("admin.dashboard.storage.choose")}
            choices={choices}
            value={one ? chosen : ALL}
            onChoose={setChosen}
            className="max-w-36"
          />
        )
      }
    >
      {buckets === undefined && <StorageSkeleton />}
      {buckets && (one ? <OneStorage bucket={one} /> : <AllStorages buckets={buckets} />)}
    </TitledCard>
  );
}

function AllStorages({ buckets }: { readonly buckets: readonly Bucket[] }) {
  const language = useLanguage();
  const used = buckets.reduce((total, { usedStorage }) => total + usedStorage, 0);
  const fullest = buckets.toSorted((a, b) => (filledShare(b) ?? 0) - (filledShare(a) ?? 0)).slice(0, LISTED);
  if (buckets.length === 0) return <p className="text-muted">{t("admin.dashboard.storage.none")}</p>;
  return (
    <>
      <Amount label={t("admin.dashboard.storage.used")} value={formatBytes(used, language)} />
      <ul className="mt-4 grid grid-cols-1 gap-4">
        {fullest.map((bucket) => (
          <li key={bucket.id}>
            <Fill bucket={bucket} title={bucket.name} />
          </li>
        ))}
      </ul>
      {buckets.length > LISTED && (
        <Link to="/admin/storage-config" className="mt-3 rounded py-1 text-[13px] text-accent hover:underline">
          {t("admin.dashboard.storage.more", { count: buckets.length })}
        </Link>
      )}
      <Providers buckets={buckets} />
    </>
  );
}

function OneStorage({ bucket }: { readonly bucket: Bucket }) {
  const language = useLanguage();
  const { free_bytes: free } = bucket;
  const facts = [
    { name: t("admin.dashboard.storage.provider"), value: providerName(bucket.providerType) },
    { name: t("admin.dashboard.storage.files"), value: String(bucket.fileCount) },
    {
      name: t("admin.dashboard.storage.free"),
      value: free === null ? t("admin.dashboard.storage.unknown") : formatBytes(free, language),
    },
  ];
  return (
    <>
      <Amount label={t("admin.dashboard.storage.used")} value={formatBytes(bucket.usedStorage, language)} />
      <div className="mt-4">
        <Fill bucket={bucket} title={bucket.name} />
      </div>
      <dl className="mt-auto grid grid-cols-1 gap-2 pt-4">
        {facts.map(({ name, value }) => (
          <div key={name} className="flex justify-between gap-4 text-[13px]">
            <dt className="text-muted">{name}</dt>
            <dd className="truncate tabular-nums">{value}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}

const Amount = ({ label, value }: { readonly label: string; readonly value: string }) => (
  <p>
    <span className="block text-[13px] text-muted">{label}</span>
    <span className="font-semibold text-2xl tabular-nums tracking-tight">{value}</span>
  </p>
);

/** A storage with its bar; the words beside it say what the bar shows: of a storage without a limit that is the disk, with all that others keep there. */
function Fill({ bucket, title }: { readonly bucket: Bucket; readonly title: string }) {
  const language = useLanguage();
  const share = filledShare(bucket);
  const percent = Math.round((share ?? 0) * 100);
  const level = levelOf(share ?? 0);
  const size = (bytes: number) => formatBytes(bytes, language);
  const { used_bytes: used, limit_bytes: limit } = bucket;
  // Which of the two says what the bar shows is loud when that is full.
  const loud = level === "full" ? "text-danger" : "text-muted";
  const [beside, below] = limit === null ? ["text-muted", loud] : [loud, "text-muted"];
  return (
    <div className="grid grid-cols-1 gap-1.5">
      <p className="flex items-baseline justify-between gap-3 text-[13px]">
        <span title={title} className="min-w-0 truncate font-medium">
          {title}
        </span>
        <span className={`shrink-0 tabular-nums ${beside}`}>
          {limit === null ? size(used) : t("admin.dashboard.storage.percent", { percent })}
        </span>
      </p>
      <div aria-hidden className="h-1.5 overflow-hidden rounded-full bg-line">
        <div
          title={t(`admin.dashboard.storage.${level}`)}
          className={`h-full rounded-full ${levelColour[level]}`}
          style={{ width: `${share === undefined ? 0 : Math.max(percent, used > 0 ? 1 : 0)}%` }}
        />
      </div>
      <p className={`text-xs tabular-nums ${below}`}>{room(bucket, percent, size)}</p>
    </div>
  );
}

/** How much room a storage has. */
function room({ used_bytes, limit_bytes, free_bytes }: Bucket, percent: number, size: (bytes: number) => string) {
  if (limit_bytes !== null)
    return t("admin.dashboard.storage.of", { used: size(used_bytes), total: size(limit_bytes) });
  if (free_bytes === null) return t("admin.dashboard.storage.unlimited");
  return t("admin.dashboard.storage.onDisk", { percent, free: size(free_bytes) });
}

const StorageSkeleton = () => (
  <div aria-hidden className="grid gap-4">
    <Skeleton className="h-3.5 w-12" />
    <Skeleton className="h-7 w-28" />
    <Skeleton className="h-10" />
    <Skeleton className="h-10" />
  </div>
);
