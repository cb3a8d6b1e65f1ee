import { randomUUID } from "node:crypto"
import { IdempotencyConflict } from "@care/domain/http"
import type { OrganizationId } from "@care/domain/ids"
import { PhiCipher } from "@care/phi"
import { Quotas, requireRoom, Time } from "@care/service-kit"
import { Clock, Context, Effect, Layer, Option } from "effect"
import { makeBodyHashes } from "./bodyHash.ts"
import { makeIdempotencyKeysRepo } from "./IdempotencyKeysRepo.ts"
import { makeKeyHashes } from "./makeKeyHashes.ts"
import { makePerformHeld, type OnceWork } from "./makePerformHeld.ts"
import type { OnceOperation } from "./onceOperation.ts"

/** A request of an organization. It takes effect once if it has a key. */
export interface OnceRequest {
  readonly organizationId: OrganizationId
  readonly key: string | undefined
  /** The decoded body, by which a repeat is recognized; without secrets such as a password. */
  readonly body: unknown
}

const conflicts = {
  otherBody: "The idempotency key was used with another body.",
  otherVersion: "The answer under this idempotency key cannot be given again after an update. Use a new key.",
  keyGone: "The request under this idempotency key cannot be compared any more. Use a new key.",
  erased: "The patient whom this idempotency key was used for was erased. Use a new key.",
  inProgress: "A request with this idempotency key is still in progress. Try again later."
}
const conflict = (reason: keyof typeof conflicts) => new IdempotencyConflict({ reason: conflicts[reason] })

const longestWaitMillis = 10_000
const longestPauseMillis = 400

/** What an operation adds to its work. */
export interface OnceChecks<Ids, Answer> {
  /** Refuses to return a stored answer, or returns it. */
  readonly replayed?: (answer: Answer) => Effect.Effect<Answer, IdempotencyConflict>
  /** Returns whether rows have these ids. A key that is new again, because its answer was deleted or its request failed, gets other ids. */
  readonly isUsed?: (ids: Ids) => Effect.Effect<boolean>
}

/** Runs requests that take effect once for each idempotency key, from the header `Idempotency-Key` or from the body. */
export class Once extends Context.Service<
  Once,
  {
    /**
     * Does the work of a request. With a key the change and its answer commit together, and a repeat with the same key and body gets that
     * answer for 30 days, unless `replayed` refuses it. A repeat waits up to 10 seconds for a request in progress. A typed error frees
     * the key; if the work broke off otherwise, the next repeat takes it over with the same ids. At the quota of stored answers a new
     * key dies with `QuotaReached`, unless the operation `exceedsQuota`. Without a key a change needs its own transaction.
     */
    readonly run: <Ids, Answer, E1, R1, E2, R2>(
      operation: OnceOperation<Ids, Answer>,
      request: OnceRequest,
      work: OnceWork<Ids, Answer, E1, R1, E2, R2>,
      checks?: OnceChecks<Ids, Answer>
    ) => Effect.Effect<Answer, E1 | E2 | IdempotencyConflict, R1 | R2>
  }
>()("@care/once/Once") {
  static readonly layer = Layer.effect(
    Once,
    Effect.gen(function* () {
      const repo = yield* makeIdempotencyKeysRepo
      const cipher = yield* PhiCipher
      const quotas = yield* Quotas
      const performHeld = yield* makePerformHeld
      const { hashOf, isComparable, isHashOf } = makeBodyHashes(cipher)
      const keyHashOf = yield* makeKeyHashes

      const runKeyed = Effect.fn("Once.run")(function* <Ids, Answer, E1, R1, E2, R2>(
        operation: OnceOperation<Ids, Answer>,
        request: OnceRequest & { readonly key: string },
        work: OnceWork<Ids, Answer, E1, R1, E2, R2>,
        { isUsed = () => Effect.succeed(false), replayed = Effect.succeed }: OnceChecks<Ids, Answer>
      ): Effect.fn.Return<Answer, E1 | E2 | IdempotencyConflict, R1 | R2> {
        const { body, ...ownerAndKey } = request
        const identity = { ...ownerAndKey, operation: operation.name }
        const key = { ...identity, key: yield* keyHashOf(identity) }
        // The key is a part of the hash, so that equal bodies of different requests have different hashes.
        const hashInput = [identity, body]
        const bodyHash = yield* hashOf(hashInput)
        const resets = (yield* Time.TestOrganization)?.resets ?? 0
        // Third parties may still know what a sandbox had before its reset.
        let seed = resets === 0 ? bodyHash : `${bodyHash} ${resets}`
        let newIds = operation.makeIds(seed)
        while (yield* isUsed(operation.idsFrom(newIds))) {
          seed = `${seed} again`
          newIds = operation.makeIds(seed)
        }
        const newClaim = { bodyHash, ids: newIds }

        const attempt = Effect.gen(function* () {
          const held = { ...key, holder: randomUUID() }
          const hasRoom = operation.exceedsQuota || !quotas.isReached(request.organizationId, "KEPT_ANSWERS")
          if (hasRoom && (yield* repo.claim({ ...held, ...newClaim }))) {
            return yield* performHeld(operation, held, newClaim.ids, work)
          }
          const found = yield* repo.find(key)
          if (Option.isNone(found)) {
            if (!hasRoom) yield* requireRoom(quotas, request.organizationId, "KEPT_ANSWERS")
            return Option.none()
          }
          const { answer, bodyHash: storedHash, holder, ids, isAnswered, isLeased } = found.value
          if (!isComparable(storedHash)) return yield* conflict("keyGone")
          if (!(yield* isHashOf(storedHash, bodyHash, hashInput))) return yield* conflict("otherBody")
          if (answer !== null) {
            const storedAnswer = operation.read(answer)
            return Option.isSome(storedAnswer)
              ? Option.some(yield* replayed(storedAnswer.value))
              : yield* conflict("otherVersion")
          }
          if (isAnswered) return yield* conflict("erased")
          if (isLeased || !(yield* repo.takeOver(held, holder))) return Option.none()
          return yield* performHeld(operation, held, ids, work)
        })

        const deadline = (yield* Clock.currentTimeMillis) + longestWaitMillis
        for (let pauseMillis = 25; ; pauseMillis = Math.min(2 * pauseMillis, longestPauseMillis)) {
          const answer = yield* attempt
          if (Option.isSome(answer)) return answer.value
          if ((yield* Clock.currentTimeMillis) >= deadline) return yield* conflict("inProgress")
          yield* Effect.sleep(pauseMillis)
        }
      })

      return Once.of({
        run: (operation, { key, ...request }, work, checks = {}) =>
          key === undefined
            ? Effect.flatten(work(operation.idsFrom(operation.makeIds())))
            : runKeyed(operation, { ...request, key }, work, checks)
      })
    })
  )
}
