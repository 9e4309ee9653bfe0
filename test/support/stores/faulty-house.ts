import { type FaultyProxy, openFaultyProxy } from "../proxies/faulty-proxy.ts";
import type { TestHouseOptions } from "../test-house.ts";
import { s3Server } from "./ceph/gateway.ts";
import { openS3House, type S3House } from "./s3-house.ts";

export interface FaultyHouse extends S3House {
  readonly proxy: FaultyProxy;
}

/** A house whose default storage is reached by a proxy that spoils what it is told to. */
export async function openFaultyHouse(options: TestHouseOptions = {}): Promise<FaultyHouse> {
  const proxy = await openFaultyProxy((await s3Server()).endpoint);
  const opened = await openS3House({ endpoint_url: proxy.endpoint }, options);
  return {
    ...opened,
    proxy,
    async [Symbol.asyncDispose]() {
      await proxy[Symbol.asyncDispose]();
      await opened[Symbol.asyncDispose]();
    },
  };
}
