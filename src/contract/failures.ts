/**
 * Every failure with a reason that the caller can understand: code -> HTTP status. Any other error is a bug and leaves
 * the server as `internal`. Sentences are in messages/, one per code and language.
 */
export const failureStatus = {
  "body.malformed": 400,
  "body.invalid": 400,
  "body.tooLarge": 413,
  "body.late": 408,
  "query.invalid": 400,
  "host.invalid": 400,
  "target.invalid": 400,
  "target.outside": 404,
  "route.missing": 404,
  "header.invalid": 400,
  "method.notAllowed": 405,
  "media.unsupported": 415,
  "drawing.unread": 406,
  "script.stored": 403,
  "precondition.failed": 412,
  "xml.invalid": 400,
  "dav.depth": 403,
  "dav.elsewhere": 502,
  "dav.names": 413,

  "content.empty": 400,
  "content.tooLarge": 413,
  "slug.invalid": 400,
  "slug.reserved": 400,
  "slug.taken": 409,
  "expiry.past": 400,

  "request.differs": 409,

  "form.malformed": 400,
  "form.unreadable": 400,
  "form.repeated": 400,
  "filename.invalid": 400,
  "path.invalid": 400,
  "path.tooDeep": 400,
  "path.conflict": 409,
  "path.missing": 404,
  "path.forbidden": 403,
  "path.root": 403,
  "path.mount": 403,
  "path.taken": 409,
  "path.into": 400,
  "path.kinds": 400,
  "path.otherMount": 400,
  "path.isFolder": 400,
  "path.isFile": 400,
  "path.changed": 412,
  "path.large": 400,
  "path.locked": 423,
  "path.reserved": 409,
  "path.noParent": 409,
  "trash.missing": 404,
  "trash.unfit": 409,
  "lock.token": 409,
  "lock.holder": 403,
  "lock.tooMany": 507,
  "property.tooMany": 507,
  "path.crossing": 400,
  "copy.byJob": 403,
  "cursor.invalid": 400,
  "sign.missing": 401,
  "sign.invalid": 401,
  "sign.expired": 401,
  "file.notOffice": 400,
  "file.tooLarge": 413,
  "picture.tooLarge": 413,
  "picture.unreadable": 415,
  "picture.limited": 403,
  "picture.made": 409,
  "picture.offer": 415,
  "file.gone": 410,
  "storage.missing": 404,
  "storage.forbidden": 403,
  "storage.full": 507,
  "storage.reserved": 507,
  "storage.inUse": 409,
  "storage.leftovers": 409,
  "storage.bucket": 400,
  "storage.customHost": 400,
  "storage.fixed": 400,
  "storage.nothingToChange": 400,
  "storage.endpoint": 400,
  "storage.linkLocal": 400,
  "storage.addressRefused": 502,
  "storage.unreachable": 502,
  "storage.refused": 502,
  "storage.bucketMissing": 502,
  "storage.region": 502,
  "storage.clock": 502,
  "storage.busy": 503,
  "storage.broken": 502,
  "storage.denied": 502,
  "storage.folder": 400,
  "storage.readOnly": 403,
  "storage.notHere": 503,
  "storage.testing": 409,
  "storage.origin": 400,
  "storage.corsBuiltIn": 400,
  "storage.corsRefused": 502,
  "storage.corsUnsupported": 502,
  "upload.missing": 404,
  "upload.length": 400,
  "upload.incomplete": 409,
  "upload.etag": 409,
  "upload.finished": 409,
  "upload.parts": 400,
  "upload.tooMany": 429,
  "upload.partSize": 400,

  "url.invalid": 400,
  "url.forbidden": 400,
  "url.redirects": 502,
  "url.unreachable": 502,
  "url.late": 504,
  "url.refused": 502,
  "url.tooMany": 429,

  "share.missing": 404,
  "share.gone": 410,
  "share.changed": 409,
  "share.noPassword": 400,
  "grant.void": 403,
  "password.missing": 401,
  "password.wrong": 401,

  "auth.required": 401,
  "auth.expired": 401,
  "auth.forbidden": 403,
  "key.invalid": 401,
  "job.credential": 401,
  "key.missing": 404,
  "key.characters": 400,
  "key.length": 400,
  "key.taken": 409,
  "key.nameTaken": 409,
  "key.guestTaken": 409,
  "key.nothingToChange": 400,
  "basePath.invalid": 400,

  "mount.missing": 404,
  "mount.none": 404,
  "mount.pathInvalid": 400,
  "mount.pathReserved": 400,
  "mount.pathTaken": 409,
  "mount.storageMissing": 400,
  "mount.nothingToChange": 400,

  "job.missing": 404,
  "job.tooMany": 429,
  "archive.format": 415,
  "archive.broken": 400,
  "archive.tooMany": 413,
  "archive.bomb": 413,
  "archive.changed": 409,
  "archive.name": 400,
  "archive.twice": 409,
  "archive.encrypted": 400,
  "archive.method": 415,
  "archive.link": 400,

  "setting.missing": 404,
  "setting.groupMissing": 404,
  "setting.readOnly": 400,
  "setting.number": 400,
  "setting.wholeNumber": 400,
  "setting.switch": 400,
  "setting.option": 400,
  "setting.extensions": 400,
  "setting.backupTarget": 400,
  "backup.targetMissing": 400,
  "backup.running": 409,

  "import.malformed": 400,
  "import.bounds": 400,
  "import.checksum": 400,
  "import.running": 409,

  "session.missing": 404,
  "login.wrong": 401,
  "signInLink.invalid": 401,
  "account.wrongPassword": 401,
  "account.nothingToChange": 400,
  "account.samePassword": 400,

  "limit.wait": 429,
  "server.busy": 503,
  "database.unavailable": 503,
  "text.tooLong": 400,
  internal: 500,
} as const;

export type FailureCode = keyof typeof failureStatus;

/** Values for the sentence of a failure; never text that the caller sent. */
export type FailureDetails = Readonly<Record<string, string | number>>;

/** An answer other than success, thrown by any room and translated once by each front. Never subclassed. */
export class Failure extends Error {
  override readonly name = "Failure";

  constructor(
    readonly code: FailureCode,
    readonly details: FailureDetails = {},
  ) {
    super(code);
  }

  get status(): number {
    return failureStatus[this.code];
  }
}

/** Seconds after which what is only busy may be asked again. */
const BUSY_SECONDS = 2;

/** The seconds that Retry-After tells with a failure, which is answered with this status; undefined when there is no use in waiting. */
export const retryAfter = ({ details: { seconds } }: Failure, status: number): FailureDetails[string] | undefined =>
  seconds ?? (status === 503 ? BUSY_SECONDS : undefined);
