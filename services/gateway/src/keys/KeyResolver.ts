import { AuthApi, type KeyNotRecognized, type OrganizationDisabled, type Scope } from "@care/domain/auth"
import { callers, KeyInvalid, KeyMissing } from "@care/domain/http"
import { type ApiVersion, currentVersion, isApiVersion } from "@care/domain/versions"
import { cellOfKey, keyHash, PeerUnavailable, unexpected } from "@care/service-kit"
import { Cache, Cause, Context, Effect, Exit, Layer } from "effect"
import { type Cell, Cells, peerOf } from "../cells/index.ts"
import { type Network, networkOf } from "../clientAddress.ts"
import { AcceptedKeys } from "./AcceptedKeys.ts"
import { cacheMillis, makeKeyLookUp } from "./makeKeyLookUp.ts"

const capacity = 20_000

interface FoundPartner {
  readonly identity: typeof callers.partner.Identity.Type
  readonly apiVersion: ApiVersion
  readonly scopes: ReadonlyArray<Scope> | undefined
  readonly allowedNetworks: ReadonlyArray<Network> | undefined
  readonly movedTo: string | undefined
}

// A cache for each cell, so that a cell whose auth does not answer takes no room from others.
const makeCache = Effect.fnUntraced(function* (cell: Cell) {
  const auth = yield* peerOf(cell, AuthApi, "directory")
  const lookUp = makeKeyLookUp(
    (hash) =>
      auth.resolveKey({ payload: { keyHash: hash } }).pipe(
        Effect.catchTags(unexpected),
        Effect.map(({ allowedNetworks, apiKeyId, apiVersion, isTest, movedTo, organizationId, scopes }) => ({
          identity: callers.partner.Identity.make({ apiKeyId, organizationId, ...(isTest && { isTest }) }),
          scopes,
          allowedNetworks: allowedNetworks?.map(networkOf).filter((network) => network !== undefined),
          apiVersion: isApiVersion(apiVersion) ? apiVersion : currentVersion,
          movedTo
        }))
      ),
    new AcceptedKeys<FoundPartner>(capacity)
  )
  // A failure to reach auth is not cached.
  return yield* Cache.makeWith(lookUp, {
    capacity,
    timeToLive: Exit.match({
      onSuccess: ({ forMillis }) => forMillis,
      onFailure: (cause) => (Cause.hasDies(cause) ? 0 : cacheMillis)
    })
  })
})

/** The partner of a key, its cell, the scopes and networks of the key unless it has all, and the version of its requests that name none. */
interface ResolvedPartner {
  readonly identity: typeof callers.partner.Identity.Type
  readonly apiVersion: ApiVersion
  readonly cell: Cell
  readonly scopes: ReadonlyArray<Scope> | undefined
  readonly allowedNetworks: ReadonlyArray<Network> | undefined
}

/**
 * Resolves `cv-api-key` to its partner, by the auth of the cell that the key names or, if the partner moved, of the cell that this one names.
 * The key of a disabled organization is invalid, and so is one of an unknown cell.
 */
export class KeyResolver extends Context.Service<
  KeyResolver,
  {
    readonly resolve: (key: string | undefined) => Effect.Effect<ResolvedPartner, KeyMissing | KeyInvalid>
  }
>()("@care/gateway/keys/KeyResolver") {
  static readonly layer = Layer.effect(
    KeyResolver,
    Effect.gen(function* () {
      const cells = yield* Cells
      const caches = yield* Effect.forEach(cells.all, (cell) =>
        Effect.map(makeCache(cell), (cache) => [cell.name, { cache, cell }] as const)
      )
      const byCell = new Map(caches)

      // A partner that moved in a circle is found in the cell that knows of no later move.
      const resolveIn = (
        { cache, cell }: (typeof caches)[number][1],
        hash: string,
        cellsLeft: number
      ): Effect.Effect<ResolvedPartner, KeyNotRecognized | OrganizationDisabled> =>
        Effect.flatMap(
          Cache.get(cache, hash),
          ({ found: { allowedNetworks, apiVersion, identity, movedTo, scopes } }) => {
            if (movedTo === undefined) return Effect.succeed({ identity, apiVersion, cell, scopes, allowedNetworks })
            const next = byCell.get(movedTo)
            return next === undefined || cellsLeft === 0
              ? Effect.die(new PeerUnavailable({ peer: `the cell ${movedTo}` }))
              : resolveIn(next, hash, cellsLeft - 1)
          }
        )

      return KeyResolver.of({
        resolve: (key) => {
          if (key === undefined || key.trim() === "") return new KeyMissing({ isBlank: key !== undefined })
          const hash = keyHash(key)
          const invalid = (isDisabled: boolean) => () => new KeyInvalid({ keyHash: hash.slice(0, 12), isDisabled })
          const first = byCell.get(cellOfKey(key) ?? "")
          if (first === undefined) return invalid(false)()
          return resolveIn(first, hash, cells.all.length).pipe(
            Effect.catchTags({ KeyNotRecognized: invalid(false), OrganizationDisabled: invalid(true) })
          )
        }
      })
    })
  )
}
