import type { Language } from "#contract/languages";
import { languages } from "#contract/languages";
import { t } from "../../i18n/i18n.ts";
import { readStart } from "../file/read-bytes.ts";
import { runWorker } from "../file/run-worker.ts";
import workerAddress from "./camera.worker.ts?worker";
import type { CameraFacts } from "./facts.ts";

/** Bytes at the beginning of a picture in which its facts are. */
const FACTS_WITHIN = 256 * 1024;

/** A fact with its name, as text. */
export interface CameraRow {
  readonly name: string;
  readonly value: string;
  /** What the button is called that copies the value; most have none. */
  readonly copies?: string;
}

/** Reads what a camera has written into the beginning of a picture. */
export async function readCamera(url: string, signal: AbortSignal): Promise<CameraFacts> {
  const start = await readStart({ url, signal, most: FACTS_WITHIN });
  return await runWorker<CameraFacts>(workerAddress, start, { signal, transfer: [start.buffer] });
}

/** The facts in the words of a language; the words of viewers have to be there. */
export function rowsOf(facts: CameraFacts, language: Language): readonly CameraRow[] {
  const { locale } = languages[language];
  const number = (value: number) => value.toLocaleString(locale, { maximumFractionDigits: 1 });
  const { camera, lens, exposure, aperture, iso, focal, focal35, taken, width, height } = facts;
  const settings = [
    exposure === undefined ? "" : t("viewer.camera.seconds", { seconds: secondsText(exposure, number) }),
    aperture === undefined ? "" : `f/${number(aperture)}`,
    iso === undefined ? "" : `ISO ${number(iso)}`,
  ];
  const rows: [name: string, value: string | undefined][] = [
    [t("viewer.camera.taken"), taken === undefined ? undefined : takenText(facts, locale)],
    [t("viewer.camera.camera"), camera],
    [t("viewer.camera.lens"), lens],
    [t("viewer.camera.exposure"), settings.filter((one) => one !== "").join(" · ")],
    [t("viewer.camera.focal"), focal === undefined ? undefined : focalText(focal, focal35, number)],
    [t("viewer.camera.size"), width && height ? `${number(width)} × ${number(height)}` : undefined],
  ];
  const said = rows.flatMap(([name, value]) => (value ? [{ name, value }] : []));
  return [...said, ...placeOf(facts)];
}

const secondsText = (seconds: number, number: (value: number) => string): string =>
  seconds < 0.4 ? `1/${number(Math.round(1 / seconds))}` : number(seconds);

function focalText(focal: number, focal35: number | undefined, number: (value: number) => string): string {
  const own = `${number(focal)} mm`;
  const isSame = focal35 === undefined || Math.round(focal) === focal35;
  return isSame ? own : t("viewer.camera.equals", { own, other: `${number(focal35)} mm` });
}

/** As the clock of the camera showed it. */
function takenText({ taken = 0, zone }: CameraFacts, locale: string): string {
  const shown = new Intl.DateTimeFormat(locale, { dateStyle: "medium", timeStyle: "short", timeZone: "UTC" });
  return [shown.format(taken), zone].filter((part) => part !== undefined).join(" ");
}

/** Where it was taken, as other programs read it: no map is asked for. */
function placeOf({ latitude, longitude }: CameraFacts): CameraRow[] {
  if (latitude === undefined || longitude === undefined) return [];
  const value = `${latitude.toFixed(5)}, ${longitude.toFixed(5)}`;
  return [{ name: t("viewer.camera.place"), value, copies: t("viewer.camera.copyPlace") }];
}
