import { useMutation, useQuery, useQueryClient } from "@tanstack/react-query";
import {
  type NewStorage,
  type OfferedStorage,
  type StorageChange,
  type StorageConfig,
  storage,
} from "#contract/storage";
import { call } from "./call.ts";
import { storageKeys } from "./query-keys.ts";
import { tellStorageChange } from "./storage-changes.ts";
import { storagesQuery } from "./upload-storages.ts";

const isWhole = (offered: OfferedStorage): offered is StorageConfig => offered.bucket_name !== undefined;
const wholeOf = (offered: readonly OfferedStorage[]) => offered.filter(isWhole);

/** Every storage as the administrator sees it, the default one first. */
export const useStorageConfigs = () => useQuery({ ...storagesQuery, select: wholeOf });

/** What uses each storage; requested again each time the page is opened. */
export const useStorageUses = () =>
  useQuery({
    queryKey: storageKeys.uses,
    queryFn: async ({ signal }) => (await call(storage.uses, { signal })).data,
    staleTime: 0,
  });

/** The folders of the server that storages may use; asked for each time the form shows them. */
export const useMachineFolders = () =>
  useQuery({
    queryKey: storageKeys.folders,
    queryFn: async ({ signal }) => (await call(storage.folders, { signal })).data,
    staleTime: 0,
  });

/** Resolves when the list has been reloaded after a change. */
function useStorageMutation<Input, Output>(act: (input: Input) => Promise<Output>) {
  const queries = useQueryClient();
  const refresh = () => {
    tellStorageChange();
    return queries.invalidateQueries({ queryKey: storageKeys.all });
  };
  return useMutation({ mutationFn: act, onSuccess: refresh });
}

/** Adds a storage. */
export const useCreateStorage = () =>
  useStorageMutation(async (body: NewStorage) => (await call(storage.create, { body })).data);

/** Changes the given fields of a storage. */
export const useUpdateStorage = () =>
  useStorageMutation(({ id, change }: { id: string; change: StorageChange }) =>
    call(storage.update, { params: { id }, body: change }),
  );

/** Removes a storage that nothing uses. */
export const useRemoveStorage = () => useStorageMutation((id: string) => call(storage.remove, { params: { id } }));

/** Makes a storage the default, to which uploads go that name none. */
export const useSetDefaultStorage = () =>
  useStorageMutation((id: string) => call(storage.setDefault, { params: { id } }));

/** Allows pages of this origin to use the bucket; replaces the bucket's CORS rules. */
export const useSetCors = () =>
  useMutation({
    mutationFn: (id: string) => call(storage.setCors, { params: { id }, body: { origins: [window.location.origin] } }),
    onSuccess: tellStorageChange,
  });

/** A test takes a minute at most; in milliseconds. */
const TEST_PATIENCE = 90_000;

/**
 * Tests a storage, in the current language. Each view of the report is a new test, unless one is still running: the
 * server refuses a second beside it.
 */
export const useStorageReport = (id: string) =>
  useQuery({
    queryKey: storageKeys.report(id),
    queryFn: async ({ client }) => {
      const { message, data } = await call(storage.test, { params: { id }, body: {}, patience: TEST_PATIENCE });
      // The list tells when each was tested last.
      void client.invalidateQueries({ queryKey: storageKeys.all });
      return { summary: message, report: data };
    },
    staleTime: Number.POSITIVE_INFINITY,
    gcTime: 0,
    retry: false,
  });
