import type { HlsConfig, Loader, LoaderCallbacks, LoaderConfiguration, LoaderContext } from "hls.js";
import Hls from "hls.js/light";
import type { Neighbours } from "../file/neighbours.ts";

/** Stands for the folder of the playlist: nothing is ever asked of it. */
const FOLDER = "https://folder.invalid/";
const PLAYLIST = `${FOLDER}playlist.m3u8`;

interface StreamParts {
  readonly media: HTMLVideoElement;
  readonly read: string;
  readonly neighbours: Neighbours;
  readonly onFail: () => void;
}

/** Plays a playlist with parts from its own folder; those of other servers are refused, because the file is somebody's making. */
export function playStream({ media, read, neighbours, onFail }: StreamParts): () => void {
  if (!Hls.isSupported()) {
    onFail();
    return () => undefined;
  }
  const hls = new Hls({ enableWorker: false, loader: loaderFor({ read, neighbours, onFail }) });
  hls.on(Hls.Events.ERROR, (_, { fatal }) => {
    if (fatal) onFail();
  });
  hls.loadSource(PLAYLIST);
  hls.attachMedia(media);
  return () => hls.destroy();
}

/** A loader that asks for the address of each part when it is wanted. */
function loaderFor({ read, neighbours, onFail }: Omit<StreamParts, "media">): HlsConfig["loader"] {
  const addressOf = async (url: string): Promise<string | undefined> => {
    if (url === PLAYLIST) return read;
    if (!url.startsWith(FOLDER)) return undefined;
    return (await neighbours.find(decodeURIComponent(new URL(url).pathname.slice(1))))?.address;
  };
  const Base = Hls.DefaultConfig.loader;
  return class extends Base {
    override load(
      context: LoaderContext,
      config: LoaderConfiguration,
      callbacks: LoaderCallbacks<LoaderContext>,
    ): void {
      const asked = context.url;
      const refuse = () => {
        callbacks.onError({ code: 404, text: "" }, context, null, (this as Loader<LoaderContext>).stats);
        // A film with a hole is none: the player itself would try for long.
        onFail();
      };
      addressOf(asked).then((address) => {
        if (address === undefined) return refuse();
        context.url = address;
        const onSuccess: typeof callbacks.onSuccess = (response, stats, loaded, details) => {
          // Parts are named from where the playlist pretends to be.
          loaded.url = asked;
          callbacks.onSuccess({ ...response, url: asked }, stats, loaded, details);
        };
        super.load(context, config, { ...callbacks, onSuccess });
      }, refuse);
    }
  };
}
