import { Failure } from "#contract/failures";
import type { Language } from "#contract/languages";
import { HEALTH_KEPT, HEALTH_PATIENCE, USED_UP_SHARE } from "#contract/limits";
import { version } from "../../package.json";
import type { Database } from "../database/database.ts";
import { sql } from "../database/sql.ts";
import { type Clock, iso, steadyClock } from "../lib/clock.ts";
import { type Log, unforeseen } from "../lib/log.ts";
import type { TextQuotas } from "../shares/text-quotas.ts";
import type { DiskSpace } from "../stores/disk/space.ts";
import type { Stores } from "../stores/stores.ts";
import type { Transfers } from "../transfers/transfers.ts";
import { LATE, singleFlight } from "./single-flight.ts";

type DatabaseCheckDeps = Pick<HealthDeps, "db" | "clockFault" | "log" | "patience">;

interface HealthDeps {
  readonly db: Database;
  readonly clock: Clock;
  readonly log: Log;
  /** What is wrong with the clock of this server; undefined when nothing is. */
  readonly clockFault: () => Promise<string | undefined>;
  /** Milliseconds until a database that does not answer is called unavailable; HEALTH_PATIENCE unless said. */
  readonly patience?: number | undefined;
  /** Reports whether the database had no room for its last write. */
  readonly isFull: () => boolean;
  /** The disks of the database and of the built-in store. */
  readonly disks: readonly Pick<DiskSpace, "isUsedUp">[];
  readonly quotas: Pick<TextQuotas, "uses">;
  readonly transfers: Pick<Transfers, "fullestStorage">;
  readonly stores: Pick<Stores, "isDenied" | "areSomeHere">;
  /** Whether other servers may work on the database, which do not see the disk of this one; not unless said. */
  readonly shared?: boolean | undefined;
}

/** Asks whether the database answers, and when it does, whether its clock agrees. */
function createDatabaseCheck({ db, clockFault, log, patience = HEALTH_PATIENCE }: DatabaseCheckDeps) {
  let isSilent = false;

  return singleFlight(async (): Promise<HealthProblem | undefined> => {
    try {
      await db.first(sql`select 1`);
      const fault = await clockFault();
      isSilent = false;
      return fault === undefined ? undefined : "clock";
    } catch (error) {
      // Once until it answers again, because anybody may ask.
      if (!isSilent) log.warn("the database does not answer", unforeseen(error));
      isSilent = true;
      return SILENT;
    }
  }, patience);
}

/** What runs here and whether it does. */
export function createHealth(deps: HealthDeps) {
  const { db, clock, isFull, disks, quotas, transfers, stores, shared } = deps;
  const steady = steadyClock(clock);
  const startedAt = steady();
  const askDatabase = createDatabaseCheck(deps);
  let kept: { readonly at: number; readonly problems: Promise<HealthProblem[]> } | undefined;

  const find = async (): Promise<HealthProblem[]> => {
    const texts = (await quotas.uses()).filter(({ used, limit }) => used >= limit * USED_UP_SHARE);
    return [
      ...((await stores.isDenied()) ? ["folder" as const] : []),
      ...(disks.some((disk) => disk.isUsedUp()) ? ["disk" as const] : []),
      ...texts.map(({ quota }) => `texts.${quota}` as const),
      ...((await transfers.fullestStorage()) >= USED_UP_SHARE ? ["storage" as const] : []),
      ...(shared && (await stores.areSomeHere()) ? ["storage.local" as const] : []),
    ];
  };

  /** The endpoint is public, so disks, folders and quotas are read at most once in HEALTH_KEPT milliseconds. */
  const found = (): Promise<HealthProblem[]> => {
    const now = steady();
    if (kept === undefined || now - kept.at >= HEALTH_KEPT) kept = { at: now, problems: find() };
    return kept.problems;
  };

  /** A failed reading is repeated at the next request. */
  const problemsNow = async (): Promise<HealthProblem[]> => {
    try {
      return await found();
    } catch (error) {
      kept = undefined;
      throw error;
    }
  };

  const findAll = async (): Promise<HealthProblem[]> => {
    const asked = await askDatabase();
    if (asked === LATE || asked === SILENT) return [SILENT];
    try {
      return [...(asked ? [asked] : []), ...(isFull() ? ["database" as const] : []), ...(await problemsNow())];
    } catch (error) {
      if (error instanceof Failure && error.code === SILENT) return [SILENT];
      throw error;
    }
  };

  return {
    /** Each problem makes it `degraded`, also a database that does not answer: this process is alive all the same. */
    async check() {
      const problems = await findAll();
      return {
        status: problems.length > 0 ? ("degraded" as const) : ("ok" as const),
        timestamp: iso(clock()),
        problems,
      };
    },
    version: () => ({
      version,
      name: "Satchel",
      environment: `Bun ${Bun.version}`,
      storage: db.engine === "postgres" ? "PostgreSQL" : "SQLite",
      // The version of Node.js that Bun is compatible with.
      nodeVersion: process.version,
      uptime: Math.floor((steady() - startedAt) / 1000),
    }),
  };
}

export type Health = ReturnType<typeof createHealth>;

const SILENT = "database.unavailable";

/** What /api/health can find wrong while the server still answers. */
type HealthProblem =
  | "disk"
  | "database"
  | typeof SILENT
  | "clock"
  | "texts.total"
  | "texts.visitors"
  | "texts.key"
  | "storage"
  | "storage.local"
  | "folder";

/** What an administrator does about each problem. The text is public, so it has no number, path or owner. */
export const healthAdvice: Readonly<Record<HealthProblem, Readonly<Record<Language, string>>>> = {
  disk: {
    en: "The disk is full but for the reserve of the database. Free space on it, or delete files and texts.",
    zh: "磁盘空间已用尽，仅剩数据库的保留空间。请清理磁盘，或删除文件和文本。",
    ja: "データベース用の予備を除いてディスクがいっぱいです。空き容量を増やすか、ファイルやテキストを削除してください。",
    es: "El disco está lleno, salvo la reserva de la base de datos. Libera espacio o elimina archivos y textos.",
    de: "Die Festplatte ist bis auf die Reserve der Datenbank voll. Gib Platz frei oder lösche Dateien und Texte.",
    fr: "Le disque est plein, sauf la réserve de la base de données. Libérez de l’espace ou supprimez des fichiers et des textes.",
  },
  database: {
    en: "The database had no room for what it was last to write. Free space on its disk.",
    zh: "数据库上次写入时空间不足。请清理数据库所在的磁盘。",
    ja: "データベースは最後の書き込みで容量が足りませんでした。データベースのディスクの空き容量を増やしてください。",
    es: "La base de datos no tuvo espacio para su última escritura. Libera espacio en su disco.",
    de: "Beim letzten Schreiben fehlte der Datenbank der Platz. Gib auf ihrer Festplatte Platz frei.",
    fr: "La base de données a manqué d’espace lors de sa dernière écriture. Libérez de l’espace sur son disque.",
  },
  "database.unavailable": {
    en: "The database does not answer, so nearly everything is refused. Start it, or repair the way to it.",
    zh: "数据库无响应，几乎所有请求都会被拒绝。请启动数据库，或修复与它的连接。",
    ja: "データベースが応答しないため、ほとんどの操作が拒否されます。データベースを起動するか、接続を修復してください。",
    es: "La base de datos no responde, así que casi todo se rechaza. Iníciala o repara la conexión con ella.",
    de: "Die Datenbank antwortet nicht, deshalb wird fast alles abgelehnt. Starte sie oder stelle die Verbindung zu ihr wieder her.",
    fr: "La base de données ne répond pas, presque tout est donc refusé. Démarrez-la ou rétablissez la connexion.",
  },
  clock: {
    en: "The clocks of this server and of its database differ. Set the one that is wrong, with NTP for instance.",
    zh: "服务器与数据库的时钟不一致。请校准出错的一方，例如使用 NTP。",
    ja: "サーバーとデータベースの時計がずれています。NTP などで、ずれている方を合わせてください。",
    es: "Los relojes de este servidor y de su base de datos no coinciden. Ajusta el que esté mal, por ejemplo con NTP.",
    de: "Die Uhren dieses Servers und seiner Datenbank gehen verschieden. Stelle die falsche, zum Beispiel mit NTP.",
    fr: "Les horloges de ce serveur et de sa base de données diffèrent. Réglez celle qui est fausse, par exemple avec NTP.",
  },
  "texts.total": {
    en: "The quota of all texts is used up. Delete texts, or raise the setting max_total_texts.",
    zh: "全部文本的空间配额已用尽。请删除文本，或调高设置项 max_total_texts。",
    ja: "すべてのテキストの容量を使い切りました。テキストを削除するか、設定 max_total_texts を上げてください。",
    es: "La cuota de todos los textos está agotada. Elimina textos o aumenta el ajuste max_total_texts.",
    de: "Das Kontingent aller Texte ist aufgebraucht. Lösche Texte oder erhöhe die Einstellung max_total_texts.",
    fr: "Le quota de l’ensemble des textes est épuisé. Supprimez des textes ou augmentez le réglage max_total_texts.",
  },
  "texts.visitors": {
    en: "The quota of visitors' texts is used up. Delete texts of visitors, or raise the setting max_visitor_texts.",
    zh: "访客文本的空间配额已用尽。请删除访客的文本，或调高设置项 max_visitor_texts。",
    ja: "ゲストのテキストの容量を使い切りました。ゲストのテキストを削除するか、設定 max_visitor_texts を上げてください。",
    es: "La cuota de textos de visitantes está agotada. Elimina textos de visitantes o aumenta el ajuste max_visitor_texts.",
    de: "Das Kontingent für Texte von Besuchern ist aufgebraucht. Lösche Texte von Besuchern oder erhöhe die Einstellung max_visitor_texts.",
    fr: "Le quota des textes des visiteurs est épuisé. Supprimez des textes de visiteurs ou augmentez le réglage max_visitor_texts.",
  },
  "texts.key": {
    en: "An API key has used up its quota of texts. Delete texts of that key, or raise the setting max_key_texts.",
    zh: "有 API 密钥的文本空间配额已用尽。请删除该密钥的文本，或调高设置项 max_key_texts。",
    ja: "テキストの容量を使い切った API キーがあります。そのキーのテキストを削除するか、設定 max_key_texts を上げてください。",
    es: "Una clave API ha agotado su cuota de textos. Elimina textos de esa clave o aumenta el ajuste max_key_texts.",
    de: "Ein API-Schlüssel hat sein Kontingent für Texte aufgebraucht. Lösche Texte dieses Schlüssels oder erhöhe die Einstellung max_key_texts.",
    fr: "Une clé API a épuisé son quota de textes. Supprimez des textes de cette clé ou augmentez le réglage max_key_texts.",
  },
  storage: {
    en: "A storage has used up its quota. Delete files from it, or raise its limit.",
    zh: "有存储的空间配额已用尽。请删除其中的文件，或调高其容量限制。",
    ja: "容量を使い切ったストレージがあります。ファイルを削除するか、上限を上げてください。",
    es: "Un almacenamiento ha agotado su cuota. Elimina archivos o aumenta su límite.",
    de: "Ein Speicher hat sein Kontingent aufgebraucht. Lösche Dateien daraus oder erhöhe sein Limit.",
    fr: "Un stockage a épuisé son quota. Supprimez-y des fichiers ou augmentez sa limite.",
  },
  "storage.local": {
    en: "A storage is on the disk of one server, and others on the same database do not see its files. Move them to a bucket, and make that the default storage.",
    zh: "有存储位于单台服务器的磁盘上，使用同一数据库的其他服务器看不到其中的文件。请将文件移动到存储桶，并将该存储桶设为默认存储。",
    ja: "1 台のサーバーのディスク上にあるストレージがあり、同じデータベースを使う他のサーバーからはそのファイルが見えません。ファイルをバケットに移し、それを既定のストレージにしてください。",
    es: "Un almacenamiento está en el disco de un solo servidor, y los demás con la misma base de datos no ven sus archivos. Muévelos a un bucket y conviértelo en el almacenamiento predeterminado.",
    de: "Ein Speicher liegt auf der Festplatte eines einzelnen Servers; andere an derselben Datenbank sehen seine Dateien nicht. Verschiebe sie in einen Bucket und mache ihn zum Standardspeicher.",
    fr: "Un stockage se trouve sur le disque d’un seul serveur, et les autres serveurs de la même base de données ne voient pas ses fichiers. Déplacez-les dans un bucket et faites-en le stockage par défaut.",
  },
  folder: {
    en: "The server may not write to its folder of files. Check the owner and the permissions of the data folder, and whether its disk is mounted read-only.",
    zh: "服务器无法写入其文件目录。请检查数据目录的所有者和权限，以及其磁盘是否以只读方式挂载。",
    ja: "サーバーがファイル用フォルダーに書き込めません。データフォルダーの所有者と権限、ディスクが読み取り専用でマウントされていないかを確認してください。",
    es: "El servidor no puede escribir en su carpeta de archivos. Comprueba el propietario y los permisos de la carpeta de datos, y si su disco está montado en solo lectura.",
    de: "Der Server darf nicht in seinen Dateiordner schreiben. Prüfe Besitzer und Rechte des Datenordners und ob seine Festplatte schreibgeschützt eingehängt ist.",
    fr: "Le serveur ne peut pas écrire dans son dossier de fichiers. Vérifiez le propriétaire et les droits du dossier de données, et si son disque est monté en lecture seule.",
  },
};
