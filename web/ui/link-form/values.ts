import { isFileKind } from "#contract/file-kinds";
import { MAX_LINK_KINDS, MAX_LINK_NETWORKS, MAX_OBJECT_BYTES } from "#contract/limits";
import type { LinkChange, LinkRecord, NewLink, NewLinkItem } from "#contract/links";
import { type LinkRight, linkRights } from "#contract/permissions";
import { fromLocalInput, toLocalInput } from "../../lib/time.ts";
import type { FormFields } from "../form/use-form.ts";
import { allowedHours, lastExpiry } from "../share-options/allowed.ts";
import { expiryWrong, type ShareProblem, slugWrong, viewLimit, viewsWrong } from "../share-options/share-problems.ts";

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
  readonly maxFiles: string;
  /** In MB. */
  readonly maxBytes: string;
  readonly maxFileBytes: string;
  /** Separated by commas. */
  readonly kinds: string;
  readonly askName: boolean;
  readonly askMessage: boolean;
  readonly senderFolders: boolean;
}

/** What is wrong with the form, at the field that it is shown at. */
export interface LinkProblems {
  readonly slug?: ShareProblem;
  readonly expiry?: ShareProblem;
  readonly opens?: ShareProblem;
  readonly downloads?: ShareProblem;
  readonly rights?: "link.form.rightsNone";
  readonly networks?: "link.form.networksWrong" | "link.form.networksMany";
  readonly maxFiles?: ShareProblem;
  readonly maxBytes?: "link.form.sizeWrong";
  readonly maxFileBytes?: "link.form.sizeWrong";
  readonly kinds?: "link.form.kindsWrong" | "link.form.kindsMany";
}

/** The form of a link that is new. */
export const newLinkValues: LinkValues = {
  ...{ title: "", note: "", label: "", view: true, download: true, upload: false, password: "", clearPassword: false },
  ...{ slug: "", expiry: "", opens: "", downloads: "", networks: "" },
  ...{ maxFiles: "", maxBytes: "", maxFileBytes: "", kinds: "", askName: false, askMessage: false },
  senderFolders: false,
};

/** When a new link ends of which nobody has said so. */
export const usualExpiry = (now: number): Partial<LinkValues> => {
  const { usual } = allowedHours();
  return usual === 0 ? {} : { expiry: toLocalInput(new Date(now + usual * HOUR).toISOString()) };
};

const HOUR = 60 * 60_000;

/** Days that a link which collects files is there, unless somebody says otherwise. */
const COLLECTING_DAYS = 30;

/** A link by which others send files into a folder: each with their name into a folder of their own, seeing nothing. */
export const collectingLink = (folder: string, now: number): NewLink => ({
  items: [folder],
  ...{ rights: ["upload"], ask_name: true, ask_message: true, sender_folders: true },
  expires_at: new Date(
    Math.min(now + COLLECTING_DAYS * 24 * HOUR, lastExpiry(now) ?? Number.POSITIVE_INFINITY),
  ).toISOString(),
});

const shownLimit = (limit: number): string => (limit === 0 ? "" : String(limit));

const MB = 1024 * 1024;

const shownSize = (bytes: number): string => (bytes === 0 ? "" : String(bytes / MB));

/** The bytes of a number of MB; undefined when it is none. */
function bytesIn(text: string): number | undefined {
  const trimmed = text.trim().replace(",", ".");
  if (!/^(\d{1,9}(\.\d{1,12})?)?$/.test(trimmed)) return undefined;
  return Math.min(Math.ceil(Number(trimmed) * MB), MAX_OBJECT_BYTES);
}

const kindsIn = ({ kinds }: LinkValues): string[] =>
  kinds
    .split(/[\s,;，；、]+/)
    .map((kind) => kind.toLowerCase())
    .filter((kind) => kind !== "");

/** The first text that is no kind of files. */
export const wrongKind = (values: LinkValues): string | undefined => kindsIn(values).find((kind) => !isFileKind(kind));

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
  maxFiles: shownLimit(link.max_files),
  maxBytes: shownSize(link.max_bytes),
  maxFileBytes: shownSize(link.max_file_bytes),
  kinds: link.kinds.join(", "),
  askName: link.ask_name,
  askMessage: link.ask_message,
  senderFolders: link.sender_folders,
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
export function newLinkOf(values: LinkValues, items: readonly NewLinkItem[]): NewLink {
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
    // Where there is a default, never has to be said.
    ...((expiresAt || allowedHours().usual > 0) && { expires_at: expiresAt ?? null }),
    ...(opens > 0 && { max_opens: opens }),
    ...(downloads > 0 && { max_downloads: downloads }),
    ...(networks.length > 0 && { networks }),
    ...(values.upload && newInboundOf(values)),
  };
}

/** How much a new link takes, and of whom. */
function newInboundOf(values: LinkValues): Partial<NewLink> {
  const { askName, askMessage, senderFolders } = values;
  const kinds = kindsIn(values);
  const [files, bytes, fileBytes] = [
    viewLimit(values.maxFiles),
    bytesIn(values.maxBytes),
    bytesIn(values.maxFileBytes),
  ];
  return {
    ...(files && { max_files: files }),
    ...(bytes && { max_bytes: bytes }),
    ...(fileBytes && { max_file_bytes: fileBytes }),
    ...(kinds.length > 0 && { kinds }),
    ...(askName && { ask_name: true }),
    ...(askMessage && { ask_message: true }),
    ...(senderFolders && { sender_folders: true }),
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
    ...(is("maxFiles") && { max_files: viewLimit(values.maxFiles) ?? 0 }),
    ...(is("maxBytes") && { max_bytes: bytesIn(values.maxBytes) ?? 0 }),
    ...(is("maxFileBytes") && { max_file_bytes: bytesIn(values.maxFileBytes) ?? 0 }),
    ...(is("kinds") && { kinds: kindsIn(values) }),
    ...(is("askName") && { ask_name: values.askName }),
    ...(is("askMessage") && { ask_message: values.askMessage }),
    ...(is("senderFolders") && { sender_folders: values.senderFolders }),
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
    ...(values.upload && inboundProblems(values)),
  };
  return Object.fromEntries(Object.entries(found).filter(([, problem]) => problem)) as LinkProblems;
}

function inboundProblems(values: LinkValues): LinkProblems {
  const sizeWrong = (text: string) => (bytesIn(text) === undefined ? ("link.form.sizeWrong" as const) : undefined);
  const kinds = wrongKind(values) !== undefined ? "link.form.kindsWrong" : undefined;
  const found = {
    maxFiles: viewsWrong(values.maxFiles),
    maxBytes: sizeWrong(values.maxBytes),
    maxFileBytes: sizeWrong(values.maxFileBytes),
    kinds: kindsIn(values).length > MAX_LINK_KINDS ? "link.form.kindsMany" : kinds,
  };
  return found as LinkProblems;
}

function networksWrong(values: LinkValues): LinkProblems["networks"] {
  if (wrongNetwork(values) !== undefined) return "link.form.networksWrong";
  return networksIn(values).length > MAX_LINK_NETWORKS ? "link.form.networksMany" : undefined;
}

type Fields = FormFields<LinkValues, LinkProblems>;

export interface LinkFieldsProps extends Fields {
  /** The link that is changed; undefined for a new one. */
  readonly link: LinkRecord | undefined;
  /** It leads to a folder, and whoever makes it may upload there. */
  readonly mayUpload: boolean;
}
