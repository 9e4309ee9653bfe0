import { MAX_LINK_NETWORKS } from "#contract/limits";
import type { LinkChange, LinkRecord, NewLink } from "#contract/links";
import { type LinkRight, linkRights } from "#contract/permissions";
import { fromLocalInput, toLocalInput } from "../../lib/time.ts";
import { expiryWrong, type ShareProblem, slugWrong, viewLimit, viewsWrong } from "../share-problems.ts";

/** What the form of a link holds. */
export interface LinkValues {
  readonly title: string;
  readonly note: string;
  readonly label: string;
  readonly view: boolean;
  readonly download: boolean;
  readonly upload: boolean;
  readonly password: string;
  readonly clearPassword: boolean;
  readonly slug: string;
  /** The value of a datetime-local field, in local time; empty is never. */
  readonly expiry: string;
  readonly opens: string;
  readonly downloads: string;
  /** One in each line. */
  readonly networks: string;
}

/** What is wrong with the form, at the field that it is shown at. */
export interface LinkProblems {
  readonly slug?: ShareProblem;
  readonly expiry?: ShareProblem;
  readonly opens?: ShareProblem;
  readonly downloads?: ShareProblem;
  readonly rights?: "link.form.rightsNone";
  readonly networks?: "link.form.networksWrong" | "link.form.networksMany";
}

/** The form of a link that is new. */
export const newLinkValues: LinkValues = {
  ...{ title: "", note: "", label: "", view: true, download: true, upload: false, password: "", clearPassword: false },
  ...{ slug: "", expiry: "", opens: "", downloads: "", networks: "" },
};

const shownLimit = (limit: number): string => (limit === 0 ? "" : String(limit));

/** The form of a link before anything was changed. */
export const linkValues = (link: LinkRecord): LinkValues => ({
  title: link.title ?? "",
  note: link.note ?? "",
  label: link.label ?? "",
  view: link.rights.includes("view"),
  download: link.rights.includes("download"),
  upload: link.rights.includes("upload"),
  password: "",
  clearPassword: false,
  slug: link.slug,
  expiry: toLocalInput(link.expires_at),
  opens: shownLimit(link.max_opens),
  downloads: shownLimit(link.max_downloads),
  networks: link.networks.join("\n"),
});

/** The rights after one was switched: nobody finds what to download where they may not look. */
export function switched(right: LinkRight, on: boolean): Partial<LinkValues> {
  if (right === "view" && !on) return { view: false, download: false };
  if (right === "download" && on) return { view: true, download: true };
  return { [right]: on };
}

const rightsIn = (values: LinkValues): LinkRight[] => linkRights.filter((right) => values[right]);

const networksIn = ({ networks }: LinkValues): string[] =>
  networks
    .split(/[\n,]/)
    .map((line) => line.trim())
    .filter((line) => line !== "");

/** The first line that cannot be an address or a network; the server knows the rest. */
export const wrongNetwork = (values: LinkValues): string | undefined =>
  networksIn(values).find((line) => !/^[\da-f]*[.:][\da-f.:]*(\/\d{1,3})?$/i.test(line));

/** What the server is told of a new link; what was left empty is not sent. */
export function newLinkOf(values: LinkValues, items: readonly string[]): NewLink {
  const { title, note, label, slug, password } = values;
  const networks = networksIn(values);
  const [opens, downloads] = [viewLimit(values.opens) ?? 0, viewLimit(values.downloads) ?? 0];
  const expiresAt = fromLocalInput(values.expiry);
  return {
    items: [...items],
    rights: rightsIn(values),
    ...(title.trim() && { title: title.trim() }),
    ...(note.trim() && { note }),
    ...(label.trim() && { label: label.trim() }),
    ...(slug.trim() && { slug: slug.trim() }),
    ...(password && { password }),
    ...(expiresAt && { expires_at: expiresAt }),
    ...(opens > 0 && { max_opens: opens }),
    ...(downloads > 0 && { max_downloads: downloads }),
    ...(networks.length > 0 && { networks }),
  };
}

/** Only what differs: an untouched expiry keeps its seconds. */
export function linkChangeOf(values: LinkValues, link: LinkRecord): LinkChange {
  const before = linkValues(link);
  const is = (...fields: (keyof LinkValues)[]) => fields.some((field) => values[field] !== before[field]);
  const text = (field: "title" | "note" | "label") =>
    is(field) ? { [field]: (field === "note" ? values.note : values[field].trim()) || null } : {};
  const password = values.clearPassword ? null : values.password || undefined;
  return {
    ...text("title"),
    ...text("note"),
    ...text("label"),
    ...(is("view", "download", "upload") && { rights: rightsIn(values) }),
    ...(password !== undefined && { password }),
    ...(is("slug") && { slug: values.slug.trim() || null }),
    ...(is("expiry") && { expires_at: fromLocalInput(values.expiry) ?? null }),
    ...(is("opens") && { max_opens: viewLimit(values.opens) ?? 0 }),
    ...(is("downloads") && { max_downloads: viewLimit(values.downloads) ?? 0 }),
    ...(is("networks") && { networks: networksIn(values) }),
  };
}

/** What the browser can tell is wrong before it asks the server; `now` in epoch milliseconds. */
export function linkProblems(values: LinkValues, before: LinkValues, now: number): LinkProblems {
  const instant = values.expiry === before.expiry ? null : fromLocalInput(values.expiry);
  const found = {
    slug: values.slug === before.slug ? undefined : slugWrong(values.slug.trim()),
    expiry: instant === null ? undefined : expiryWrong(Date.parse(instant ?? ""), now),
    opens: viewsWrong(values.opens),
    downloads: viewsWrong(values.downloads),
    rights: rightsIn(values).length === 0 ? ("link.form.rightsNone" as const) : undefined,
    networks: networksWrong(values),
  };
  return Object.fromEntries(Object.entries(found).filter(([, problem]) => problem)) as LinkProblems;
}

function networksWrong(values: LinkValues): LinkProblems["networks"] {
  if (wrongNetwork(values) !== undefined) return "link.form.networksWrong";
  return networksIn(values).length > MAX_LINK_NETWORKS ? "link.form.networksMany" : undefined;
}
