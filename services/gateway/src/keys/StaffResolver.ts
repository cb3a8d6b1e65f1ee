import { AuthApi, type SessionUnknown, type StaffSessionState } from "@care/domain/auth"
import { callers, type Staff, StaffSessionRejected } from "@care/domain/http"
import { platformId } from "@care/domain/ids"
import { cellOfStaffToken, unexpected } from "@care/service-kit"
import { Cache, Cause, Clock, Context, Effect, Exit, Layer } from "effect"
import { type Cell, Cells, peerOf, perCell } from "../cells/index.ts"
import { AcceptedKeys } from "./AcceptedKeys.ts"
import { cacheMillis, makeKeyLookUp } from "./makeKeyLookUp.ts"

const capacity = 10_000

/** A session of staff that may be used, and its cell. */
export interface ResolvedStaff {
  readonly identity: Staff
  /** The same person in the sandbox of their organization, if it has one. */
  readonly inSandbox: Staff | undefined
  readonly cell: Cell
  readonly state: StaffSessionState
  /** When the person last used a passkey, in milliseconds since 1970. */
  readonly steppedUpAt: number | undefined
  readonly expiresAt: number
}

const makeCache = Effect.fnUntraced(function* (
  cell: Cell,
  accepted: AcceptedKeys<ResolvedStaff>,
  isUnattended: boolean
) {
  const auth = yield* peerOf(cell, AuthApi, "staffSessions")
  const lookUp = makeKeyLookUp(
    (token) =>
      auth.resolve({ payload: { token, isUnattended } }).pipe(
        Effect.catchTags(unexpected),
        Effect.map(
          ({ expiresAt, sandboxId, state, steppedUpAt, ...person }): ResolvedStaff => ({
            identity: callers.staff.Identity.make(person),
            inSandbox:
              sandboxId === undefined
                ? undefined
                : callers.staff.Identity.make({ ...person, organizationId: sandboxId, isTest: true }),
            cell,
            state,
            steppedUpAt: steppedUpAt?.getTime(),
            expiresAt: expiresAt.getTime()
          })
        )
      ),
    accepted
  )
  // A pending session may become active at any moment. A failure to reach auth is not cached.
  return yield* Cache.makeWith(lookUp, {
    capacity,
    timeToLive: Exit.match({
      onSuccess: ({ forMillis, found }) => (found.state === "PENDING" ? 0 : forMillis),
      onFailure: (cause) => (Cause.hasDies(cause) ? 0 : cacheMillis)
    })
  })
})

// The answers of auth, of which those to `uses` have counted as a use of the session.
const makeCaches = Effect.fnUntraced(function* (cell: Cell) {
  const accepted = new AcceptedKeys<ResolvedStaff>(capacity)
  return {
    uses: yield* makeCache(cell, accepted, false),
    unattended: yield* makeCache(cell, accepted, true)
  }
})

/** Resolves the tokens of sessions of staff, by the auth of the cell that the token names. */
export class StaffResolver extends Context.Service<
  StaffResolver,
  {
    /**
     * Returns the session of a token, and has its use recorded, unless nobody asked for the request. Auth's answer may be up to 3 seconds old.
     */
    readonly resolve: (token: string, isUnattended: boolean) => Effect.Effect<ResolvedStaff, StaffSessionRejected>
    /** Does the same by a new answer of auth. */
    readonly resolveAgain: (token: string, isUnattended: boolean) => Effect.Effect<ResolvedStaff, StaffSessionRejected>
  }
>()("@care/gateway/keys/StaffResolver") {
  static readonly layer = Layer.effect(
    StaffResolver,
    Effect.gen(function* () {
      const cells = yield* Cells
      const cachesOf = yield* perCell(makeCaches)

      // Only the first cell has operators, so that no other cell can make one.
      const hasOwnRole = ({ cell, identity: { organizationId, role } }: ResolvedStaff): boolean =>
        (role === "OPERATOR") === (cell === cells.first && organizationId === platformId)

      const resolveBy = (
        token: string,
        find: (caches: ReturnType<typeof cachesOf>) => Effect.Effect<{ readonly found: ResolvedStaff }, SessionUnknown>
      ) => {
        const cell = cells.find(cellOfStaffToken(token) ?? "")
        if (cell === undefined) return new StaffSessionRejected()
        return Effect.matchEffect(find(cachesOf(cell)), {
          onFailure: () => new StaffSessionRejected(),
          onSuccess: ({ found }) =>
            Effect.flatMap(Clock.currentTimeMillis, (now) =>
              now < found.expiresAt && hasOwnRole(found) ? Effect.succeed(found) : new StaffSessionRejected()
            )
        })
      }

      return StaffResolver.of({
        resolve: (token, isUnattended) =>
          resolveBy(token, ({ unattended, uses }) => Cache.get(isUnattended ? unattended : uses, token)),
        resolveAgain: (token, isUnattended) =>
          resolveBy(token, ({ unattended, uses }) => {
            const cache = isUnattended ? unattended : uses
            return Effect.andThen(Cache.invalidate(cache, token), Cache.get(cache, token))
          })
      })
    })
  )
}
