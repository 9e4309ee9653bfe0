import { expect } from "bun:test";
import { storage } from "#contract/storage";
import { ask } from "../share-file.ts";
import { examine } from "./examine.ts";
import { type FaultyHouse, openFaultyHouse } from "./faulty-house.ts";
import type { S3House } from "./s3-house.ts";

/** Tests the storage and looks at what that left in the bucket. */
export async function visit({ house, storage, s3 }: S3House) {
  const examined = await examine(house, storage.id);
  expect(examined.status).toBe(200);
  expect({ keys: await s3.keys(), unfinished: await s3.unfinished() }).toEqual({ keys: [], unfinished: [] });
  const text = JSON.stringify(examined.data);
  for (const hidden of [s3.server.secret, "X-Amz-", "secret words", "/tmp/", "node_modules"])
    expect(text).not.toContain(hidden);
  return examined;
}

/** Changes the configuration of the storage. */
export const change = ({ house, storage: { id } }: S3House, body: object) =>
  ask(house, storage.update, { params: { id }, body });

/** Sets CORS rules for these origins. */
export const allow = ({ house, storage: { id } }: S3House, ...origins: string[]) =>
  ask(house, storage.setCors, { params: { id }, body: { origins } });

/** A house whose bucket has rules for every page, so that only what is faulty with fails. */
export async function openHealthy(): Promise<FaultyHouse> {
  const here = await openFaultyHouse();
  expect((await allow(here, "*")).status).toBe(200);
  return here;
}
