import { expect, test } from "bun:test";
import { readJson } from "../../../web/preview/json/read-json.ts";

function read(text: string) {
  const answer = readJson(text);
  if ("problem" in answer) throw new Error(answer.problem);
  return answer;
}

test("numbers that JavaScript would round are kept as they were written", () => {
  const text =
    '{"id": 12345678901234567890, "text": "12345678901234567890 \\\\\\" -1", "small": -1.5e3, "pi": [3.14159265358979323846]}';
  const { value, numberOf } = read(text);
  const { id, text: words, small, pi } = value as { id: string; text: string; small: number; pi: [string] };
  expect(numberOf(id)).toBe("12345678901234567890");
  expect(numberOf(pi[0])).toBe("3.14159265358979323846");
  expect([words, small]).toEqual(['12345678901234567890 \\" -1', -1500]);
  expect(numberOf(words)).toBeUndefined();
});

test.each(["[012345678901234567890]", "{12345678901234567890: 1}", "[1234567890123456.]", '["a'])(
  "%s is no JSON, however long its numbers are",
  (text) => expect(readJson(text)).toEqual({ problem: expect.any(String) }),
);

test("a name that objects have anyway is one of the text", () => {
  const { value } = read('{"__proto__": 1, "constructor": 2}');
  expect(Object.keys(value as object)).toEqual(["__proto__", "constructor"]);
});
