import { useQuery } from "@tanstack/react-query";
import { DEFAULT_MAX_UPLOAD_MB } from "#contract/limits";
import { storage } from "#contract/storage";
import { system } from "#contract/system";
import { call } from "./call.ts";

/** The storages that this person may upload to, the default one first. */
export const useStorages = (enabled: boolean) =>
  useQuery({
    queryKey: ["storages"],
    queryFn: async ({ signal }) => (await call(storage.list, { signal })).data,
    enabled,
  });

const BYTES_PER_MB = 1024 * 1024;

/** The largest file that may be uploaded, in bytes. */
export function useMaxUploadBytes(): number {
  const { data = DEFAULT_MAX_UPLOAD_MB } = useQuery({
    queryKey: ["max upload size"],
    queryFn: async ({ signal }) => (await call(system.maxUploadSize, { signal })).data.max_upload_size,
  });
  return data * BYTES_PER_MB;
}
