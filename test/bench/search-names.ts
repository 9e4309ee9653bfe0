import { compareBytes } from "#contract/paths";

/** A file as a storage lists it. */
export interface ListedFile {
  readonly key: string;
  readonly size: number;
  readonly modified: number;
}

const words =
  "annual report invoice budget meeting notes draft final contract photo holiday family project plan design review backup archive summary presentation customer supplier order delivery price list manual guide letter scan receipt travel hotel flight ticket passport insurance house garden kitchen recipe music video lecture chapter thesis paper figure table data model training sample test release build config server client module package index readme license change log error trace".split(
    " ",
  );
const chinese =
  "年度报告 合同 发票 会议纪要 照片 项目计划 设计稿 客户资料 财务报表 备份 培训材料 产品说明书 旅行 家庭 毕业论文 课程表 通知 名单 申请表 简历 工资单 采购订单 送货单 价格表 用户手册".split(
    " ",
  );
const endings = "pdf docx xlsx pptx jpg png txt md zip csv mp4 ts json".split(" ");

/** Numbers below a bound that come again with each run. */
function createDice(seed: number) {
  let state = seed;
  return (sides: number): number => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296) * sides);
  };
}

const padded = (value: number, digits: number) => String(value).padStart(digits, "0");

/** Files of cameras, offices and people in about seven thousand folders, in the order of their keys. */
export function listedFiles(count: number): ListedFile[] {
  const dice = createDice(7);
  const any = (texts: readonly string[]) => texts[dice(texts.length)] ?? "";
  const files: ListedFile[] = [];
  const nameIn = (style: number, year: number, number: number): string => {
    if (style < 35) return `IMG_${year}${padded(1 + dice(12), 2)}${padded(1 + dice(28), 2)}_${100_000 + number}.jpg`;
    if (style < 50) return `DSC_${padded(number, 5)}.JPG`;
    if (style < 70) return `${any(chinese)}${year}年${1 + (number % 12)}月${number}.${any(endings)}`;
    return `${any(words)} ${any(words)}${dice(3) ? "" : ` ${any(words)}`} ${number} v${1 + dice(9)}.${any(endings)}`;
  };
  for (let folder = 1; files.length < count; folder++) {
    const year = 2010 + dice(16);
    const path = `${any(words)}s/${year}/${dice(3) ? any(words) : any(chinese)}-${folder}`;
    const [style, first, size] = [dice(100), dice(9000), 20 + dice(300)];
    for (let index = 0; index < size && files.length < count; index++) {
      const key = `${path}/${nameIn(style, year, first + index)}`;
      files.push({ key, size: dice(1e6), modified: 1.6e12 + dice(1e11) });
    }
  }
  const inOrder = files.map((file) => ({ file, bytes: Buffer.from(file.key) }));
  return inOrder.sort((one, other) => Buffer.compare(one.bytes, other.bytes)).map(({ file }) => file);
}

/** The same files without an object for each: the collector would hold the event loop for a million of them. */
export function packed(files: readonly ListedFile[]) {
  const { length } = files;
  const starts = new Uint32Array(length + 1);
  const numbers = new Float64Array(2 * length);
  files.forEach(({ key, size, modified }, index) => {
    starts[index + 1] = (starts[index] ?? 0) + Buffer.byteLength(key);
    numbers.set([size, modified], 2 * index);
  });
  const bytes = Buffer.allocUnsafe(starts[length] ?? 0);
  files.forEach(({ key }, index) => {
    bytes.write(key, starts[index] ?? 0);
  });
  const at = (index: number): ListedFile => ({
    key: bytes.toString("utf8", starts[index], starts[index + 1]),
    size: numbers[2 * index] ?? 0,
    modified: numbers[2 * index + 1] ?? 0,
  });
  return {
    length,
    at,
    /** So many files behind a key. */
    after(key: string, limit: number): ListedFile[] {
      let [low, high] = [0, length];
      while (low < high) {
        const middle = (low + high) >> 1;
        if (compareBytes(at(middle).key, key) <= 0) low = middle + 1;
        else high = middle;
      }
      return Array.from({ length: Math.min(limit, length - low) }, (_, index) => at(low + index));
    },
  };
}

export type PackedFiles = ReturnType<typeof packed>;

/** What people look for: words with few hits and with very many, beginnings, two letters, Chinese, and what is not there. */
export const queries =
  "img|img_2023|report|annual report|报告|合同|年度报告2019|qx|v3|xyzzy|img_20230101_1|invoice draft final|12月|pdf|mp4|dsc_0|photo|jp|合同2015年1月3.pdf|contract 17|kitchen-|passport scan|IMG_20191231|zz top|会议|毕业论文|readme|thesis v9|tes|ck".split(
    "|",
  );
