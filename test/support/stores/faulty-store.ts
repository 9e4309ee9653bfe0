import type { S3StoreOptions } from "../../../src/stores/s3/store.ts";
import { type FaultyProxy, openFaultyProxy } from "../proxies/faulty-proxy.ts";
import { type OpenedS3Store, openS3Store } from "./s3-store.ts";

export interface FaultyStore extends OpenedS3Store {
  readonly proxy: FaultyProxy;
  /** The pauses between tries, in milliseconds. */
  readonly pauses: number[];
}

/** Short, so that tests wait for what never comes; long enough that nothing real takes as long. */
export const TIMEOUTS = { answer: 4000, idle: 4000 };

/** A bucket behind a proxy that spoils what it is told to. `another` goes the same way; keys and uploads are asked directly. */
export async function openFaultyStore(options: Partial<S3StoreOptions> = {}): Promise<FaultyStore> {
  const opened = await openS3Store();
  const proxy = await openFaultyProxy(opened.server.endpoint);
  const pauses: number[] = [];
  const sleep = async (milliseconds: number) => void pauses.push(milliseconds);
  const way = { endpoint: proxy.endpoint, timeouts: TIMEOUTS, sleep };
  return {
    ...opened,
    store: opened.another({ ...way, ...options }),
    another: (other) => opened.another({ ...way, ...other }),
    proxy,
    pauses,
    async [Symbol.asyncDispose]() {
      await proxy[Symbol.asyncDispose]();
      await opened[Symbol.asyncDispose]();
    },
  };
}
