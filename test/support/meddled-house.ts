import { s3Server } from "./ceph/gateway.ts";
import { type MeddlingProxy, openMeddlingProxy } from "./meddling-proxy.ts";
import { openS3House, type S3House } from "./s3-share.ts";
import type { TestHouseOptions } from "./test-house.ts";

export interface MeddledHouse extends S3House {
  readonly proxy: MeddlingProxy;
}

/** A house whose default storage is reached by a proxy that spoils what it is told to. */
export async function openMeddledHouse(options: TestHouseOptions = {}): Promise<MeddledHouse> {
  const proxy = await openMeddlingProxy((await s3Server()).endpoint);
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
