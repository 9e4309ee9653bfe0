import { Failure, type FailureCode, type FailureDetails } from "#contract/failures";
import type { Language } from "#contract/languages";
import { filled, sentence } from "#contract/messages/sentence";
import type { Examination } from "#contract/storage-report";

/** Everything the storage test says: the names of its checks, what they find and what to do about it. */

const en = {
  between: { words: ", ", sentences: " " },
  names: {
    write: "Write",
    head: "Properties",
    read: "Read",
    range: "Read a part",
    list: "List",
    copy: "Copy",
    multipart: "Upload in parts",
    delete: "Delete",
    cors: "Uploads from the browser (CORS)",
    etag_exposed: "ETag visible to the browser",
    clock_skew: "Clocks",
    path_style: "Path style",
    public: "Reachable by browsers",
  },
  sentences: {
    written: "The test wrote a file of {size}.",
    headRight: "Size, type and ETag are correct.",
    headWrong: "The storage reports a different size or type than the written file has.",
    readRight: "The data read is identical to the data written.",
    readWrong: "The data read differs from the data written.",
    fileMissing: "The file that was just written is missing.",
    listed: "Files in the default folder: {count}.",
    listedMany: "Files in the default folder: {count} or more.",
    listWrong: "The list does not contain the file that was just written.",
    copied: "The storage made a copy of the file.",
    partsJoined: "The test uploaded a file of {size} in two parts.",
    removed: "The test deleted its files.",
    notRemoved: "A file still exists after it was deleted.",
    adviceCache: "Check whether a cache or a proxy in front of the storage changes or caches answers.",
    corsAllowed: "Pages of {origin} may upload to the bucket.",
    corsNone:
      "The bucket does not allow uploads from pages of {origin} (HTTP {status}, without Access-Control-Allow-Origin).",
    corsOrigin: "The bucket allows uploads from pages of another origin, but not of {origin}.",
    corsLacks: "The bucket does not allow pages to send {what}.",
    adviceCors:
      "Set the CORS rules of the bucket, here or at the provider. Until then, uploads pass through this server, and shares need use_proxy to be previewed.",
    etagVisible: "Pages can read the ETag of their uploads.",
    etagHidden: "Pages cannot read the ETag of their uploads.",
    adviceEtag: "Expose ETag in the CORS rules of the bucket, here or at the provider; multipart uploads need it.",
    pageUploadRefused: "The storage refuses uploads from pages (HTTP {status}).",
    pageUploadHidden: "The storage accepts uploads from pages of {origin}, but does not allow them to read the answer.",
    clockOffset: "The clocks differ by {seconds} s.",
    clockUnknown: "The storage does not send its time.",
    adviceClock:
      "Synchronize the clock of this server by NTP: the storage refuses all requests when the clocks differ by 15 minutes.",
    styleOnlyPath: "The bucket supports path style only, as configured.",
    styleOnlyHost: "The bucket supports virtual-hosted style only, as configured.",
    styleBoth: "The bucket supports both styles; keep the configured one.",
    styleWrongPath: "The bucket supports virtual-hosted style, but not path style.",
    styleWrongHost: "The bucket supports path style, but not virtual-hosted style.",
    styleNeither: "The bucket does not answer in either style.",
    styleUnknown: "The test can determine the style once the storage grants access.",
    styleFixedPath: "This endpoint and bucket name allow path style only.",
    styleFixedHost: "This provider supports virtual-hosted style only.",
    advicePathOff: "Turn path style off.",
    advicePathOn: "Turn path style on.",
    publicYes: "{host} is a public name or address.",
    publicLoopback: "{host} is this machine itself.",
    publicPrivate: "{host} is an address of a private network.",
    publicResolves: "{host} resolves to private addresses only ({addresses}).",
    publicUnresolved: "{host} looks like a public name, but this server could not resolve it.",
    publicLocalName: "{host} is a name that is valid in a local network only.",
    publicPlain: "The endpoint uses http, and browsers block http requests from https pages.",
    adviceProxy:
      "Browsers outside this network cannot reach it: turn on use_proxy for shares, so that files pass through this server. Uploads do so automatically.",
    adviceHttps:
      "Use https for the endpoint, or turn on use_proxy for shares. Uploads pass through this server automatically.",
    notNeeded: "Not needed: the storage is on this server itself.",
    readOnly: "Not needed: this storage may only be read.",
    needsOther: "Skipped, because this check failed: {step}.",
    noTimeLeft: "Skipped, because the test took too long.",
    internal: "An unexpected error occurred; see the server log for details.",
    adviceEndpoint: "Check the endpoint, the network (firewall, proxy) and the path style.",
    adviceKeys:
      "Check the access key and the secret key, and that the key may read, write, list and delete in this bucket.",
    adviceBucket: "Create the bucket at the provider, or correct its name or the path style.",
    adviceRegion: "Set the region and the endpoint to those of the bucket.",
    adviceSpace: "Free space in the storage or raise its quota.",
    adviceRetry: "Try again in a moment.",
    adviceNotS3: "Check that the endpoint is the S3 endpoint, not a console or a website.",
    healthy: "Everything works.",
    advised: "Everything works. Please review: {steps}.",
    failures: "These checks failed: {steps}.",
    notCleaned: "The test could not remove {file}.",
  },
};

const zh: Dictionary = {
  between: { words: "、", sentences: "" },
  names: {
    write: "写入",
    head: "读取属性",
    read: "读取",
    range: "分段读取",
    list: "列出文件",
    copy: "复制",
    multipart: "分片上传",
    delete: "删除",
    cors: "浏览器直传（CORS）",
    etag_exposed: "浏览器可读取 ETag",
    clock_skew: "时钟偏差",
    path_style: "路径风格",
    public: "浏览器可达性",
  },
  sentences: {
    written: "已写入 {size} 的文件。",
    headRight: "大小、类型和 ETag 均正确。",
    headWrong: "存储返回的大小或类型与写入的文件不符。",
    readRight: "读取的内容与写入的一致。",
    readWrong: "读取的内容与写入的不一致。",
    fileMissing: "刚写入的文件不存在。",
    listed: "默认文件夹中有 {count} 个文件。",
    listedMany: "默认文件夹中至少有 {count} 个文件。",
    listWrong: "列表中没有刚写入的文件。",
    copied: "已在存储内部完成复制。",
    partsJoined: "已分两片上传 {size} 的文件。",
    removed: "文件已删除。",
    notRemoved: "删除之后文件仍然存在。",
    adviceCache: "请检查存储前面是否有会修改或缓存响应的代理或缓存。",
    corsAllowed: "来自 {origin} 的页面可以上传到该存储桶。",
    corsNone: "存储桶不允许来自 {origin} 的页面上传（HTTP {status}，缺少 Access-Control-Allow-Origin）。",
    corsOrigin: "存储桶只允许其他来源的页面上传，不允许 {origin}。",
    corsLacks: "存储桶不允许页面发送 {what}。",
    adviceCors:
      "请在此处或提供商控制台设置存储桶的 CORS 规则。在此之前，上传会经由本服务器中转，分享需开启代理访问（use_proxy）才能预览。",
    etagVisible: "页面可以读取所上传内容的 ETag。",
    etagHidden: "页面无法读取所上传内容的 ETag。",
    adviceEtag: "请在此处或提供商控制台的 CORS 规则中暴露 ETag，分片上传需要它。",
    pageUploadRefused: "以页面方式上传时被拒绝（HTTP {status}）。",
    pageUploadHidden: "存储接受了来自 {origin} 页面的上传，但不允许页面读取结果。",
    clockOffset: "时钟相差 {seconds} 秒。",
    clockUnknown: "存储未返回其时间。",
    adviceClock: "请通过网络时间协议（NTP）校准本服务器的时钟：相差达到 15 分钟后，存储会拒绝所有请求。",
    styleOnlyPath: "存储桶只支持路径风格，与配置一致。",
    styleOnlyHost: "存储桶只支持虚拟主机风格，与配置一致。",
    styleBoth: "存储桶支持两种风格，无需更改配置。",
    styleWrongPath: "存储桶支持虚拟主机风格，但不支持路径风格。",
    styleWrongHost: "存储桶支持路径风格，但不支持虚拟主机风格。",
    styleNeither: "存储桶在两种风格下均无响应。",
    styleUnknown: "存储允许访问后才能判断应使用哪种风格。",
    styleFixedPath: "使用此端点和存储桶名称时，只能采用路径风格。",
    styleFixedHost: "该提供商只支持虚拟主机风格。",
    advicePathOff: "请关闭路径风格。",
    advicePathOn: "请开启路径风格。",
    publicYes: "{host} 是公开的域名或地址。",
    publicLoopback: "{host} 指向本机。",
    publicPrivate: "{host} 是私有网络地址。",
    publicResolves: "{host} 只解析到私有网络地址（{addresses}）。",
    publicUnresolved: "{host} 看起来是公开的域名，但本服务器未能解析其地址。",
    publicLocalName: "{host} 是仅在本地网络中有效的名称。",
    publicPlain: "端点使用 http，浏览器会拒绝 https 页面对它的访问。",
    adviceProxy: "其他网络中的浏览器无法访问：请为分享开启代理访问（use_proxy），由本服务器转发文件。上传会自动中转。",
    adviceHttps: "请为端点启用 https，或为分享开启代理访问（use_proxy）。上传会自动经由本服务器中转。",
    notNeeded: "无需检查：存储就在本服务器上。",
    readOnly: "无需检查：此存储只读。",
    needsOther: "未检查：“{step}”失败。",
    noTimeLeft: "未检查：测试耗时过长。",
    internal: "发生了意外错误，详情见服务器日志。",
    adviceEndpoint: "请检查端点地址、本服务器能否访问它（防火墙、代理），以及路径风格设置。",
    adviceKeys: "请检查访问密钥和私有密钥，并确认该密钥有权读取、写入、列出和删除此存储桶中的内容。",
    adviceBucket: "请在提供商处创建存储桶，或更正其名称或路径风格设置。",
    adviceRegion: "请将区域和端点更正为存储桶所在的区域和端点。",
    adviceSpace: "请清理存储空间或提高配额。",
    adviceRetry: "请稍后重试。",
    adviceNotS3: "请确认端点是 S3 接口，而不是控制台或网站。",
    healthy: "一切正常。",
    advised: "一切正常。建议查看：{steps}。",
    failures: "以下检查失败：{steps}。",
    notCleaned: "未能删除测试文件 {file}。",
  },
};

type Dictionary = { readonly [Part in keyof typeof en]: Readonly<Record<keyof (typeof en)[Part], string>> };

const dictionaries: Readonly<Record<Language, Dictionary>> = { en, zh };

export type Word = keyof typeof en.sentences;

/** A sentence in no language yet: a failure, or a word with the values of its gaps. */
type Phrase = Failure | { readonly word: Word; readonly details: FailureDetails };

/** The result of one check. */
export interface Result {
  /** `notNeeded` has no meaning for this storage; `notTried` had no chance because of what failed before. */
  readonly outcome: "passed" | "failed" | "notNeeded" | "notTried";
  readonly found: Phrase;
  readonly advice?: Word | undefined;
  /** Of `list`: the number of files in the default folder, at most 1,000. */
  readonly count?: number;
  /** Of `cors`: the answer to the preflight; each header at most 200 characters. */
  readonly preflight?: Preflight;
}

export type Preflight = { readonly statusCode: number } & Readonly<
  Record<"allowOrigin" | "allowMethods" | "allowHeaders" | "maxAge", string | null>
>;

const resultOf =
  (outcome: Result["outcome"]) =>
  (word: Word, details: FailureDetails = {}, advice?: Word): Result => ({ outcome, found: { word, details }, advice });

export const passed = resultOf("passed");
export const failed = resultOf("failed");
export const notNeeded = resultOf("notNeeded");
export const notTried = resultOf("notTried");

const adviceByCode: Partial<Readonly<Record<FailureCode, Word>>> = {
  "storage.unreachable": "adviceEndpoint",
  "storage.addressRefused": "adviceEndpoint",
  "storage.refused": "adviceKeys",
  "storage.bucketMissing": "adviceBucket",
  "storage.region": "adviceRegion",
  "storage.clock": "adviceClock",
  "storage.full": "adviceSpace",
  "storage.busy": "adviceRetry",
  "storage.broken": "adviceNotS3",
};

/** The result of a check that ended with a failure of the store. */
export const failedWith = (failure: Failure): Result => ({
  outcome: "failed",
  found: failure,
  advice: adviceByCode[failure.code],
});

/** Makes sentences in one language. */
export function speak(language: Language) {
  const { names, sentences, between } = dictionaries[language];
  return {
    nameOf: (id: Examination): string => names[id],
    tell: (phrase: Phrase): string =>
      phrase instanceof Failure ? sentence(phrase, language) : filled(sentences[phrase.word], phrase.details),
    list: (ids: readonly Examination[]): string => ids.map((id) => names[id]).join(between.words),
    join: (parts: readonly string[]): string => parts.join(between.sentences),
  };
}
