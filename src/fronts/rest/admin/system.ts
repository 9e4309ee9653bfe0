import { caches as cachesApi, system as systemApi } from "#contract/system";
import type { Caller } from "../../../access/principal.ts";
import type { House } from "../../../house.ts";
import type { CacheScope } from "../../../lib/cache.ts";
import { iso } from "../../../lib/clock.ts";
import { healthAdvice } from "../../../system/health.ts";
import type { Bind } from "../bind.ts";
import { languageOf } from "../failures.ts";

/** Health, version and public settings. */
export function bindSystem(bind: Bind, { system: { health, readiness }, settings, access: { keys } }: House): void {
  bind(systemApi.health, async ({ request: { headers } }) => {
    const { problems, ...state } = await health.check();
    if (problems.length === 0) return state;
    const language = languageOf(headers);
    return { ...state, problems: problems.map((problem) => ({ problem, advice: healthAdvice[problem][language] })) };
  });
  bind(systemApi.ready, async () => {
    const failing = await readiness.check();
    const warnings = readiness.warnings();
    const body = { ready: failing.length === 0, failing, ...(warnings.length > 0 && { warnings }) };
    return Response.json(body, { status: body.ready ? 200 : 503, headers: { "cache-control": "no-store" } });
  });
  bind(systemApi.maxUploadSize, () => ({ data: { max_upload_size: settings.get("max_upload_size") } }));
  bind(systemApi.version, () => ({ data: health.version() }));
  bind(systemApi.visitors, async () => {
    const visitor = await keys.visitors();
    return { data: { permissions: visitor?.permissions ?? 0, basic_path: visitor?.basePath ?? "/" } };
  });
}

interface ScopeRequest {
  readonly mountId?: string | null | undefined;
  readonly s3ConfigId?: string | null | undefined;
}

/** The caches over REST. */
export function bindCaches(bind: Bind, { system: { caches }, vfs: { mounts }, transfers, clock }: House): void {
  bind(cachesApi.stats, () => {
    const cache = Object.fromEntries(caches.stats().map((one) => [one.name, one]));
    return { data: { cache, system: caches.process(), timestamp: iso(clock()) } };
  });

  bind(cachesApi.clear, async ({ body, touched }) => {
    const count = await caches.clear(await wantedScopes(body));
    touched({ id: body.mountId || body.s3ConfigId || undefined });
    return cleared(count);
  });

  bind(cachesApi.clearVisible, async ({ body, principal }) =>
    cleared(await caches.clear(await visibleScopes(principal, body))),
  );

  const cleared = (clearedCount: number) => ({ data: { clearedCount, timestamp: iso(clock()) } });

  /** 404 mount.missing, storage.missing. */
  async function wantedScopes({ mountId, s3ConfigId }: ScopeRequest): Promise<CacheScope[] | undefined> {
    const mount = mountId ? await mounts.get(mountId) : undefined;
    const storage = s3ConfigId ? (await transfers.storage(s3ConfigId)).config : undefined;
    if (mount) return storage && mount.storage !== storage.id ? [] : [{ tree: mount.storage }];
    return storage && [{ storage: storage.id }];
  }

  /** 404 mount.missing for one that the caller does not see. */
  async function visibleScopes(caller: Caller, { mountId, s3ConfigId }: ScopeRequest): Promise<CacheScope[]> {
    const visible = mountId ? [await mounts.getVisible(caller, mountId)] : await mounts.visible(caller);
    return visible
      .filter(({ storage }) => !s3ConfigId || storage === s3ConfigId)
      .map(({ storage }) => ({ tree: storage }));
  }
}
