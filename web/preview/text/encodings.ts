/** Encodings of texts, by the names that browsers know (Encoding Standard); `ascii` is read as the first of the western ones. */
export const encodings = [
  { label: "UTF-8", name: "utf-8" },
  { label: "UTF-16 LE", name: "utf-16le" },
  { label: "UTF-16 BE", name: "utf-16be" },
  { label: "GB18030", name: "gb18030" },
  { label: "GBK", name: "gbk" },
  { label: "GB2312", name: "gb2312" },
  { label: "Big5", name: "big5" },
  { label: "Shift_JIS", name: "shift_jis" },
  { label: "EUC-JP", name: "euc-jp" },
  { label: "EUC-KR", name: "euc-kr" },
  { label: "ISO-8859-1", name: "iso-8859-1" },
  { label: "ISO-8859-2", name: "iso-8859-2" },
  { label: "ISO-8859-5", name: "iso-8859-5" },
  { label: "ISO-8859-6", name: "iso-8859-6" },
  { label: "ISO-8859-7", name: "iso-8859-7" },
  { label: "ISO-8859-8", name: "iso-8859-8" },
  { label: "ISO-8859-15", name: "iso-8859-15" },
  { label: "Windows-1250", name: "windows-1250" },
  { label: "Windows-1251", name: "windows-1251" },
  { label: "Windows-1252", name: "windows-1252" },
  { label: "Windows-1256", name: "windows-1256" },
  { label: "KOI8-R", name: "koi8-r" },
  { label: "ASCII", name: "ascii" },
] as const;

export type EncodingName = (typeof encodings)[number]["name"];

/** How much of a text is looked at to guess its encoding, in bytes. */
const SAMPLE = 64 * 1024;

/** Byte order marks at the beginning of a text (Unicode 16, section 23.8). */
const marks: readonly { readonly name: EncodingName; readonly bytes: readonly number[] }[] = [
  { name: "utf-8", bytes: [0xef, 0xbb, 0xbf] },
  { name: "utf-16le", bytes: [0xff, 0xfe] },
  { name: "utf-16be", bytes: [0xfe, 0xff] },
];

/** The text that these bytes are; what does not fit is shown as the sign for that. */
export const decodeText = (bytes: Uint8Array, name: EncodingName): string => new TextDecoder(name).decode(bytes);

/** The encoding that a text is most likely written in. */
export function guessEncoding(bytes: Uint8Array): EncodingName {
  const marked = marks.find((mark) => mark.bytes.every((byte, index) => bytes[index] === byte));
  if (marked) return marked.name;
  const sample = bytes.subarray(0, SAMPLE);
  const whole = sample.length === bytes.length;
  const wide = zeros(sample);
  if (wide) return wide;
  if (fits(sample, "utf-8", whole) !== undefined) return "utf-8";
  const guesses = candidates.map(({ name, typical }) => {
    const text = fits(sample, name, whole);
    return { name, score: text === undefined ? -1 : shareOf(text, typical) };
  });
  const best = guesses.reduce((one, other) => (other.score > one.score ? other : one));
  return best.score > 0.15 ? best.name : "windows-1252";
}

/** UTF-16 without a mark: every other byte of a text with spaces and line ends is zero. */
function zeros(sample: Uint8Array): EncodingName | undefined {
  const counts = [0, 0];
  for (const [index, byte] of sample.entries()) if (byte === 0) counts[index % 2] = (counts[index % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = counts;
  const many = sample.length / 8;
  if (odd > many && odd > even * 4) return "utf-16le";
  return even > many && even > odd * 4 ? "utf-16be" : undefined;
}

/** The text if the bytes are one in this encoding. The last character of a sample may be cut in half. */
function fits(bytes: Uint8Array, name: EncodingName, whole: boolean): string | undefined {
  try {
    return new TextDecoder(name, { fatal: true }).decode(bytes, { stream: !whole });
  } catch {
    return undefined;
  }
}

/** The most frequent characters of each language: a text in it is full of them, one that was read wrongly is not. */
const candidates: readonly { readonly name: EncodingName; readonly typical: RegExp }[] = [
  {
    name: "gb18030",
    typical:
      /[的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发后作里用道行所然家种事成方多经么去法学如都同现当没动面起看定天分还进好小部其些主样理心她本前开但因只从想实日军者意无力它与长把机十民第公此已工使情明性知全三又关点正业外将两高间由问很最重并物手应战向头文体政美相见被利什二等产或新己制身果加西斯月话合回特代内信表化老给世位次度门任常先海通教儿原东声提立及比员解水名真论处走义各入几口认条平系气题活尔更别打女变四神总何电数安少报才结反受目太量再感建务做接必场件计管期市直德资命山金指克许统区保至队形社便空决治展马科司五基眼书非则听白却界达光放强即像难且权思王象完设式色路记南品住告类求据程北边死张该交规万取拉格望觉术领共确传师观清今切院让识候带导争运，。、：；（）]/u,
  },
  {
    name: "big5",
    typical:
      /[的一是不了在人有我他這個們中來上大為和國地到以說時要就出會可也你對生能而子那得於著下自之年過發後作裡用道行所然家種事成方多經麼去法學如都同現當沒動面起看定天分還進好小部其些主樣理心她本前開但因只從想實日者意無力它與長把機民第公此已使情明性知全三又關點正業外將兩高間由問很最重並物手應向頭文體政美相見被利什二等產或新己制身果加月話合回特代內信表化老給世位次度門任常先海通教兒原東聲提立及比員解水名真論處走義各入幾口認條平系氣題活更別打女變四神總何電數安少報才結反受目太量再感建務做接必場件計管期市直資命山金指許統區保至形社便空決治展馬科司五基書非則聽白卻界達光放強即像難且權思王完設式色路記南品住告類求據程北邊該交規萬取望覺術領共確傳師觀清今讓識帶導爭運，。、：；「」]/u,
  },
  { name: "shift_jis", typical: /[\u3041-\u3096\u30a1-\u30fa、。]/u },
  { name: "euc-jp", typical: /[\u3041-\u3096\u30a1-\u30fa、。]/u },
  {
    name: "euc-kr",
    typical:
      /[이다는의가을에고하로한지도를사기어자은리인시대서해나일아정보수라부여스장전주그들게원국상있만구성동제으치간문공신관조과화연무비세]/u,
  },
  { name: "windows-1251", typical: /[оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфъё]/u },
  { name: "koi8-r", typical: /[оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфъё]/u },
  { name: "iso-8859-7", typical: /[αοιετσνηυρπκμλωδγθςφβχξζψάέήίόύώ]/u },
  { name: "windows-1256", typical: /[اليمونرتبةعدسفهكقحجشصأطخىذثضزغإءئظؤآ]/u },
];

/** Characters that are no ASCII, in a row and on average: accents of western languages stand alone, other scripts do not. */
const LEAST_RUN = 1.8;

/** How much of what is no ASCII is typical, from 0 to 1; what nobody writes counts against it. */
function shareOf(text: string, typical: RegExp): number {
  let foreign = 0;
  let runs = 0;
  let known = 0;
  let before = "";
  for (const character of text) {
    const runsOn = before >= "\x80";
    before = character;
    if (character < "\x80") continue;
    foreign += 1;
    if (!runsOn) runs += 1;
    if (typical.test(character)) known += 1;
    // Private characters, boxes, half-width kana: what a wrong reading is full of.
    else if (/[\ue000-\uf8ff\u2500-\u257f\uff61-\uff9f\u0080-\u009f]/u.test(character)) known -= 1;
  }
  return runs === 0 || foreign / runs < LEAST_RUN ? 0 : known / foreign;
}
