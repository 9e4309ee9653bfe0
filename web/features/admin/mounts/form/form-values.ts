import { DEFAULT_CACHE_TTL, MAX_MOUNT_NAME_CHARACTERS } from "#contract/limits";
import type { MountRecord, NewMount, WebdavPolicy } from "#contract/mounts";
import { mountPathProblem } from "#contract/paths";
import type { OfferedStorage } from "#contract/storage";

/** A mount as its form has it. */
export interface MountValues {
  readonly name: string;
  /** Id of the storage; empty while none is chosen. */
  readonly storage: string;
  readonly path: string;
  readonly remark: string;
  readonly active: boolean;
  readonly sortOrder: string;
  /** Seconds. */
  readonly cacheTtl: string;
  readonly proxy: boolean;
  readonly sign: boolean;
  /** Seconds; empty is as the settings say. */
  readonly signExpires: string;
  readonly webdav: WebdavPolicy;
  readonly readme: boolean;
  /** Whether what is deleted waits in the trash first. */
  readonly trash: boolean;
}

/** A new mount before anything was filled in, on a storage that is proposed. */
export const emptyMount = (storage: string): MountValues => ({
  name: "",
  storage,
  path: "/",
  remark: "",
  active: true,
  sortOrder: "0",
  cacheTtl: String(DEFAULT_CACHE_TTL),
  proxy: false,
  sign: false,
  signExpires: "",
  webdav: "native_proxy",
  readme: true,
  trash: true,
});

/** A new mount of a storage, called after it, at a path that no other mount has. */
export function proposedMount(
  { id, name }: Pick<OfferedStorage, "id" | "name">,
  mounts: readonly Pick<MountRecord, "mount_path">[],
): MountValues {
  const plain = name
    .normalize("NFC")
    .toLowerCase()
    .replace(/[^\p{L}\p{M}\p{N}_-]+/gu, "-")
    .replace(/^-+|-+$/g, "");
  const base = `/${plain || "storage"}`;
  const taken = new Set(mounts.map(({ mount_path: path }) => path.toLowerCase()));
  const isFree = (path: string) => !taken.has(path) && mountPathProblem(path) === undefined;
  // One more than there are mounts, and one for a name that no mount may have.
  const paths = [base, ...Array.from({ length: mounts.length + 1 }, (_, at) => `${base}-${at + 2}`)];
  return { ...emptyMount(id), name: name.slice(0, MAX_MOUNT_NAME_CHARACTERS), path: paths.find(isFree) ?? "/" };
}

/** A mount that is there. */
export const mountValues = (mount: MountRecord): MountValues => ({
  name: mount.name,
  storage: mount.storage_config_id,
  path: mount.mount_path,
  remark: mount.remark ?? "",
  active: mount.is_active === 1,
  sortOrder: String(mount.sort_order),
  cacheTtl: String(mount.cache_ttl),
  proxy: mount.web_proxy === 1,
  sign: mount.enable_sign === 1,
  signExpires: mount.sign_expires === null ? "" : String(mount.sign_expires),
  webdav: mount.webdav_policy,
  readme: mount.readme === 1,
  trash: mount.trash === 1,
});

/** The path as the server compares it. */
export const pathOf = ({ path }: MountValues): string => path.trim().normalize("NFC");

/** The mount that the form describes. */
export const newMount = (values: MountValues): NewMount => ({
  name: values.name.trim(),
  storage_type: "S3",
  storage_config_id: values.storage,
  mount_path: pathOf(values),
  remark: values.remark.trim(),
  is_active: values.active,
  sort_order: Number(values.sortOrder),
  cache_ttl: Number(values.cacheTtl),
  web_proxy: values.proxy,
  webdav_policy: values.webdav,
  enable_sign: values.sign,
  sign_expires: secondsOf(values.signExpires),
  readme: values.readme,
  trash: values.trash,
});

/** Seconds, or null for none; also for nonsense, which a field that is hidden again may hold. */
function secondsOf(text: string): number | null {
  const seconds = text.trim() === "" ? Number.NaN : Number(text);
  return Number.isInteger(seconds) ? seconds : null;
}
