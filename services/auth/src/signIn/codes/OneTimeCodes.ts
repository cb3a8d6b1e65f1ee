import { randomUUID, timingSafeEqual } from "node:crypto"
import {
  CodeMismatch,
  CodeUnavailable,
  CodeUsed,
  CredentialsInvalid,
  type SentCode,
  StaffCodeRejected
} from "@care/domain/auth"
import type { OrganizationId, UserId } from "@care/domain/ids"
import { magicCode } from "@care/domain/magicValues"
import { currentMode, Time } from "@care/service-kit"
import { Context, DateTime, Duration, Effect, Layer, Metric, Option } from "effect"
import { AuthSettings } from "../../AuthSettings.ts"
import { jwtSecrets } from "../../jwtSecrets.ts"
import { type CodeReceiver, makeCodeReceiversRepo } from "./CodeReceiversRepo.ts"
import { makeCodeSecrets } from "./makeCodeSecrets.ts"
import { someNobody } from "./nobody.ts"
import { makeOneTimeCodesRepo } from "./OneTimeCodesRepo.ts"

interface CodeRequest {
  readonly organizationId: OrganizationId
  readonly identifier: string
  /** The member of staff whom the code is for. Without one it is for a patient. */
  readonly memberId?: UserId
  readonly requestedAt: Date
}

const capMessages = {
  codes_per_hour: "A patient got all one-time codes of an hour (OTP_MAX_PER_HOUR)",
  codes_per_day: "A patient got all one-time codes of a day (OTP_MAX_PER_DAY)",
  wrong_attempts_per_day: "A patient is locked: all wrong attempts of a day at one-time codes (OTP_MAX_WRONG_PER_DAY)"
}

type CodeCap = keyof typeof capMessages

const capsReached = Metric.counter("one_time_code_caps_reached_total", {
  description: "How often a patient of an organization reached a cap on one-time codes, by cap",
  incremental: true
})

/** Logs and counts that a patient reached a cap. Call it once, when the cap is reached, and not for each refusal. */
const reportCap = (cap: CodeCap, organizationId: OrganizationId, userId: UserId): Effect.Effect<void> =>
  Effect.logWarning(capMessages[cap]).pipe(
    Effect.annotateLogs({ organizationId, userId }),
    Effect.andThen(currentMode),
    Effect.flatMap((mode) => Metric.update(Metric.withAttributes(capsReached, { cap, mode }), 1))
  )

/** A code, and what the message to its user says. */
export interface IssuedCode {
  readonly userId: UserId
  readonly code: string
  readonly organizationName: string
  readonly lifetime: Duration.Duration
}

interface RightCode {
  readonly id: string
  readonly receiver: CodeReceiver
}

// How many intervals the next code waits after each code whose attempts were all wrong. With an interval of 30 seconds: 30 seconds,
// then 1, 2, 5 and 15 minutes.
const waitFactors = [1, 2, 4, 10, 30]

/**
 * The one-time codes by which patients and staff sign in: six digits, bound to a person and an identifier. Hours and days have caps. A
 * person with too many wrong attempts in a day is locked: they get no code, and every attempt is answered as a wrong one, after the
 * same work. A code of a patient never signs in a member of staff, nor the other way round.
 */
export class OneTimeCodes extends Context.Service<
  OneTimeCodes,
  {
    /** Makes the code of a request, once for its `id`. Returns none without such a person, too soon, or when a cap is reached. */
    readonly issue: (id: string, request: CodeRequest) => Effect.Effect<Option.Option<IssuedCode>>
    /**
     * Checks the code of a patient, and counts a wrong one. In a sandbox `magicCode` is right, too. Takes the same work when the patient does
     * not exist or is locked.
     */
    readonly check: (
      organizationId: OrganizationId,
      identifier: string,
      code: string
    ) => Effect.Effect<RightCode, CredentialsInvalid | CodeUnavailable | CodeMismatch>
    /**
     * Checks a code against those of all members of staff with this email, and counts a wrong one for each. Takes the same work however many
     * there are.
     */
    readonly checkStaff: (email: string, code: string) => Effect.Effect<RightCode, StaffCodeRejected>
    /** Returns the newest valid code of a member of staff with this email whose message is in the local mailbox, or null. */
    readonly newestOfStaff: (email: string) => Effect.Effect<SentCode | null>
    /** Marks a code as used. One of parallel callers succeeds. */
    readonly use: (organizationId: OrganizationId, code: RightCode) => Effect.Effect<void, CodeUsed>
    /** Voids the patient's code. The counts stay. */
    readonly removeAll: (organizationId: OrganizationId, userId: UserId) => Effect.Effect<void>
  }
>()("@care/auth/codes/OneTimeCodes") {
  static readonly layer = Layer.effect(
    OneTimeCodes,
    Effect.gen(function* () {
      const repo = yield* makeOneTimeCodesRepo
      const receivers = yield* makeCodeReceiversRepo
      const { codeLifetime, codeMaxAttempts, codeResendInterval } = yield* AuthSettings
      const peppers = makeCodeSecrets(yield* jwtSecrets)
      const noCode = {
        id: randomUUID(),
        codeHash: peppers.current.hashOf("", ""),
        isLastOfDay: false,
        isOfSandbox: false
      }
      const waits = waitFactors.map((factor) => factor * Duration.toMillis(codeResendInterval))

      // A process with another first secret may have made the code.
      const codeWithHash = (id: string, codeHash: string) =>
        new Map(
          peppers.all.map(({ codeOf, hashOf }) => {
            const code = codeOf(id)
            return [hashOf(id, code), code]
          })
        ).get(codeHash)

      // An attempt for an unknown or locked person is counted on a placeholder row, which has no code and no cap.
      const attempt = Effect.fnUntraced(function* (
        { isKnown, isLocked, organizationId, userId }: CodeReceiver,
        identifier: string,
        code: string,
        now: DateTime.Utc
      ) {
        const at = DateTime.toDateUtc(now)
        const isCounted = isKnown && !isLocked
        const counted = isCounted
          ? {
              organizationId,
              userId,
              identifier,
              countedSince: DateTime.toDateUtc(DateTime.subtract(now, { days: 1 }))
            }
          : { ...someNobody(), countedSince: at }
        const claimed = yield* repo.claimAttempt({ ...counted, now: at }, waits)
        const { codeHash, id, isLastOfDay, isOfSandbox } = Option.getOrElse(claimed, () => noCode)
        const stored = Buffer.from(codeHash, "hex")
        const isEqual =
          peppers.all.filter(({ hashOf }) => timingSafeEqual(Buffer.from(hashOf(id, code), "hex"), stored)).length > 0
        const hasCode = isCounted && Option.isSome(claimed)
        return {
          id,
          hasCode,
          isRight: isEqual && hasCode,
          // The row itself says whose it is, so that no caller can claim to work for a sandbox.
          isMagic: hasCode && isOfSandbox && code === magicCode,
          isLastOfDay: isLastOfDay && hasCode
        }
      })

      return OneTimeCodes.of({
        issue: Effect.fn("OneTimeCodes.issue")(function* (id, request) {
          const { identifier, memberId, organizationId, requestedAt } = request
          // Staff of a sandbox sign in by the real time.
          const now = yield* memberId === undefined ? Time.nowAsDate : DateTime.nowAsDate
          const after = (duration: Duration.Duration) => new Date(requestedAt.getTime() + Duration.toMillis(duration))
          const expiresAt = after(codeLifetime)
          if (expiresAt <= now) return Option.none()
          const { isKnown, organizationName, userId } = yield* memberId === undefined
            ? receivers.patient(organizationId, identifier, now)
            : receivers.member(organizationId, memberId, identifier, now)
          if (!isKnown) return Option.none()
          const stored = yield* repo.issue(
            {
              id,
              organizationId,
              userId,
              identifier,
              codeHash: peppers.current.hashOf(id, peppers.current.codeOf(id)),
              maxAttempts: codeMaxAttempts,
              requestedAt,
              expiresAt,
              nextCodeAt: after(codeResendInterval)
            },
            now
          )
          if (Option.isNone(stored)) return Option.none()
          if (stored.value.isLastOfHour) yield* reportCap("codes_per_hour", organizationId, userId)
          if (stored.value.isLastOfDay) yield* reportCap("codes_per_day", organizationId, userId)
          const code = Option.fromUndefinedOr(codeWithHash(id, stored.value.codeHash))
          return Option.map(code, (code) => ({ userId, code, organizationName, lifetime: codeLifetime }))
        }),

        check: Effect.fn("OneTimeCodes.check")(function* (organizationId, identifier, code) {
          const now = yield* Time.now
          const receiver = yield* receivers.patient(organizationId, identifier, DateTime.toDateUtc(now))
          const { isKnown, isLocked, userId } = receiver
          const { hasCode, id, isLastOfDay, isMagic, isRight } = yield* attempt(receiver, identifier, code, now)
          if (!isKnown) return yield* new CredentialsInvalid()
          if (isLocked) return yield* new CodeMismatch()
          if (!hasCode) return yield* new CodeUnavailable()
          if (isRight || isMagic) {
            yield* repo.takeBackAttempt(organizationId, userId)
            return { id, receiver }
          }
          if (isLastOfDay) yield* reportCap("wrong_attempts_per_day", organizationId, userId)
          return yield* new CodeMismatch()
        }),

        checkStaff: Effect.fn("OneTimeCodes.checkStaff")(function* (email, code) {
          const now = yield* Time.now
          const members = yield* receivers.members(email, DateTime.toDateUtc(now))
          const attempts = yield* Effect.forEach(members, (receiver) =>
            Effect.map(attempt(receiver, email, code, now), (made) => ({ ...made, receiver }))
          )
          const right = attempts.find(({ isRight }) => isRight)
          for (const { hasCode, isLastOfDay, receiver } of attempts) {
            const { organizationId, userId } = receiver
            if (right !== undefined && hasCode) yield* repo.takeBackAttempt(organizationId, userId)
            if (right === undefined && isLastOfDay) yield* reportCap("wrong_attempts_per_day", organizationId, userId)
          }
          return right ?? (yield* new StaffCodeRejected())
        }),

        newestOfStaff: Effect.fn("OneTimeCodes.newestOfStaff")(function* (email) {
          const now = yield* Time.nowAsDate
          const members = yield* receivers.members(email, now)
          const found = yield* Effect.forEach(members, ({ organizationId, userId }) =>
            repo.findSent(organizationId, userId, email, now)
          )
          const [newest] = found.flatMap(Option.toArray).toSorted((a, b) => b.sentAt.getTime() - a.sentAt.getTime())
          const code = newest === undefined ? undefined : codeWithHash(newest.id, newest.codeHash)
          return newest === undefined || code === undefined ? null : { code, sentAt: newest.sentAt }
        }),

        use: Effect.fn("OneTimeCodes.use")(function* (organizationId, { id, receiver }) {
          const isFirst = yield* repo.markUsed(id, organizationId, receiver.userId, yield* Time.nowAsDate)
          if (!isFirst) return yield* new CodeUsed()
        }),
        removeAll: Effect.fn("OneTimeCodes.removeAll")(function* (organizationId, userId) {
          yield* repo.removeAll(organizationId, userId, yield* Time.nowAsDate)
        })
      })
    })
  )
}
