/** What the forms of the admin area say is wrong (SPEC sections 5 and 8), in both languages. */

import { afterAll, beforeAll, expect, test } from "bun:test";
import type { FailureCode } from "#contract/failures";
import { MAX_CONTENT_BYTES } from "#contract/limits";
import { ALL_PERMISSIONS } from "#contract/permissions";
import { ApiFailure } from "../../../web/api/failure.ts";
import { type RefusedField, refusalAt } from "../../../web/api/refusals.ts";
import { type AccountValues, accountProblems } from "../../../web/features/admin/account/problems.ts";
import { emptyKey, type KeyValues } from "../../../web/features/admin/keys/form/form-values.ts";
import { keyProblems } from "../../../web/features/admin/keys/form/problems.ts";
import { emptyMount, type MountValues } from "../../../web/features/admin/mounts/form/form-values.ts";
import { mountProblems } from "../../../web/features/admin/mounts/form/problems.ts";
import { type GlobalValues, problemsIn as globalProblems } from "../../../web/features/admin/settings/global/values.ts";
import { problemsIn as previewProblems } from "../../../web/features/admin/settings/preview-values.ts";
import { type StorageValues, storageValues } from "../../../web/features/admin/storages/form/form-values.ts";
import { storageProblems } from "../../../web/features/admin/storages/form/problems.ts";
import { loadWords, setLanguage, t, type WordKey } from "../../../web/i18n/i18n.ts";
import { fileShare } from "../../../web/ui/share-form/file-share.tsx";
import type { ShareValues } from "../../../web/ui/share-form/form-values.ts";
import { shareProblems } from "../../../web/ui/share-form/kind.ts";
import { textShare } from "../../../web/ui/share-form/text-share.tsx";
import { fileRecord } from "../../support/page-servers/file-answers.ts";
import { cloud } from "../../support/page-servers/kept-storages.ts";
import { wholePaste } from "../../support/page-servers/paste-answers.ts";

/** The sentences of a form by its fields, in the language shown. */
type Wrong = () => Readonly<Record<string, string>>;
type Row = readonly [wrong: Wrong, field: string, zh: string, en: string];

/** By their names alone: none of these needs a value of its own. */
const say: (key: WordKey) => string = t as (key: WordKey) => string;
const said = (problems: object): Record<string, string> =>
  Object.fromEntries(Object.entries(problems as Record<string, WordKey>).map(([field, key]) => [field, say(key)]));

const key =
  (part: Partial<KeyValues>): Wrong =>
  () =>
    said(keyProblems({ ...emptyKey, name: "ok", ...part }));
const mount =
  (part: Partial<MountValues>): Wrong =>
  () =>
    said(mountProblems({ ...emptyMount("disk"), name: "ok", path: "/ok", ...part }));
const storage =
  (part: Partial<StorageValues>, isNew = false): Wrong =>
  () =>
    said(storageProblems({ ...storageValues(cloud), ...part }, isNew));
const account =
  (part: Partial<AccountValues>): Wrong =>
  () =>
    accountProblems({ currentPassword: "correct horse", newUsername: "", newPassword: "", ...part });
const right: GlobalValues = {
  size: "1",
  unit: "GB",
  proxy: false,
  naming: "random",
  trash: "7",
  activity: true,
  activityDays: "90",
  visitorTexts: "1",
  keyTexts: "1",
  totalTexts: "1",
  signAll: false,
  signExpires: "0",
};
const global =
  (part: Partial<GlobalValues>): Wrong =>
  () =>
    globalProblems({ ...right, ...part });
const lists = { text: "", image: "", video: "", audio: "", office: "", document: "" };
const preview =
  (part: Partial<typeof lists>): Wrong =>
  () =>
    previewProblems({ ...lists, ...part });

const now = Date.parse("2026-06-01T12:00:00Z");
const paste = wholePaste();
const file = fileRecord();
const text =
  (part: Partial<ShareValues & { content: string }>): Wrong =>
  () => {
    const values = { ...textShare.valuesFrom(paste), ...part };
    return said({ ...shareProblems(values, paste, now), ...textShare.problemsIn(values) });
  };
const shared =
  (part: Partial<ShareValues>): Wrong =>
  () =>
    said(shareProblems({ ...fileShare.valuesFrom(file), ...part }, file, now));

/** What the server alone can know, at the field where the form shows it. */
const server =
  (code: FailureCode, field: RefusedField): Wrong =>
  () => {
    const refusal = refusalAt(new ApiFailure({ code, status: 409, message: "" }), [field]);
    return refusal ? said({ [field]: refusal.words }) : {};
  };

const keyLetters = [
  "密钥只能包含字母、数字、下划线和连字符。",
  "A key has only letters, digits, underscores and hyphens.",
] as const;
const keyPath = [
  "路径要以 / 开头，各级名称前后不能有空格。",
  "A path starts with /, and names in it have no leading or trailing spaces.",
] as const;
const mountPath = [
  "路径以 / 开头、不以 / 结尾，各段只能包含字母、数字、中文、下划线和连字符。",
  "A path begins with a slash, does not end with one, and has letters, digits, underscores and hyphens between its slashes.",
] as const;
const ttl = ["请填写 0 到 86400 之间的整数。", "Enter a whole number from 0 to 86400."] as const;
const required = ["请填写这一项。", "Please fill this in."] as const;
const endpoint = [
  "请填写 http 或 https 地址，例如 https://s3.example.com。",
  "Enter an http or https address, for example https://s3.example.com.",
] as const;
const host = [
  "请填写 http 或 https 地址，例如 https://files.example.com。",
  "Enter an http or https address, for example https://files.example.com.",
] as const;
const seconds = ["请填写 60 到 604800 之间的整数。", "Enter a whole number from 60 to 604800."] as const;
const positive = [
  "请输入大于 0 的数字，位数不要太多。",
  "Enter a number above 0; a very long one is not taken.",
] as const;
const count = [
  "请输入 0 或更大的数字，位数不要太多。",
  "Enter 0 or a larger number; a very long one is not taken.",
] as const;
const endings = ["只能是字母和数字，用逗号分隔。", "Letters and digits only, separated by commas."] as const;
const slug = ["只能用字母、数字、- 和 _，最多 50 个。", "Only letters, digits, - and _, at most 50 of them."] as const;
const reserved = ["这个后缀由系统保留，请换一个。", "This suffix is reserved. Please choose another one."] as const;
const views = ["请输入 0 或更大的整数。", "Enter 0 or a larger whole number."] as const;
const past = ["这个时间已经过去了。", "This time has already passed."] as const;

const forms: Readonly<Record<string, readonly Row[]>> = {
  key: [
    [key({ name: "  " }), "name", "请输入名称。", "Enter a name."],
    [server("key.nameTaken", "name"), "name", "已有同名的密钥，请换一个名称。", "Another key already has this name."],
    [key({ own: true }), "key", "请输入自定义密钥。", "Enter the custom key."],
    [key({ own: true, key: "with space" }), "key", ...keyLetters],
    [key({ own: true, key: "密钥密钥密钥密钥" }), "key", ...keyLetters],
    [key({ own: true, key: "short" }), "key", "密钥需要 8 到 128 个字符。", "A key has 8 to 128 characters."],
    [
      server("key.taken", "key"),
      "key",
      "这个密钥已经存在，请换一个。",
      "This key already exists. Please choose another one.",
    ],
    [key({ expires: "custom" }), "expiry", "请选择过期时间。", "Choose when the key expires."],
    [key({ expires: "custom", expiry: "nonsense" }), "expiry", "这不是有效的时间。", "This is not a valid time."],
    [
      key({ expires: "custom", expiry: "2020-01-01T00:00" }),
      "expiry",
      "过期时间必须在将来。",
      "The time must be in the future.",
    ],
    [key({ permissions: 0 }), "permissions", "请至少选择一项权限。", "Choose at least one permission."],
    [key({ permissions: ALL_PERMISSIONS, basePath: "team" }), "basePath", ...keyPath],
    [key({ permissions: ALL_PERMISSIONS, basePath: "/team /x" }), "basePath", ...keyPath],
    [
      server("key.guestTaken", "guest"),
      "guest",
      "已有一个未过期的访客密钥，最多只能有一个。",
      "There is already a visitors' key that has not expired, and there can be only one.",
    ],
  ],
  mount: [
    [mount({ name: "  " }), "name", "请填写名称。", "Please give it a name."],
    [mount({ storage: "" }), "storage", "请选择一个存储。", "Please choose a storage."],
    [
      mount({ path: "/" }),
      "path",
      "请填写 / 之后的路径，例如 /team。",
      "Please enter a path after the slash, for example /team.",
    ],
    [mount({ path: "team" }), "path", ...mountPath],
    [mount({ path: "/a b" }), "path", ...mountPath],
    [
      mount({ path: "/etc/x" }),
      "path",
      "这个路径为系统保留，请换一个。",
      "This path is reserved by the system. Please choose another one.",
    ],
    [
      server("mount.pathTaken", "path"),
      "path",
      "这个路径已经有挂载点了，请换一个。",
      "There is already a mount at this path. Please choose another one.",
    ],
    [
      server("mount.storageMissing", "storage"),
      "storage",
      "这个存储已经不在了，请另选一个。",
      "This storage no longer exists. Please choose another one.",
    ],
    [mount({ cacheTtl: "-1" }), "cacheTtl", ...ttl],
    [mount({ cacheTtl: "86401" }), "cacheTtl", ...ttl],
    [mount({ cacheTtl: "1.5" }), "cacheTtl", ...ttl],
    [
      mount({ sortOrder: "x" }),
      "sortOrder",
      "请填写 -1000000 到 1000000 之间的整数。",
      "Enter a whole number from -1000000 to 1000000.",
    ],
    [
      mount({ proxy: true, sign: true, signExpires: "1e3" }),
      "signExpires",
      "请填写 0 到 315360000 之间的整数，或留空。",
      "Enter a whole number from 0 to 315360000, or nothing.",
    ],
  ],
  storage: [
    [storage({ name: " " }), "name", "请填写名称。", "Please give it a name."],
    [storage({ bucket: "" }), "bucket", ...required],
    [storage({ secret: "s", accessKey: "" }, true), "accessKey", ...required],
    [storage({ secret: "", accessKey: "a" }, true), "secret", ...required],
    [storage({ endpoint: "" }), "endpoint", ...required],
    [
      storage({ endpoint: "https://<accountid>.example" }),
      "endpoint",
      "请把尖括号里的部分换成自己的。",
      "Replace the part in angle brackets with your own.",
    ],
    [storage({ endpoint: "ftp://example.com" }), "endpoint", ...endpoint],
    [server("storage.endpoint", "endpoint"), "endpoint", ...endpoint],
    [
      server("storage.bucket", "bucket"),
      "bucket",
      "存储桶名由字母、数字、点、连字符和下划线组成。",
      "A bucket name has letters, digits, dots, hyphens and underscores.",
    ],
    [
      storage({ amount: "0" }),
      "amount",
      "请填写大于 0 的数，或选择不限容量。",
      "Enter a number above 0, or choose no limit.",
    ],
    [
      storage({ folder: "a/../b" }),
      "folder",
      "文件夹名不能含有 \\ 和控制字符，也不能是 . 或 ..。",
      "A folder's name cannot hold \\ or control characters, and cannot be . or ..",
    ],
    [storage({ customHost: "two words" }), "customHost", ...host],
    [storage({ signature: "59" }), "signature", ...seconds],
    [storage({ signature: "604801" }), "signature", ...seconds],
  ],
  account: [
    [account({ currentPassword: "", newUsername: "x" }), "current", "请输入当前密码。", "Enter the current password."],
    [account({}), "all", "请输入新的用户名或新密码。", "Enter a new username or a new password."],
    [
      account({ newUsername: "a:b" }),
      "username",
      "用户名最多 64 个字符，不能有冒号。",
      "A username can have up to 64 characters and no colon.",
    ],
    [
      account({ newPassword: "short" }),
      "password",
      "新密码至少需要 8 个字符。",
      "The new password needs at least 8 characters.",
    ],
    [
      account({ newPassword: "correct horse" }),
      "password",
      "新密码不能与当前密码相同。",
      "The new password must differ from the current one.",
    ],
    [server("account.wrongPassword", "current"), "current", "当前密码不正确。", "The current password is wrong."],
    [
      server("account.samePassword", "password"),
      "password",
      "新密码不能与当前密码相同。",
      "The new password must differ from the current one.",
    ],
  ],
  "global settings": [
    [global({ size: "0" }), "max_upload_size", ...positive],
    [global({ size: "much" }), "max_upload_size", ...positive],
    ...["0", "366", "1.5", ""].map(
      (days): Row => [
        global({ activityDays: days }),
        "activity_days",
        "请填写 1 到 365 之间的整数。",
        "Enter a whole number from 1 to 365.",
      ],
    ),
    [global({ visitorTexts: "" }), "max_visitor_texts", ...count],
    [global({ keyTexts: "-1" }), "max_key_texts", ...count],
    [global({ totalTexts: "1e3" }), "max_total_texts", ...count],
    [
      global({ signExpires: "1.5" }),
      "proxy_sign_expires",
      "请输入 0 到 315360000 之间的整数。",
      "Enter a whole number from 0 to 315360000.",
    ],
  ],
  "preview settings": [
    [preview({ image: "png, *.jpg" }), "preview_image_types", ...endings],
    [preview({ text: "../x" }), "preview_text_types", ...endings],
  ],
  text: [
    [text({ content: " \n" }), "content", "内容不能为空。", "The text cannot be empty."],
    [
      text({ content: "x".repeat(MAX_CONTENT_BYTES + 1) }),
      "content",
      "内容超过 10 MB，请缩短。",
      "The text is over 10 MB, please shorten it.",
    ],
    [text({ slug: "a b" }), "slug", ...slug],
    [text({ slug: "admin" }), "slug", ...reserved],
    [text({ views: "-1" }), "views", ...views],
    [text({ expiry: "2020-01-01T00:00" }), "expiry", ...past],
  ],
  file: [
    [shared({ slug: "x".repeat(51) }), "slug", ...slug],
    [shared({ slug: "api" }), "slug", ...reserved],
    [
      server("slug.taken", "slug"),
      "slug",
      "这个后缀已被占用，请换一个。",
      "This suffix is taken. Please choose another one.",
    ],
    [shared({ views: "1.5" }), "views", ...views],
    [shared({ expiry: "2020-01-01T00:00" }), "expiry", ...past],
    [shared({ expiry: "nonsense" }), "expiry", "请填写完整的日期和时间。", "Enter a full date and time."],
  ],
};

beforeAll(() => loadWords("admin", "storage", "mount", "share", "paste", "file"));
afterAll(() => setLanguage("en"));

const rows = Object.entries(forms).flatMap(([form, all]) =>
  (["zh", "en"] as const).flatMap((language) =>
    all.map(([wrong, field, zh, en]) => ({ form, language, field, wrong, sentence: { zh, en }[language] })),
  ),
);

test.each(rows)(
  "the form of a $form says in $language at $field: $sentence",
  async ({ language, field, wrong, sentence }) => {
    await setLanguage(language);
    expect(wrong()).toEqual({ [field]: sentence });
  },
);
