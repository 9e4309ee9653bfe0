import { bitsOf } from "#contract/permissions";
import type { ApiKey } from "../../../src/access/keys.ts";
import { makeKey, withKey } from "../make-key.ts";
import { ADMIN, type TestHouse } from "../test-house.ts";
import type { Who } from "../tree/tree-house.ts";

/** A caller, and what happens to the caller while a request is under way. */
export interface Loss {
  readonly name: string;
  /** The refusal that follows, as status and code. */
  readonly said: string;
  readonly arrange: (house: TestHouse) => Promise<{ who: Who; lose: () => unknown }>;
}

const device = { address: "192.0.2.1", userAgent: "" };

const changePassword = ({ house }: TestHouse) =>
  house.access.admin.change({ currentPassword: ADMIN.password, newPassword: "battery staple" }, device);

const session = async (house: TestHouse): Promise<Who> => ({ authorization: `Bearer ${await house.signIn()}` });

const ofKey =
  (lose: (house: TestHouse, key: ApiKey) => unknown): Loss["arrange"] =>
  async (house) => {
    const key = await makeKey(house);
    return { who: withKey(key), lose: () => lose(house, key) };
  };

const ofVisitor =
  (lose: (house: TestHouse, key: ApiKey) => unknown): Loss["arrange"] =>
  async (house) => {
    const key = await makeKey(house, { is_guest: true });
    return { who: {}, lose: () => lose(house, key) };
  };

/** The ways in which a caller loses the credential or a right during a request. */
export const losses: readonly Loss[] = [
  {
    name: "a deleted key",
    said: "401 key.invalid",
    arrange: ofKey(({ house }, { id }) => house.access.keys.remove(id)),
  },
  {
    name: "an expired key",
    said: "401 key.invalid",
    async arrange(house) {
      const expires_at = new Date(house.clock.now() + 1000).toISOString();
      return { who: withKey(await makeKey(house, { expires_at })), lose: () => house.clock.advance(1000) };
    },
  },
  {
    name: "a suspended key",
    said: "401 key.invalid",
    arrange: ofKey(({ house }, { id }) => house.access.keys.suspend(id)),
  },
  {
    name: "a key without the right",
    said: "403 auth.forbidden",
    arrange: ofKey(({ house }, { id }) => house.access.keys.update(id, { permissions: bitsOf(["text"]) })),
  },
  {
    name: "a visitor whose key was deleted",
    said: "401 auth.required",
    arrange: ofVisitor(({ house }, { id }) => house.access.keys.remove(id)),
  },
  {
    name: "a visitor whose key is no longer the visitors' one",
    said: "401 auth.required",
    arrange: ofVisitor(({ house }, { id }) => house.access.keys.update(id, { is_guest: false })),
  },
  {
    name: "an ended session",
    said: "401 auth.expired",
    arrange: async (house) => ({ who: await session(house), lose: () => house.house.access.sessions.endOthers(null) }),
  },
  {
    name: "a session and a changed password",
    said: "401 auth.expired",
    arrange: async (house) => ({ who: await session(house), lose: () => changePassword(house) }),
  },
  {
    name: "name and password and a changed password",
    said: "401 login.wrong",
    arrange: async (house) => ({
      who: { authorization: `Basic ${btoa(`${ADMIN.username}:${ADMIN.password}`)}` },
      lose: () => changePassword(house),
    }),
  },
];
