import { expect, test } from "bun:test";
import type { Language } from "#contract/languages";
import { messages } from "#contract/messages/sentence";
import { dictionaries, sentencesOf } from "./support/pages/dictionaries.ts";

/** Every sentence of the error catalogue (SPEC section 8): by which key or code it is said, and what is said in each language. */

type Row = readonly [sentence: string, at: string, en: RegExp, zh: RegExp];

const catalogue: readonly Row[] = [
  ["wrong password", "password.wrong", /wrong password/i, /密码错误/],
  ["verification failed", "account.wrongPassword", /current password is wrong/, /当前密码错误/],
  [
    "admin session expired, please log in again",
    "shell.signedOut.expired",
    /session.*expired.*again/,
    /过期.*重新登录/,
  ],
  ["the same, of the server", "auth.expired", /expired.*again/, /过期.*重新登录/],
  ["API key invalid or expired", "shell.signedOut.keyInvalid", /key invalid or expired/, /密钥无效或已过期/],
  ["the same, of the server", "key.invalid", /key invalid or expired/, /密钥无效或已过期/],
  ["unauthorized, please log in", "auth.required", /unauthorized, please log in/i, /请先登录/],
  [
    "authentication failed, please log in again",
    "shell.signedOut.unauthorized",
    /not authorized.*again/,
    /未获授权.*重新登录/,
  ],
  ["link suffix already in use, try another", "slug.taken", /suffix.*taken.*another/i, /后缀已被占用.*其他/],
  ["HTTP error", "shell.failure.unknown", /could not be understood/, /无法理解/],
  ["request cancelled", "shell.failure.aborted", /cancelled/, /已取消/],
  ["request timed out, server took too long", "shell.failure.timeout", /took too long/, /太久没有回应/],
  [
    "network connection failed, check settings",
    "shell.failure.network",
    /cannot be reached.*connection/i,
    /连不上.*检查网络/,
  ],

  ["Invalid login token", "admin.login.tokenless", /no valid login token/, /有效的登录令牌/],
  ["Invalid username or password", "login.wrong", /invalid username or password/i, /用户名或密码错误/],
  ["the same, in the form", "admin.login.wrong", /wrong username or password/i, /用户名或密码/],
  ["Login failed", "admin.login.failed", /login failed/i, /登录失败/],
  ["Invalid server response format", "admin.login.unreadable", /wrong format/, /格式不对/],
  ["Server error", "admin.login.server", /server error/i, /服务器/],
  ["the same, of the server", "internal", /server error/i, /服务器错误/],
  ["API key validation failed", "admin.login.keyUnchecked", /key validation failed/, /密钥验证失败/],
  [
    "Unable to get permission information",
    "admin.login.keyUnclear",
    /unable to get permission information/i,
    /无法获取.*权限/,
  ],
  ["Invalid or unauthorized API key", "admin.login.keyWrong", /invalid or unauthorized API key/i, /密钥无效或未获授权/],
  ["Insufficient API key permissions", "admin.login.keyFew", /insufficient API key permissions/i, /权限不足/],

  [
    "mounts, as an API key user; No permission to perform this action",
    "auth.forbidden",
    /no permission to perform this/i,
    /没有权限执行/,
  ],
  ["This link is reserved by the system", "slug.reserved", /reserved by the system/, /系统保留/],

  [
    "No permission to use this storage configuration",
    "storage.forbidden",
    /no permission to use this storage/i,
    /没有权限使用此存储/,
  ],
  ["the same, in the list", "upload.problem.storageForbidden", /may not use this storage/, /没有权限使用/],
  [
    "Insufficient storage: file size exceeds remaining space",
    "storage.full",
    /insufficient storage: .*exceeds/i,
    /存储空间不足.*超过剩余空间/,
  ],
  ["the same, in the list", "upload.problem.storageFull", /not enough space/i, /存储空间不足/],
  ["File size exceeds limit", "file.tooLarge", /file size exceeds limit/i, /文件大小超过/],
  ["the same, in the list", "upload.problem.tooLarge", /above the size limit/, /超过了大小上限/],
  [
    "Failed to initialize multipart upload; Failed to get presigned URL; Server error",
    "upload.problem.server",
    /try again later/,
    /稍后再试/,
  ],
  [
    "Network error, please check your connection; network error during upload",
    "upload.problem.network",
    /connection/,
    /网络/,
  ],
  ["upload failed: {status}", "upload.problem.putRefused", /\{\{status\}\}/, /\{\{status\}\}/],
  ["upload cancelled", "upload.row.aborted", /cancelled/, /已取消/],
  ["partial parts failed", "upload.problem.partsFailed", /some parts/i, /分片/],
  ["upload timed out", "upload.problem.timeout", /for a long time/, /长时间/],

  ["Content too large, please reduce content length", "content.tooLarge", /too large, please reduce/i, /内容过大/],
  [
    "File content is too large, exceeds maximum limit",
    "editing.file.tooLarge",
    /too large, exceeds maximum/,
    /过大，超过上限/,
  ],
  [
    "File content is too large, exceeds server limit",
    "editing.file.tooLargeThere",
    /exceeds server limit/,
    /超过服务器上限/,
  ],
  ["No permission to update this file", "editing.file.forbidden", /no permission to update/i, /没有修改.*权限/],
  ["Server not responding", "editing.file.silent", /server not responding/i, /服务器没有响应/],

  ["Incorrect password, please try again", "share.gate.wrong", /wrong password, please try again/i, /密码/],
  ["File not found", "share.missing", /does not exist/, /不存在/],
  ["Unauthorized access", "password.missing", /needs a password/, /需要密码/],
  ["Access forbidden", "share.gone", /expired/, /过期/],
  ["Download link may have expired", "grant.void", /link may have expired/, /链接可能已过期/],

  [
    "Search keywords must be at least 2 characters",
    "search.short",
    /at least \{\{minQuery\}\} characters/,
    /至少.*\{\{minQuery\}\}/,
  ],
  ["Search failed", "search.failed", /search failed/, /搜索失败/],
  ["Failed to load more results", "search.moreFailed", /more results/i, /更多结果/],

  [
    "Data sync failed, please try again later",
    "offline.failed",
    /data sync failed, please try again later/i,
    /同步失败/,
  ],
  ["the offline notice", "offline.lost", /offline/, /断开/],
  ["the network-restored notice", "offline.restored", /back online/, /已恢复/],
  [
    "temporarily unavailable, please check the network",
    "shell.lazy.text",
    /temporarily unavailable.*check the network/,
    /暂时无法打开.*检查网络/,
  ],
];

const sentences = (language: Language) =>
  new Map<string, string>([...Object.entries(messages[language]), ...sentencesOf(dictionaries[language])]);

const rows = (["zh", "en"] as const).flatMap((language) =>
  catalogue.map(([sentence, at, en, zh]) => ({ language, sentence, at, said: { en, zh }[language] })),
);

test.each(rows)("“$sentence” is said in $language by $at", ({ language, at, said }) => {
  expect(sentences(language).get(at)).toMatch(said);
});
