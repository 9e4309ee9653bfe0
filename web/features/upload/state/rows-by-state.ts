import type { UploadItem } from "../../../transfer/uploads.ts";
import { chipRefusal } from "./chips.ts";

/** The rows by what can be done with them. */
export interface Stage {
  readonly idle: readonly UploadItem[];
  /** Failed for an option, which the chips can mend. */
  readonly refused: readonly UploadItem[];
  /** Failed for any reason. */
  readonly failed: readonly UploadItem[];
  readonly moving: readonly UploadItem[];
  readonly paused: readonly UploadItem[];
  readonly completed: readonly UploadItem[];
}

export function stageOf(items: readonly UploadItem[]): Stage {
  const inState = (state: UploadItem["state"]) => items.filter((item) => item.state === state);
  const failed = inState("failed");
  return {
    idle: inState("idle"),
    refused: failed.filter(({ failure }) => chipRefusal(failure) !== undefined),
    failed,
    moving: inState("uploading"),
    paused: inState("paused"),
    completed: inState("completed"),
  };
}
