import { expect, test } from "bun:test";
import { createLog } from "../../../src/lib/log.ts";
import { createQueue } from "../../../src/search/queue.ts";
import { until } from "../../support/until.ts";

const nothing = async () => undefined;

test.each(Array.from({ length: 24 }, (_, turns) => turns))(
  "a task that comes %d turns after the work began is run, also when that is at its end",
  async (turns) => {
    const queue = createQueue({
      log: createLog("silent", () => undefined),
      apply: nothing,
      lost: () => undefined,
      patience: 1000,
      tidy: async () => false,
    });
    void queue.run(nothing);
    for (let turn = 0; turn < turns; turn++) await Promise.resolve();
    let isDone = false;
    void queue.run(nothing).then(() => {
      isDone = true;
    });
    await until(
      () => isDone,
      (done) => done,
    );
    expect(queue.waiting()).toBe(0);
    await queue.close();
  },
);
