import { storeSuite } from "../suites/store.ts";
import { openS3Store } from "../support/stores/s3-store.ts";

storeSuite("S3", openS3Store, { listsTypes: false, freshTags: false, leavesPartsOut: false });
