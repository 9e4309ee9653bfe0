import type { NewPaste } from "#contract/pastes";
import type { TestHouse } from "./test-house.ts";

/** Shares a text as the administrator, without the way over REST. */
export const shareText = (house: TestHouse, fields: Partial<NewPaste>) =>
  house.house.shares.pastes.create({ kind: "admin", sessionId: "" }, { content: "hello", ...fields });
