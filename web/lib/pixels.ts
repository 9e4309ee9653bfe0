import { MAX_PIXELS } from "#contract/viewer-limits";

/** Reports whether a picture that has loaded can be drawn: a browser unpacks it then, with four bytes for each pixel. */
export const isDecodable = ({ naturalWidth, naturalHeight }: HTMLImageElement): boolean =>
  naturalWidth * naturalHeight <= MAX_PIXELS;
