import { type EncodingName, fits, SAMPLE, toldEncoding } from "./encodings.ts";

/** The encoding that a text is most likely written in. */
export function guessEncoding(bytes: Uint8Array): EncodingName {
  const told = toldEncoding(bytes);
  if (told) return told;
  const sample = bytes.subarray(0, SAMPLE);
  const whole = sample.length === bytes.length;
  const wide = zeros(sample);
  if (wide) return wide;
  if (fits(sample, "UTF-8", whole) !== undefined) return "UTF-8";
  const guesses = candidates.map(({ name, typical }) => {
    const text = fits(sample, name, whole);
    return { name, score: text === undefined ? -1 : shareOf(text, typical) };
  });
  const best = guesses.reduce((one, other) => (other.score > one.score ? other : one));
  return best.score > 0.15 ? best.name : "Windows-1252";
}

/** UTF-16 without a mark: every other byte of a text with spaces and line ends is zero. */
function zeros(sample: Uint8Array): EncodingName | undefined {
  const counts = [0, 0];
  for (const [index, byte] of sample.entries()) if (byte === 0) counts[index % 2] = (counts[index % 2] ?? 0) + 1;
  const [even = 0, odd = 0] = counts;
  const many = sample.length / 8;
  if (odd > many && odd > even * 4) return "UTF-16LE";
  return even > many && even > odd * 4 ? "UTF-16BE" : undefined;
}

/** The most frequent characters of each language: a text in it is full of them, one that was read wrongly is not. */
const candidates: readonly { readonly name: EncodingName; readonly typical: RegExp }[] = [
  {
    name: "GB18030",
    typical:
      /[的一是不了在人有我他这个们中来上大为和国地到以说时要就出会可也你对生能而子那得于着下自之年过发后作里用道行所然家种事成方多经么去法学如都同现当没动面起看定天分还进好小部其些主样理心她本前开但因只从想实日军者意无力它与长把机十民第公此已工使情明性知全三又关点正业外将两高间由问很最重并物手应战向头文体政美相见被利什二等产或新己制身果加西斯月话合回特代内信表化老给世位次度门任常先海通教儿原东声提立及比员解水名真论处走义各入几口认条平系气题活尔更别打女变四神总何电数安少报才结反受目太量再感建务做接必场件计管期市直德资命山金指克许统区保至队形社便空决治展马科司五基眼书非则听白却界达光放强即像难且权思王象完设式色路记南品住告类求据程北边死张该交规万取拉格望觉术领共确传师观清今切院让识候带导争运，。、：；（）]/u,
  },
  {
    name: "Big5",
    typical:
      /[的一是不了在人有我他這個們中來上大為和國地到以說時要就出會可也你對生能而子那得於著下自之年過發後作裡用道行所然家種事成方多經麼去法學如都同現當沒動面起看定天分還進好小部其些主樣理心她本前開但因只從想實日者意無力它與長把機民第公此已使情明性知全三又關點正業外將兩高間由問很最重並物手應向頭文體政美相見被利什二等產或新己制身果加月話合回特代內信表化老給世位次度門任常先海通教兒原東聲提立及比員解水名真論處走義各入幾口認條平系氣題活更別打女變四神總何電數安少報才結反受目太量再感建務做接必場件計管期市直資命山金指許統區保至形社便空決治展馬科司五基書非則聽白卻界達光放強即像難且權思王完設式色路記南品住告類求據程北邊該交規萬取望覺術領共確傳師觀清今讓識帶導爭運，。、：；「」]/u,
  },
  { name: "Shift_JIS", typical: /[\u3041-\u3096\u30a1-\u30fa、。]/u },
  { name: "EUC-JP", typical: /[\u3041-\u3096\u30a1-\u30fa、。]/u },
  {
    name: "EUC-KR",
    typical:
      /[이다는의가을에고하로한지도를사기어자은리인시대서해나일아정보수라부여스장전주그들게원국상있만구성동제으치간문공신관조과화연무비세]/u,
  },
  { name: "Windows-1251", typical: /[оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфъё]/u },
  { name: "KOI8-R", typical: /[оеаинтсрвлкмдпуяыьгзбчйхжшюцщэфъё]/u },
  { name: "ISO-8859-7", typical: /[αοιετσνηυρπκμλωδγθςφβχξζψάέήίόύώ]/u },
  { name: "Windows-1256", typical: /[اليمونرتبةعدسفهكقحجشصأطخىذثضزغإءئظؤآ]/u },
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
