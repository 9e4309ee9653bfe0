import { Failure, type FailureCode, type FailureDetails } from "#contract/failures";
import { filled, type Language, sentence } from "#contract/messages/sentence";
import type { Examination } from "#contract/storage";

type Words = Readonly<Record<Language, string>>;

const names: Readonly<Record<Examination, Words>> = {
  write: { en: "Write", zh: "写入" },
  head: { en: "Properties", zh: "读取属性" },
  read: { en: "Read", zh: "读取" },
  range: { en: "Read a part", zh: "分段读取" },
  list: { en: "List", zh: "列出文件" },
  copy: { en: "Copy", zh: "复制" },
  multipart: { en: "Upload in parts", zh: "分片上传" },
  delete: { en: "Delete", zh: "删除" },
  cors: { en: "Uploads from the browser (CORS)", zh: "浏览器直传（CORS）" },
  etag_exposed: { en: "ETag visible to the browser", zh: "浏览器可读取 ETag" },
  clock_skew: { en: "Clocks", zh: "时钟偏差" },
  path_style: { en: "Path style", zh: "路径风格" },
  public: { en: "Reachable by browsers", zh: "浏览器可达性" },
};

const words = {
  written: { en: "A file of {size} was written.", zh: "已写入 {size} 的文件。" },
  described: { en: "Size, type and ETag are told rightly.", zh: "大小、类型和 ETag 均正确。" },
  undescribed: {
    en: "The storage tells another size or type than those of the file that was written.",
    zh: "存储返回的大小或类型与写入的文件不符。",
  },
  same: { en: "What was read is what was written.", zh: "读取的内容与写入的一致。" },
  other: { en: "What was read is not what was written.", zh: "读取的内容与写入的不一致。" },
  gone: { en: "The file that was just written is not there.", zh: "刚写入的文件不存在。" },
  listed: { en: "Files in the default folder: {count}.", zh: "默认文件夹中有 {count} 个文件。" },
  listedMany: { en: "Files in the default folder: {count} or more.", zh: "默认文件夹中至少有 {count} 个文件。" },
  unlisted: {
    en: "The list does not have the file that was just written.",
    zh: "列表中没有刚写入的文件。",
  },
  copied: { en: "A copy was made within the storage.", zh: "已在存储内部完成复制。" },
  joined: { en: "A file of {size} went up in two parts.", zh: "已分两片上传 {size} 的文件。" },
  removed: { en: "The files are gone again.", zh: "文件已删除。" },
  remained: { en: "A file is still there after it was deleted.", zh: "删除之后文件仍然存在。" },
  inconsistent: {
    en: "Look for a cache or a proxy before the storage that changes or keeps answers.",
    zh: "请检查存储前面是否有会修改或缓存响应的代理或缓存。",
  },

  corsAllowed: { en: "Pages of {origin} may upload to the bucket.", zh: "来自 {origin} 的页面可以上传到该存储桶。" },
  corsNone: {
    en: "The bucket does not let pages of {origin} upload (HTTP {status}, without Access-Control-Allow-Origin).",
    zh: "存储桶不允许来自 {origin} 的页面上传（HTTP {status}，缺少 Access-Control-Allow-Origin）。",
  },
  corsOrigin: {
    en: "The bucket lets pages of another origin upload, not those of {origin}.",
    zh: "存储桶只允许其他来源的页面上传，不允许 {origin}。",
  },
  corsMethod: { en: "The bucket does not let pages use PUT.", zh: "存储桶不允许页面使用 PUT 方法。" },
  corsHeader: {
    en: "The bucket does not let pages send Content-Type.",
    zh: "存储桶不允许页面发送 Content-Type 请求头。",
  },
  corsAdvice: {
    en: "Set the CORS rules of the bucket, here or at the provider. Until then, uploads pass through this server, and shares need use_proxy to be previewed.",
    zh: "请在此处或提供商控制台设置存储桶的 CORS 规则。在此之前，上传会经由本服务器中转，分享需开启代理访问（use_proxy）才能预览。",
  },
  etagVisible: { en: "Pages can read the ETag of what they upload.", zh: "页面可以读取所上传内容的 ETag。" },
  etagHidden: {
    en: "Pages cannot read the ETag of what they upload.",
    zh: "页面无法读取所上传内容的 ETag。",
  },
  etagAdvice: {
    en: "Have the CORS rules of the bucket expose ETag, here or at the provider; uploads in parts need it.",
    zh: "请在此处或提供商控制台的 CORS 规则中暴露 ETag，分片上传需要它。",
  },
  pagePut: {
    en: "An upload as a page does it is refused (HTTP {status}).",
    zh: "以页面方式上传时被拒绝（HTTP {status}）。",
  },
  pagePutHidden: {
    en: "The storage takes an upload of pages of {origin}, but does not let them see that it did.",
    zh: "存储接受了来自 {origin} 页面的上传，但不允许页面读取结果。",
  },

  clockSame: { en: "The clocks differ by {seconds} s.", zh: "时钟相差 {seconds} 秒。" },
  clockUnknown: { en: "The storage does not tell its time.", zh: "存储未返回其时间。" },
  clockAdvice: {
    en: "Have this server's clock set by the network (NTP): from 15 minutes on, the storage refuses everything.",
    zh: "请通过网络时间协议（NTP）校准本服务器的时钟：相差达到 15 分钟后，存储会拒绝所有请求。",
  },

  styleOnlyPath: {
    en: "The bucket answers in the path only, as configured.",
    zh: "存储桶只支持路径风格，与配置一致。",
  },
  styleOnlyHost: {
    en: "The bucket answers before the host's name only, as configured.",
    zh: "存储桶只支持虚拟主机风格，与配置一致。",
  },
  styleBoth: {
    en: "The bucket answers in both styles; the configured one can stay.",
    zh: "存储桶支持两种风格，无需更改配置。",
  },
  styleWrongPath: {
    en: "The bucket answers before the host's name, but not in the path.",
    zh: "存储桶支持虚拟主机风格，但不支持路径风格。",
  },
  styleWrongHost: {
    en: "The bucket answers in the path, but not before the host's name.",
    zh: "存储桶支持路径风格，但不支持虚拟主机风格。",
  },
  styleNeither: { en: "The bucket answers in neither style.", zh: "存储桶在两种风格下均无响应。" },
  styleUnknown: {
    en: "Which style is right shows once the storage grants access.",
    zh: "存储允许访问后才能判断应使用哪种风格。",
  },
  styleFixedPath: {
    en: "With this endpoint and bucket, the name can only stand in the path.",
    zh: "使用此端点和存储桶名称时，只能采用路径风格。",
  },
  styleFixedHost: {
    en: "This provider takes the bucket before the host's name only.",
    zh: "该提供商只支持虚拟主机风格。",
  },
  stylePathOff: { en: "Turn path style off.", zh: "请关闭路径风格。" },
  stylePathOn: { en: "Turn path style on.", zh: "请开启路径风格。" },

  publicYes: { en: "{host} is a public name or address.", zh: "{host} 是公开的域名或地址。" },
  publicLoopback: { en: "{host} is this machine itself.", zh: "{host} 指向本机。" },
  publicPrivate: { en: "{host} is an address of a private network.", zh: "{host} 是私有网络地址。" },
  publicLeads: {
    en: "{host} leads to addresses of a private network only ({addresses}).",
    zh: "{host} 只解析到私有网络地址（{addresses}）。",
  },
  publicUnresolved: {
    en: "{host} is a public name by its looks; this server could not look up its addresses.",
    zh: "{host} 看起来是公开的域名，但本服务器未能解析其地址。",
  },
  publicName: { en: "{host} is a name of a local network only.", zh: "{host} 是仅在本地网络中有效的名称。" },
  publicPlain: {
    en: "The endpoint is http, and browsers refuse it to a page that came by https.",
    zh: "端点使用 http，浏览器会拒绝 https 页面对它的访问。",
  },
  publicAdvice: {
    en: "Browsers elsewhere cannot reach it: turn on use_proxy for shares, so that files pass through this server. Uploads do so by themselves.",
    zh: "其他网络中的浏览器无法访问：请为分享开启代理访问（use_proxy），由本服务器转发文件。上传会自动中转。",
  },
  publicPlainAdvice: {
    en: "Give the endpoint https, or turn on use_proxy for shares. Uploads pass through this server by themselves.",
    zh: "请为端点启用 https，或为分享开启代理访问（use_proxy）。上传会自动经由本服务器中转。",
  },

  builtIn: {
    en: "Not needed: the built-in storage is this server itself.",
    zh: "无需检查：内置存储就是本服务器。",
  },
  after: { en: "Not tried, because this failed: {step}.", zh: "未检查：“{step}”失败。" },
  late: { en: "Not tried, because the test had taken too long.", zh: "未检查：测试耗时过长。" },
  unforeseen: {
    en: "Something unforeseen happened; the server's log tells more.",
    zh: "发生了意外错误，详情见服务器日志。",
  },

  fixEndpoint: {
    en: "Check the endpoint, whether this server may reach it (firewall, proxy), and the path style.",
    zh: "请检查端点地址、本服务器能否访问它（防火墙、代理），以及路径风格设置。",
  },
  fixKeys: {
    en: "Check access key and secret, and that the key may read, write, list and delete in this bucket.",
    zh: "请检查访问密钥和私有密钥，并确认该密钥有权读取、写入、列出和删除此存储桶中的内容。",
  },
  fixBucket: {
    en: "Create the bucket at the provider, or correct its name or the path style.",
    zh: "请在提供商处创建存储桶，或更正其名称或路径风格设置。",
  },
  fixRegion: {
    en: "Correct region and endpoint to those of the bucket.",
    zh: "请将区域和端点更正为存储桶所在的区域和端点。",
  },
  fixFull: { en: "Make room in the storage or raise its quota.", zh: "请清理存储空间或提高配额。" },
  fixBusy: { en: "Try again in a moment.", zh: "请稍后重试。" },
  fixBroken: {
    en: "Check that the endpoint is the one for S3, not a console or a website.",
    zh: "请确认端点是 S3 接口，而不是控制台或网站。",
  },

  healthy: { en: "Everything works.", zh: "一切正常。" },
  advised: { en: "Everything works. Worth a look: {steps}.", zh: "一切正常。建议查看：{steps}。" },
  ill: { en: "These checks failed: {steps}.", zh: "以下检查失败：{steps}。" },
  left: { en: "{file} could not be removed again.", zh: "未能删除测试文件 {file}。" },
} as const satisfies Record<string, Words>;

export type Word = keyof typeof words;

/** Something to say in whatever language somebody reads. */
export type Phrase = Failure | { readonly word: Word; readonly details: FailureDetails };

/** A phrase with what fills its gaps; `step` is the id of an examination. */
export const say = (word: Word, details: FailureDetails = {}): Phrase => ({ word, details });

/** What an examination is called. */
export const nameOf = (id: Examination, language: Language): string => names[id][language];

/** A phrase as a sentence. */
export function tell(phrase: Phrase, language: Language): string {
  if (phrase instanceof Failure) return sentence(phrase, language);
  const { details, word } = phrase;
  const { step } = details;
  const named = typeof step === "string" && Object.hasOwn(names, step);
  return filled(words[word][language], named ? { ...details, step: nameOf(step as Examination, language) } : details);
}

/** Names of examinations, one after the other. */
export const listOf = (ids: readonly Examination[], language: Language): string =>
  ids.map((id) => nameOf(id, language)).join(language === "zh" ? "、" : ", ");

const remedies: Partial<Readonly<Record<FailureCode, Word>>> = {
  "storage.unreachable": "fixEndpoint",
  "storage.refused": "fixKeys",
  "storage.bucketMissing": "fixBucket",
  "storage.region": "fixRegion",
  "storage.clock": "clockAdvice",
  "storage.full": "fixFull",
  "storage.busy": "fixBusy",
  "storage.broken": "fixBroken",
};

/** What to do about a failure. */
export function remedyFor({ code }: Failure): Phrase | undefined {
  const word = remedies[code];
  return word && say(word);
}
