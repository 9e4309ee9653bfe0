import { useState } from "react";
import { formatBytes } from "#contract/format-bytes";
import { t, useLanguage } from "../../../../i18n/i18n.ts";
import { SelectField } from "../../../../ui/form/select-field.tsx";
import { Link } from "../../../../ui/link.tsx";
import { providerName } from "../../../../ui/provider-name.ts";
import { TitledCard } from "../card.tsx";
import { type Bucket, filledShare, levelColour, levelOf, othersBytes } from "./fill.ts";
import { Providers } from "./providers.tsx";

const ALL = "";
/** Storages that are listed together. */
const LISTED = 4;

/** How full the storages are, all of them or the one that is chosen. */
export function StorageCard({ buckets }: { readonly buckets: readonly Bucket[] }) {
  useLanguage();
  const [chosen, setChosen] = useState(ALL);
  const one = buckets.find(({ id }) => id === chosen);
  const choices = [
    { value: ALL, label: t("admin.dashboard.storage.all") },
    ...buckets.map(({ id, name }) => ({ value: id, label: name })),
  ];
  return (
    <TitledCard
      title={t("admin.dashboard.storage.title")}
      tools={
        choices.length > 2 && (
          <SelectField
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
      {one ? <OneStorage bucket={one} /> : <AllStorages buckets={buckets} />}
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

/**
 * A storage with its bar, which shows how full it is: of its limit, or of its disk. What others keep on that disk is a part of
 * the bar by itself, so that it is not taken for the storage's own.
 */
function Fill({ bucket, title }: { readonly bucket: Bucket; readonly title: string }) {
  const language = useLanguage();
  const share = filledShare(bucket);
  const level = levelOf(share ?? 0);
  const { used_bytes: used, limit_bytes: limit } = bucket;
  const others = othersBytes(bucket);
  const percent = Math.round((share ?? 0) * 100);
  const own = others === undefined ? percent : Math.round((used / bucket.totalStorage) * 100);
  const drawn = share !== undefined && used > 0 ? Math.max(own, 1) : own;
  const full = t(`admin.dashboard.storage.${limit === null ? "diskPercent" : "percent"}`, { percent });
  return (
    <div className="grid grid-cols-1 gap-1.5">
      <p className="flex items-baseline justify-between gap-3 text-[13px]">
        <span title={title} className="min-w-0 truncate font-medium">
          {title}
        </span>
        <span className={`shrink-0 tabular-nums ${level === "full" ? "text-danger" : "text-muted"}`}>
          {share === undefined ? formatBytes(used, language) : full}
        </span>
      </p>
      <div aria-hidden className="flex h-1.5 overflow-hidden rounded-full bg-line">
        <div
          title={t(`admin.dashboard.storage.${level}`)}
          className={`h-full ${levelColour[level]}`}
          style={{ width: `${drawn}%` }}
        />
        {others !== undefined && <div className={OTHERS} style={{ width: `${Math.max(0, percent - drawn)}%` }} />}
      </div>
      <Room bucket={bucket} colour={levelColour[level]} />
    </div>
  );
}

interface RoomProps {
  readonly bucket: Bucket;
  /** Of the storage's own part. */
  readonly colour: string;
}

/** What the bar shows, in words: the amounts, or the parts of a disk. */
function Room({ bucket, colour }: RoomProps) {
  const language = useLanguage();
  const size = (bytes: number) => formatBytes(bytes, language);
  const { used_bytes: used, limit_bytes: limit, free_bytes: free } = bucket;
  const others = othersBytes(bucket);
  if (others === undefined)
    return (
      <p className="text-muted text-xs tabular-nums">
        {limit === null
          ? t("admin.dashboard.storage.unlimited")
          : t("admin.dashboard.storage.of", { used: size(used), total: size(limit) })}
      </p>
    );
  return (
    <ul className="flex flex-wrap gap-x-3 gap-y-1 text-muted text-xs tabular-nums">
      <Part colour={colour}>{t("admin.dashboard.storage.own", { size: size(used) })}</Part>
      <Part colour={OTHERS}>{t("admin.dashboard.storage.others", { size: size(others) })}</Part>
      <Part colour="bg-line">{t("admin.dashboard.storage.freeOnDisk", { size: size(free ?? 0) })}</Part>
    </ul>
  );
}

/** What others keep on the disk. */
const OTHERS = "bg-muted/60";

/** A part of a bar in words. */
const Part = ({ colour, children }: { readonly colour: string; readonly children: string }) => (
  <li className="flex items-center gap-1.5">
    <span aria-hidden className={`size-2.5 shrink-0 rounded-[3px] ${colour}`} />
    {children}
  </li>
);
