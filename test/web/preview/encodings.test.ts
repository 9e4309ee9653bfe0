import { expect, test } from "bun:test";
import { decodeText, type EncodingName } from "#contract/text/encodings";
import { loadEncodingDetector } from "../../../web/preview/text/detect-encoding.ts";

const detect = await loadEncodingDetector();

/** Lists of names and goods, grades and poems, as programs of their countries save them. */
const texts: readonly (readonly [name: string, encoding: EncodingName, text: string])[] = [
  ["zh names", "GBK", "张伟 王芳 李娜 刘洋\n"],
  ["zh goods", "GBK", "品名,单价,数量\n苹果,3.50,120\n酱油,12.80,36\n牙膏,9.90,58\n洗衣粉,15.00,22\n"],
  ["zh grades", "GBK", "姓名,语文,数学,英语\n陈静,92,88,95\n赵磊,76,81,69\n黄丽,85,90,77\n"],
  ["zh poem", "GBK", "静夜思\n李白\n床前明月光,疑是地上霜。\n举头望明月,低头思故乡。\n"],
  ["zh titles", "GBK", "目录\n第一章 总则\n第二章 权利与义务\n第三章 附则\n"],
  ["tw names", "Big5", "陳志明 林淑芬 黃俊傑 張雅婷\n"],
  ["tw goods", "Big5", "品名,單價,數量\n鳳梨酥,35,120\n醬油,80,36\n牙膏,49,58\n烏龍茶,150,22\n"],
  ["tw grades", "Big5", "姓名,國文,數學,英文\n王小明,92,88,95\n李美玲,76,81,69\n"],
  ["tw poem", "Big5", "登鸛雀樓\n王之渙\n白日依山盡,黃河入海流。\n欲窮千里目,更上一層樓。\n"],
  ["ja names", "Shift_JIS", "佐藤健一 鈴木花子 高橋直樹\n"],
  ["ja goods", "Shift_JIS", "品名,価格,個数\n醤油,298,12\n味噌,450,8\n豆腐,98,30\n"],
  ["ja kana", "Shift_JIS", "商品名,数量\nりんご,3\nバナナ,12\nトマト,5\n"],
  ["ja poem", "Shift_JIS", "古池や\n蛙飛びこむ\n水の音\n"],
  ["ja grades", "Shift_JIS", "氏名,国語,数学\n田中太郎,82,91\n山本美咲,95,78\n"],
  ["ja names", "EUC-JP", "佐藤健一 鈴木花子 高橋直樹\n"],
  ["ja goods", "EUC-JP", "品名,価格,個数\n醤油,298,12\n味噌,450,8\n豆腐,98,30\n"],
  ["ja kana", "EUC-JP", "商品名,数量\nりんご,3\nバナナ,12\nトマト,5\n"],
  ["ja poem", "EUC-JP", "古池や\n蛙飛びこむ\n水の音\n"],
  ["ko names", "EUC-KR", "김민수 이영희 박지훈 최수진\n"],
  ["ko goods", "EUC-KR", "품명,단가,수량\n사과,1500,20\n간장,3200,12\n치약,2500,30\n"],
  ["ko grades", "EUC-KR", "이름,국어,수학\n김철수,92,88\n이영희,76,95\n"],
  ["ko poem", "EUC-KR", "나 보기가 역겨워\n가실 때에는\n말없이 고이 보내 드리우리다\n"],
  ["ru names", "Windows-1251", "Иван Петров, Анна Смирнова\n"],
  ["ru goods", "Windows-1251", "Товар;Цена;Кол-во\nЯблоки;89,90;120\nХлеб;45,00;36\nМасло;159,00;58\n"],
  [
    "ru poem",
    "Windows-1251",
    "Я помню чудное мгновенье:\nПередо мной явилась ты,\nКак мимолётное виденье,\nКак гений чистой красоты.\n",
  ],
  ["ru names", "KOI8-R", "Иван Петров, Анна Смирнова\n"],
  ["ru goods", "KOI8-R", "Товар;Цена;Кол-во\nЯблоки;89,90;120\nХлеб;45,00;36\nМасло;159,00;58\n"],
  [
    "ru poem",
    "KOI8-R",
    "Я помню чудное мгновенье:\nПередо мной явилась ты,\nКак мимолётное виденье,\nКак гений чистой красоты.\n",
  ],
  ["fr names", "Windows-1252", "Zoé Lefèvre, André Müller\n"],
  ["de goods", "Windows-1252", "Artikel;Preis;Menge\nÄpfel;2,50 €;120\nBrötchen;0,35 €;36\nKäse;4,99 €;58\n"],
  [
    "fr poem",
    "Windows-1252",
    "Sous le pont Mirabeau coule la Seine\nEt nos amours\nFaut-il qu’il m’en souvienne\nLa joie venait toujours après la peine\n",
  ],
  ["es list", "Windows-1252", "niño, mañana, corazón, español\n"],
  [
    "cs poem",
    "Windows-1250",
    "Byl pozdní večer – první máj –\nvečerní máj – byl lásky čas.\nHrdliččin zval ku lásce hlas,\nkde borový zaváněl háj.\n",
  ],
  ["pl names", "Windows-1250", "Łukasz Wójcik, Małgorzata Śliwińska\n"],
  ["el poem", "ISO-8859-7", "Σα βγεις στον πηγαιμό για την Ιθάκη,\nνα εύχεσαι νάναι μακρύς ο δρόμος\n"],
  ["el goods", "ISO-8859-7", "Είδος;Τιμή\nψωμί;1,20\nγάλα;1,65\nελαιόλαδο;8,90\n"],
  ["ar poem", "Windows-1256", "قفا نبك من ذكرى حبيب ومنزل\nبسقط اللوى بين الدخول فحومل\n"],
  ["ar goods", "Windows-1256", "الصنف,السعر\nخبز,5\nحليب,12\nزيت,30\n"],
];

/** Which bytes stand for a character, found by reading all that an encoding has in one or two bytes. */
function lettersOf(encoding: EncodingName): Map<string, readonly number[]> {
  const letters = new Map<string, readonly number[]>();
  const decoder = new TextDecoder(encoding);
  const add = (...bytes: number[]) => {
    const text = decoder.decode(Uint8Array.from(bytes));
    if (!text.includes("\ufffd") && [...text].length === 1 && !letters.has(text)) letters.set(text, bytes);
  };
  for (let one = 0; one < 256; one += 1) add(one);
  for (let lead = 0x81; lead < 255; lead += 1) for (let trail = 0x40; trail < 255; trail += 1) add(lead, trail);
  return letters;
}

const known = new Map<EncodingName, ReturnType<typeof lettersOf>>();

function encode(text: string, encoding: EncodingName): Uint8Array {
  const letters = known.get(encoding) ?? lettersOf(encoding);
  known.set(encoding, letters);
  const bytesOf = (letter: string) => {
    const bytes = letters.get(letter);
    if (!bytes) throw new Error(`${encoding} has no ${letter}.`);
    return bytes;
  };
  return Uint8Array.from([...text].flatMap(bytesOf));
}

const read = (bytes: Uint8Array) => decodeText(bytes, detect(bytes));

test.each(texts.map((row) => [...row]))("%s in %s are read", (_, encoding, text) => {
  expect(read(encode(text, encoding))).toBe(text);
});

/** A few words each, of which nobody can tell all: how many are read, with and without an end of the line. */
test.each([
  [
    "GBK",
    18,
    "你好|你好，世界|测试|中文|测试文件|姓名|会议纪要|请查收附件|明天下午三点开会|北京|价格：100元|账号 admin 密码 123|第一章|谢谢|照片|新建文本文档|地址：上海市|好的|作业|电话",
  ],
  [
    "Big5",
    11,
    "你好|測試|中文|測試文件|會議記錄|請查收附件|明天下午三點開會|臺北|價格：100元|謝謝|照片|新增文字文件|好的|電話|作業",
  ],
  [
    "Shift_JIS",
    12,
    "こんにちは|テスト|日本語|会議|東京都|ありがとう|写真|メモ|電話番号|明日三時に会議|価格100円|はい|お知らせ|資料",
  ],
  [
    "Windows-1251",
    14,
    "Привет|Тест|Привет, мир|Москва|Спасибо|Цена 100 руб|Да|Заметки|Фото|Завтра в три|Имя|Адрес|Список покупок|Пароль 123|Отчёт",
  ],
  ["Windows-1252", 15, "café|Größe|déjà vu|naïve|señor|Müller|Straße|für|São Paulo|Zoë|garçon|Übung|5 €|L’été|Ærø"],
] as const)("of short texts in %s, %d are read", (encoding, least, words) => {
  for (const end of ["", "\n"]) {
    const wrong = words.split("|").filter((text) => read(encode(text + end, encoding)) !== text + end);
    expect(wrong.length).toBe(words.split("|").length - least);
  }
});

const row = (head: string, cells: readonly string[]) =>
  head + Array.from({ length: 5000 }, (_, at) => `${10_000 + at},${cells[at % cells.length]},${at * 7}.00\n`).join("");

test.each([
  ["GBK", row("编号,姓名,金额\n", ["王伟,北京市朝阳区", "李芳,上海市浦东新区", "张敏,广东省深圳市"])],
  ["Big5", row("編號,姓名,金額\n", ["陳志明,臺北市大安區", "林淑芬,高雄市左營區"])],
  ["Shift_JIS", row("番号,氏名,金額\n", ["佐藤太郎,東京都新宿区", "鈴木花子,大阪府大阪市"])],
  ["EUC-KR", row("번호,이름,금액\n", ["김민수,서울특별시", "이영희,부산광역시"])],
  ["Windows-1251", row("Номер,Имя,Сумма\n", ["Иван Петров,Москва", "Анна Смирнова,Казань"])],
] as const)("a long table in %s is read", (encoding, text) => {
  const bytes = encode(text, encoding);
  expect(bytes.length).toBeGreaterThan(130_000);
  expect(read(bytes)).toBe(text);
});

test("characters of four bytes are read", () => {
  const bytes = Uint8Array.from(
    Buffer.from("d5e2cac7d2bbb8f6b2e2cad4cec4bcfea3acc0efc3e6b5c4d7d6b6bccac7d6d0cec4a1a38139ee39", "hex"),
  );
  expect(read(bytes)).toBe("这是一个测试文件，里面的字都是中文。㐀");
});

/** A text in UTF-16, with or without its mark. */
function wide(text: string, big: boolean, mark = false): Uint8Array {
  const units = `${mark ? "\ufeff" : ""}${text}`;
  const view = new DataView(new ArrayBuffer(units.length * 2));
  for (let index = 0; index < units.length; index += 1) view.setUint16(index * 2, units.charCodeAt(index), !big);
  return new Uint8Array(view.buffer);
}

test.each([
  ["with plain letters", "中文 ✓ 🙂 and a longer line of plain letters"],
  ["with a line end alone", "床前明月光，疑是地上霜。\n举头望明月，低头思故乡。\n"],
])("a text %s is read in every form of Unicode", (_, text) => {
  for (const big of [true, false]) for (const mark of [true, false]) expect(read(wide(text, big, mark))).toBe(text);
  expect(read(new TextEncoder().encode(text))).toBe(text);
  expect(read(new TextEncoder().encode(`\ufeff${text}`))).toBe(text);
});

test("a stray zero makes no UTF-16, and nothing is nothing", () => {
  expect(detect(new TextEncoder().encode(`${"plain letters ".repeat(20)}\0${"and more".repeat(20)}`))).not.toStartWith(
    "UTF-16",
  );
  expect(read(new Uint8Array())).toBe("");
});
