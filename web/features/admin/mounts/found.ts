import type { MountRecord } from "#contract/mounts";

/** The mounts in which every word of a search is found: in the name, the path, the remark or the storage. */
export function foundMounts(mounts: readonly MountRecord[], search: string): readonly MountRecord[] {
  const words = plain(search)
    .split(/\s+/)
    .filter((word) => word !== "");
  if (words.length === 0) return mounts;
  return mounts.filter(({ name, mount_path: path, remark, storage_config_name: storage }) => {
    const text = plain([name, path, remark ?? "", storage].join("\n"));
    return words.every((word) => text.includes(word));
  });
}

const plain = (text: string): string => text.normalize("NFKC").toLowerCase();
