import { expect, test } from "bun:test";
import type { Page } from "playwright-core";
import { seen, startJourney, until } from "../../support/browser/journey.ts";

/** Texts in every encoding that a reader can choose: as bytes, and as what is to be read. */

const journey = await startJourney();

const samples: readonly (readonly [encoding: string, bytes: string, text: string])[] = [
  ["UTF-8", "6e61c3af766520e6b58be8af9520d182d0b5d181d182", "naïve 测试 тест"],
  ["UTF-16LE", "50006c00610069006e00200077006f00720064007300200061006e00640020004b6dd58b", "Plain words and 测试"],
  ["UTF-16BE", "0050006c00610069006e00200077006f00720064007300200061006e006400206d4b8bd5", "Plain words and 测试"],
  [
    "GB18030",
    "d5e2cac7d2bbb8f6b2e2cad4cec4bcfea3acc0efc3e6b5c4d7d6b6bccac7d6d0cec4a1a38139ee39",
    "这是一个测试文件，里面的字都是中文。㐀",
  ],
  ["GBK", "df40cac7d2bb8280b2e2cad4a3acd6ece946bbf9", "這是一個测试，朱镕基"],
  ["GB2312", "d5e2cac7d2bbb8f6b2e2cad4cec4bcfe", "这是一个测试文件"],
  [
    "Big5",
    "b36fac4fa440add3b4fab8d5aabaa4e5a5f3a141b8ccadb1b3a3ac4fa4a4a4e5a143",
    "這是一個測試的文件，裡面都是中文。",
  ],
  ["Shift_JIS", "82b182ea82cd83658358836782c582b7814293fa967b8cea82cc95b68fcd8142", "これはテストです。日本語の文章。"],
  ["EUC-JP", "a4b3a4eca4cfa5c6a5b9a5c8a4c7a4b9a1a3c6fccbdcb8eca4cecab8becfa1a3", "これはテストです。日本語の文章。"],
  ["ISO-2022-JP", "1b24422433246c244f467c4b5c386c2447243921231b2842", "これは日本語です。"],
  [
    "EUC-KR",
    "c0ccb0cdc0ba20bdc3c7e8c0d4b4cfb4d92e20c7d1b1b9beee20b9aec0e5c0ccb4d92e",
    "이것은 시험입니다. 한국어 문장이다.",
  ],
  ["ISO-8859-1", "44e96ae02076752c20c672f82c207365f16f72", "Déjà vu, Ærø, señor"],
  ["ISO-8859-2", "ae6c75bb6f75e86bfd206bf9f22c20b3f364bc", "Žluťoučký kůň, łódź"],
  ["ISO-8859-4", "a96961756c6961692c20be656dec", "Šiauliai, žemė"],
  ["ISO-8859-5", "bfe0ded2d5e0dad020e2d5dae1e2d0", "Проверка текста"],
  ["ISO-8859-6", "e7d0c720c7cecac8c7d1", "هذا اختبار"],
  ["ISO-8859-7", "c1f5f4fc20e5dfede1e920ddede120eae5dfece5edef20e4efeae9ecdef2", "Αυτό είναι ένα κείμενο δοκιμής"],
  ["ISO-8859-8", "e6e4e520eee1e7ef", "זהו מבחן"],
  ["ISO-8859-15", "353020a42c20bd757672652c20a66962656e696b", "50 €, œuvre, Šibenik"],
  ["Windows-1250", "50f8ed6c699a209e6c759d6f75e86bfd206bf9f22c2080", "Příliš žluťoučký kůň, €"],
  [
    "Windows-1251",
    "ddf2ee20eff0eee2e5f0eae020f2e5eaf1f2e020ede020f0f3f1f1eaeeec20ffe7fbeae5",
    "Это проверка текста на русском языке",
  ],
  ["Windows-1252", "9344e96ae020767594209620353020802c207472e873206e61ef7665", "“Déjà vu” – 50 €, très naïve"],
  ["Windows-1253", "a2ebf6e120eae1e920e2def4e1", "Άλφα και βήτα"],
  ["Windows-1254", "dd7374616e62756c9264612067fc6e65fe", "İstanbul’da güneş"],
  ["Windows-1255", "e6e4e520eee1e7ef", "זהו מבחן"],
  ["Windows-1256", "e5d0c720c7cecac8c7d120c7e1e4d520c7e1dad1c8ed", "هذا اختبار النص العربي"],
  ["Windows-1257", "de656d616974eb20697220e0fe756f6c6173", "Žemaitė ir ąžuolas"],
  ["Windows-1258", "d061f2692035fe20e2", "Đại 5₫ â"],
  ["Windows-874", "c0d2c9d2e4b7c2", "ภาษาไทย"],
  ["IBM866", "9de2ae20afe0aea2a5e0aaa0", "Это проверка"],
  [
    "KOI8-R",
    "fcd4cf20d0d2cfd7c5d2cbc120d4c5cbd3d4c120cec120d2d5d3d3cbcfcd20d1dad9cbc5",
    "Это проверка текста на русском языке",
  ],
  ["KOI8-U", "e3c520d0c5d2c5d7a6d2cbc1", "Це перевірка"],
  ["ASCII", "4e6f7468696e672062757420706c61696e206c657474657273", "Nothing but plain letters"],
];

/** Those that the page finds out by itself, from as little as a sentence. */
const guessed = [
  ...["UTF-8", "UTF-16LE", "UTF-16BE", "GB18030", "Big5", "Shift_JIS", "EUC-JP", "EUC-KR"],
  ...["ISO-8859-7", "Windows-1251", "Windows-1252", "Windows-1256", "KOI8-R", "IBM866"],
];

const chooser = (page: Page) => page.getByRole("combobox", { name: "Encoding" });

test("each encoding on offer has a sample here", async () => {
  const { url } = await journey.shareFile(new File(["x"], "any.txt"));
  await using visit = await journey.visitor();
  await visit.page.goto(url);
  await seen(chooser(visit.page));
  const offered = await chooser(visit.page)
    .locator("option")
    .evaluateAll((options) => options.map((option) => (option as HTMLOptionElement).value));
  expect(samples.map(([encoding]) => encoding)).toEqual(offered.filter((value) => value !== "auto" && value !== ""));
});

test.each(samples.map((sample) => [...sample]))("%s is read", async (encoding, bytes, text) => {
  const { url } = await journey.shareFile(new File([Buffer.from(bytes, "hex")], `${encoding}.txt`));
  await using visit = await journey.visitor();
  const { page } = visit;
  await page.goto(url);
  await seen(chooser(page));
  if (guessed.includes(encoding)) {
    await seen(page.getByText(text, { exact: true }));
    return;
  }
  await chooser(page).selectOption(encoding);
  await until(
    () => page.getByText(text, { exact: true }).count(),
    (count) => count === 1,
  );
});
