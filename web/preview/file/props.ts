import type { ComponentType } from "react";
import type { PictureFacts } from "#contract/files";
import type { Previewed, ViewerKind } from "#contract/shown-as";
import type { Neighbours } from "./neighbours.ts";

/** A file that lies in another one, and is shown by the viewer of its kind. */
interface InnerFile extends Pick<ViewerProps, "file" | "as" | "takeOut"> {
  readonly addresses: Pick<ViewerProps, "shown" | "read" | "onFail">;
  readonly level: number;
}

/** A picture's form of 1280 pixels, drawn until somebody looks closer. */
interface SmallPicture {
  readonly src: string;
  readonly facts?: PictureFacts | undefined;
  /** The page has drawn it already. */
  readonly isThere?: boolean;
}

/** What every viewer is given. */
export interface ViewerProps {
  readonly file: Previewed;
  readonly as: ViewerKind;
  /** For media that the browser loads by itself. */
  readonly shown: string;
  /** For what is read by fetch. */
  readonly read: string;
  /** Called when `shown` does not load; answers whether it is fetched another way. */
  readonly onFail: () => boolean;
  readonly small?: SmallPicture | undefined;
  readonly neighbours?: Neighbours | undefined;
  /** Counts a download of the file before something out of it is kept, and rejects where that may not be; undefined where nothing may be kept. */
  readonly takeOut?: (() => Promise<void>) | undefined;
  /** Shows a file that lies in this one. */
  readonly Inner: ComponentType<InnerFile>;
  /** How many files it lies in. */
  readonly level?: number | undefined;
  /** Asks for an address that viewers on other servers can fetch for some minutes. */
  readonly onlineAddress?: (() => Promise<string>) | undefined;
}
