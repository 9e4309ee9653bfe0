import { describe, expect, test } from "bun:test";
import { createPreferences, usual } from "../../../web/features/explorer/model/preferences.ts";
import { createKeyValue } from "../../../web/lib/storage.ts";

describe("choices", () => {
  test("are remembered, and nonsense is not", () => {
    const storage = createKeyValue(() => localStorage);
    createPreferences(storage).change({ view: "gallery", sort: { field: "size", down: true }, details: true });
    expect(createPreferences(storage).get()).toEqual({
      ...usual,
      view: "gallery",
      sort: { field: "size", down: true },
      details: true,
    });
    for (const nonsense of [
      "{",
      "[]",
      "null",
      '{"view":"x","sort":{"field":"y"},"gallery":{"columns":9,"across":-1},"mode":7,"details":1}',
    ]) {
      localStorage.setItem("explorer", nonsense);
      expect(createPreferences(storage).get()).toEqual(usual);
    }
  });
});
