/** Files that programs send by a link: `curl -T file https://host/in/slug/`, or a form. The page at that address is the site's. */

import { Failure } from "#contract/failures";
import type { Language } from "#contract/languages";
import { sizeText } from "#contract/limits";
import * as z from "#contract/schemas";
import { receiptField, senderFields } from "#contract/upload-fields";
import { basicPassword } from "../access/identify.ts";
import type { LinkCaller } from "../access/principal.ts";
import type { Client } from "../activity/activity.ts";
import type { House } from "../house.ts";
import { iso } from "../lib/clock.ts";
import { textAnswer } from "../lib/counting.ts";
import { typeOf } from "../lib/mime.ts";
import type { ArrivedEntry, Content } from "../vfs/node.ts";
import { pathOfUpload, uploadFolders } from "../vfs/vfs.ts";
import { decodedSegment, headerText, type RequestContext, requireWhole, wantsLines } from "./context.ts";
import { clientOf, logUpload } from "./downloads.ts";
import { fieldValues, isForm, readForm } from "./form.ts";
import { languageOf } from "./language.ts";

type Rooms = Pick<House, "links" | "vfs" | "clock" | "activity">;

/** The slug, and what a file is called; nothing else is below a link. */
const inboundPath = /^\/in\/([^/]+)(?:\/([^/]*))?$/;

/** Whether a request brings a file to a link: `PUT` with the file as its body, or `POST` with a form. */
export const isInbound = ({ path }: RequestContext, { method }: Request): boolean =>
  (method === "PUT" || method === "POST") && inboundPath.test(path);

const saidFields = z.object(senderFields);

const knownField = (name: string) => (Object.hasOwn(senderFields, name) ? name : undefined);

/** Answers whoever sends a file by a link without a page. */
export function createInbound(rooms: Rooms) {
  const { links, vfs, clock, activity } = rooms;

  /** Whoever has opened the link. 401 password.missing, password.wrong; 403 auth.forbidden, link.network; 404, 410, 429. */
  const enter = async (slug: string, headers: Headers, client: Client): Promise<LinkCaller> => {
    const entered = await links.basic.visit({ username: slug, password: basicPassword(headers) }, client);
    if (!entered.rights.includes("upload")) throw new Failure("auth.forbidden");
    return entered;
  };

  /** The first folder of the link, as nobody who sends with a program has chosen one. 404 mount.none. */
  const folderOf = async (caller: LinkCaller): Promise<string> => {
    const [folder] = uploadFolders(await vfs.itemsOf(caller));
    if (folder === undefined) throw new Failure("mount.none");
    return folder;
  };

  const write = async (caller: LinkCaller, name: string, content: Content, signal: AbortSignal) => {
    const view = await vfs.as(caller, "mount", { signal });
    return await view.at(pathOfUpload(caller, await folderOf(caller), name)).put(content);
  };

  const put = async (caller: LinkCaller, request: Request, { path, length }: RequestContext) => {
    requireWhole(request);
    const name = decodedSegment(inboundPath.exec(path)?.[2] ?? "") || "file";
    const said = fieldValues(saidFields, {
      receipt: request.headers.get("x-share-receipt") ?? undefined,
      sender: headerText(request.headers, "x-share-sender"),
      message: headerText(request.headers, "x-share-message"),
    });
    const type = typeOf(name, request.headers.get("content-type"));
    return await write(caller, name, { body: request, length, type, said }, request.signal);
  };

  const post = async (caller: LinkCaller, request: Request) => {
    const form = await readForm(request, { known: knownField });
    const said = fieldValues(saidFields, Object.fromEntries(form.fields));
    const content = {
      body: new Response(form.file),
      length: undefined,
      type: typeOf(form.filename, form.mimetype),
      said,
    };
    return await write(caller, form.filename || "file", content, request.signal);
  };

  return async (request: Request, context: RequestContext): Promise<Response> => {
    const slug = decodedSegment(inboundPath.exec(context.path)?.[1] ?? "");
    if ("password" in context.query.values) throw new Failure("link.passwordShown");
    if (request.method === "POST" && !isForm(request.headers.get("content-type") ?? ""))
      throw new Failure("form.malformed");
    const client = clientOf(request, context);
    const caller = await enter(slug, request.headers, client);
    context.hold();
    const arrived = await (request.method === "PUT" ? put(caller, request, context) : post(caller, request));
    logUpload(activity, caller, client, arrived.entry);
    return await answer(request, context, arrived);
  };

  async function answer(request: Request, context: RequestContext, { entry, receipt = "" }: ArrivedEntry) {
    const { files } = await links.receipts.read(receiptField.parse(receipt));
    const file = files.findLast(({ path }) => path === entry.path);
    const takeBack = `${context.base()}/api/public/receipts/${receipt}`;
    const sent = {
      ...{ name: entry.name, size: entry.size, sha256: file?.sha256 || null },
      ...{ arrived_at: iso(file?.arrived_at ?? clock()), receipt, take_back: takeBack },
    };
    const headers = { "cache-control": "no-store" };
    if (wantsLines(request, context))
      return textAnswer(linesOf(sent, languageOf(request.headers)), {
        status: 201,
        headers: { ...headers, "content-type": "text/plain; charset=utf-8", vary: "accept-language" },
      });
    return textAnswer(JSON.stringify(sent), {
      status: 201,
      headers: { ...headers, "content-type": "application/json;charset=utf-8" },
    });
  }
}

interface SentFile {
  readonly name: string;
  readonly size: number;
  readonly sha256: string | null;
  readonly arrived_at: string;
  readonly take_back: string;
}

const words: Readonly<Record<Language, Readonly<Record<"received" | "back", string>>>> = {
  en: { received: "Received", back: "To take it back within ten minutes" },
  zh: { received: "已收到", back: "十分钟内可撤回" },
  ja: { received: "受信しました", back: "10 分以内なら取り消せます" },
  es: { received: "Recibido", back: "Para retirarlo en los próximos diez minutos" },
  de: { received: "Empfangen", back: "Zum Zurücknehmen innerhalb von zehn Minuten" },
  fr: { received: "Reçu", back: "Pour le retirer dans les dix minutes" },
};

/** The receipt of one file for people at a terminal. */
const linesOf = ({ name, size, sha256, arrived_at, take_back }: SentFile, language: Language): string =>
  [
    `${words[language].received}: ${name} (${sizeText(size)}), ${arrived_at}`,
    `SHA-256: ${sha256 ?? "-"}`,
    `${words[language].back}: curl -X DELETE ${take_back}`,
    "",
  ].join("\n");
