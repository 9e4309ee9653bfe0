import { describe, expect, test } from "bun:test";
import { fsJobs } from "#contract/fs/jobs";
import { settings } from "#contract/settings";
import { stopAtEachWrite } from "../../support/database/crash.ts";
import { ended, type NewTask } from "../../support/jobs/jobs-room.ts";
import { ask } from "../../support/share-file.ts";
import { type TreeCalls, treeCalls } from "../../support/tree/tree-house.ts";

/** Jobs that are broken off between any two of their steps: the next start goes on, and counts each file exactly once. */

const names = ["1", "2", "3", "4", "5"];
const all = names.join(" ");

interface Case {
  readonly task: NewTask;
  /** How many writes lie between two stops; one unless said. */
  readonly stride?: number;
  readonly done: number;
  readonly skipped?: number;
  /** What is at the target before the job. */
  readonly there?: readonly string[];
  /** Its bytes; those of the source unless said, so that nothing tells whose they are. */
  readonly bytes?: string;
  /** Whether copies over files get names of their own. */
  readonly named?: boolean;
  /** What there is afterwards, random suffixes as `-?`: at the source, and at the target. */
  readonly left: readonly [source: string, target: string];
}

const cases: Readonly<Record<string, Case>> = {
  "a copy that skips what is there": {
    task: { kind: "copy", source: "/drive/d", target: "/drive/e", skipExisting: true },
    there: ["/drive/e/2", "/drive/e/5"],
    done: 3,
    skipped: 2,
    left: [all, all],
  },
  "a copy over what is there": {
    task: { kind: "copy", source: "/drive/d", target: "/n/d", skipExisting: false },
    stride: 4,
    there: ["/n/d/3"],
    done: 5,
    left: [all, all],
  },
  "a copy that gets a name of its own": {
    task: { kind: "copy", source: "/drive/d", target: "/n/d", skipExisting: false },
    there: ["/n/d/3"],
    bytes: "another",
    stride: 3,
    named: true,
    done: 5,
    left: [all, "1 2 3 3-? 4 5"],
  },
  "a copy that gets a name of its own beside the same bytes": {
    task: { kind: "copy", source: "/drive/d", target: "/n/d", skipExisting: false },
    there: ["/n/d/3"],
    stride: 3,
    named: true,
    done: 5,
    left: [all, "1 2 3 3-? 4 5"],
  },
  "a move to another storage": {
    task: { kind: "move", source: "/drive/d", target: "/n/d", skipExisting: true },
    stride: 3,
    done: 5,
    left: ["path.missing", all],
  },
  "a move to another storage that skips what is there": {
    task: { kind: "move", source: "/drive/d", target: "/n/d", skipExisting: true },
    there: ["/n/d/2", "/n/d/5"],
    done: 3,
    skipped: 2,
    left: ["2 5", all],
  },
  "a move into a folder that is there": {
    task: { kind: "move", source: "/drive/d", target: "/drive/e", skipExisting: true },
    stride: 3,
    there: ["/drive/e/0"],
    done: 5,
    left: ["path.missing", `0 ${all}`],
  },
  "a move that is one rename": {
    task: { kind: "move", source: "/drive/d", target: "/drive/e", skipExisting: true },
    done: 5,
    left: ["path.missing", all],
  },
  "a move of one file": {
    task: { kind: "move", source: "/drive/d/5", target: "/n/5", skipExisting: true },
    done: 1,
    left: ["path.missing", "path.isFile"],
  },
  "a removal of a folder": {
    task: { kind: "delete", source: "/drive/d" },
    done: 5,
    left: ["path.missing", ""],
  },
  "a removal of a file": {
    task: { kind: "delete", source: "/drive/d/5" },
    done: 1,
    left: ["path.missing", ""],
  },
};

const idOf = async (tree: TreeCalls): Promise<string | undefined> =>
  (await tree.call(fsJobs.list, { query: {} })).data[0]?.id;

describe("a job that is killed before any of its writes", () => {
  test.each(Object.entries(cases))(
    "%s",
    async (_, { task, stride, done, skipped = 0, there = [], bytes, named, left }) => {
      const stops = await stopAtEachWrite({
        stride,
        async arrange(house) {
          const tree = await treeCalls(house);
          await tree.second();
          await tree.put(...names.map((name) => `/drive/d/${name}`));
          for (const path of there) await tree.write(path, bytes ?? path.replace(/^.*\//, "/drive/d/"));
          const strategy = named ? "random_suffix" : "overwrite";
          await ask(house, settings.update, { params: { group: "1" }, body: { file_naming_strategy: strategy } });
          await house.house.vfs.search.settled();
          return undefined;
        },
        async act(house) {
          const { data } = await (await treeCalls(house)).call(fsJobs.create, { body: { tasks: [task] } });
          await ended(house.house.jobs, data.id);
        },
        async check(house, __, writes) {
          const tree = await treeCalls(house);
          const id = await idOf(tree);
          if (id === undefined) return;
          const job = await ended(house.house.jobs, id);
          const { state, done_files, skipped_files, failed_files } = job;
          expect({ writes, state, done_files, skipped_files, failed_files }).toEqual({
            writes,
            state: "completed",
            done_files: done,
            skipped_files: skipped,
            failed_files: 0,
          });
          const found = [await tree.names(task.source)];
          if (task.kind !== "delete") found.push((await tree.names(task.target)).replaceAll(/-\w{6}\b/g, "-?"));
          expect({ writes, found }).toEqual({ writes, found: left.slice(0, found.length) });
        },
      });
      expect(stops).toBeGreaterThan(2);
    },
  );
});
