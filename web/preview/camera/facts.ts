import ExifReader from "exifreader";

/** What a camera has written into a picture, as far as it makes sense. */
export interface CameraFacts {
  readonly camera?: string | undefined;
  readonly lens?: string | undefined;
  /** Seconds. */
  readonly exposure?: number | undefined;
  readonly aperture?: number | undefined;
  readonly iso?: number | undefined;
  /** Millimetres, and what they are on a frame of 35 mm. */
  readonly focal?: number | undefined;
  readonly focal35?: number | undefined;
  /** In milliseconds, of a clock that was set to UTC: a camera says what its own clock shows. */
  readonly taken?: number | undefined;
  /** How far that clock is from UTC: +02:00. */
  readonly zone?: string | undefined;
  /** Pixels, turned as the picture is shown. */
  readonly width?: number | undefined;
  readonly height?: number | undefined;
  readonly latitude?: number | undefined;
  readonly longitude?: number | undefined;
}

/** Letters of a name that are shown. */
const MAX_NAME = 120;

/** What ExifReader says in place of a text that is not in the file. */
const FAULTY = "<faulty value>";

/** What is read; a file may hold a great deal more. */
const wanted = {
  exif: [
    ...["Make", "Model", "LensModel", "Orientation", "PixelXDimension", "PixelYDimension"],
    ...["ExposureTime", "FNumber", "ISOSpeedRatings", "FocalLength", "FocalLengthIn35mmFilm"],
    ...["DateTimeOriginal", "OffsetTimeOriginal"],
    ...["GPSLatitude", "GPSLatitudeRef", "GPSLongitude", "GPSLongitudeRef"],
  ],
  gps: ["Latitude", "Longitude"],
  file: ["Image Width", "Image Height"],
  png: ["Image Width", "Image Height"],
};

/** A value as ExifReader hands it on: whatever the file says. */
interface Tag {
  readonly value?: unknown;
}
type Tags = Readonly<Record<string, Tag | undefined>>;

/** Reads the facts in the first bytes of a picture (Exif 3.0); throws where these are no picture. */
export function factsOf(start: ArrayBuffer): CameraFacts {
  const read = ExifReader.load(start, { expanded: true, includeTags: wanted }) as Record<string, unknown>;
  const [exif, file] = [tagsOf(read.exif), { ...tagsOf(read.file), ...tagsOf(read.pngFile), ...tagsOf(read.png) }];
  const { Latitude, Longitude } = { ...(read.gps as object | undefined) } as Record<string, unknown>;
  const across = numberOf(file["Image Width"], 1, 1e6) ?? numberOf(exif.PixelXDimension, 1, 1e6);
  const down = numberOf(file["Image Height"], 1, 1e6) ?? numberOf(exif.PixelYDimension, 1, 1e6);
  const isTurned = (numberOf(exif.Orientation, 1, 8) ?? 1) > 4;
  const place = { latitude: between(Latitude, -90, 90), longitude: between(Longitude, -180, 180) };
  return {
    camera: cameraOf(textOf(exif.Make), textOf(exif.Model)),
    lens: textOf(exif.LensModel),
    exposure: numberOf(exif.ExposureTime, 1e-6, 1e5),
    aperture: numberOf(exif.FNumber, 0.1, 1000),
    iso: numberOf(exif.ISOSpeedRatings, 1, 1e8),
    focal: numberOf(exif.FocalLength, 0.1, 1e5),
    focal35: numberOf(exif.FocalLengthIn35mmFilm, 1, 1e5),
    ...takenOf(textOf(exif.DateTimeOriginal), textOf(exif.OffsetTimeOriginal)),
    ...(isTurned ? { width: down, height: across } : { width: across, height: down }),
    ...(place.latitude !== undefined && place.longitude !== undefined && place),
  };
}

const tagsOf = (group: unknown): Tags => (typeof group === "object" && group !== null ? (group as Tags) : {});

/** A text without letters that cannot be seen; undefined where there is none. */
function textOf(tag: Tag | undefined): string | undefined {
  const value: unknown = Array.isArray(tag?.value) ? tag.value[0] : tag?.value;
  if (typeof value !== "string") return undefined;
  const text = value
    .slice(0, 10 * MAX_NAME)
    .replace(/[\p{C}\s]+/gu, " ")
    .trim();
  return text === "" || text === FAULTY ? undefined : text.slice(0, MAX_NAME);
}

/** A number, which may be a fraction, within what it can be. */
function numberOf(tag: Tag | undefined, least: number, most: number): number | undefined {
  const value: unknown = tag?.value;
  if (!Array.isArray(value)) return between(value, least, most);
  const [above, below] = value as readonly unknown[];
  if (typeof above !== "number") return undefined;
  return between(typeof below === "number" ? above / below : above, least, most);
}

const between = (value: unknown, least: number, most: number): number | undefined =>
  typeof value === "number" && value >= least && value <= most ? value : undefined;

/** The name of a camera, whose maker mostly stands in it. */
function cameraOf(make: string | undefined, model: string | undefined): string | undefined {
  const maker = make?.split(" ")[0] ?? "";
  if (!model || !make || model.toLowerCase().startsWith(maker.toLowerCase())) return model ?? make;
  return `${make} ${model}`;
}

/** When a picture was taken; cameras without a clock write zeros. */
function takenOf(time = "", zone = ""): Pick<CameraFacts, "taken" | "zone"> {
  const parts = /^(\d{4}):(\d\d):(\d\d) (\d\d):(\d\d):(\d\d)/.exec(time);
  if (!parts) return {};
  const [, year, month, day, hour, minute, second] = parts;
  const taken = Date.parse(`${year}-${month}-${day}T${hour}:${minute}:${second}Z`);
  return Number.isNaN(taken) ? {} : { taken, zone: /^[+-]\d\d:\d\d$/.test(zone) ? zone : undefined };
}
