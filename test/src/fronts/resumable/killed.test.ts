import { describe } from "bun:test";
import { testResumable } from "../../../suites/resumable.ts";

describe("on a disk", () => testResumable({}));
