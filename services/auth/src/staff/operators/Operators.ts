import { randomUUID } from "node:crypto"
import { Audit } from "@care/audit"
import { type EmailTaken, LastOperator, type Member, type NewOperator, UserNotFound } from "@care/domain/auth"
import type { PageQuery } from "@care/domain/http"
import { platformId, UserId } from "@care/domain/ids"
import { inTransaction, oldest, organizationScope, type Page, pageFrom } from "@care/service-kit"
import { Context, DateTime, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { makeMembersRepo, makeUsersRepo } from "../../people/index.ts"
import { OneTimeCodes } from "../../signIn/index.ts"
import { makeDeviceSignInsRepo } from "../devices/DeviceSignInsRepo.ts"
import { makePasskeysRepo } from "../passkeys/PasskeysRepo.ts"
import { RecoveryCodes } from "../passkeys/RecoveryCodes.ts"
import { StaffSessions } from "../sessions/StaffSessions.ts"
import { makeOperatorsRepo } from "./OperatorsRepo.ts"
import { ResetNotices } from "./ResetNotices.ts"

/** The people of the platform, and the reset of anybody's sign-in. */
export class Operators extends Context.Service<
  Operators,
  {
    /** Adds an operator. The first one makes the organization of the platform. */
    readonly invite: (operator: NewOperator) => Effect.Effect<Member, EmailTaken>
    readonly list: (query: PageQuery) => Effect.Effect<Page<Member>>
    /** Deactivates an operator, whose sessions end. One always stays. */
    readonly remove: (userId: UserId) => Effect.Effect<void, UserNotFound | LastOperator>
    /** Removes passkeys, codes, sessions and approved devices of a member of staff, who gets a message. */
    readonly resetSignIn: (userId: UserId) => Effect.Effect<void, UserNotFound>
  }
>()("@care/auth/staff/Operators") {
  static readonly layer = Layer.effect(
    Operators,
    Effect.gen(function* () {
      const audit = yield* Audit
      const codes = yield* OneTimeCodes
      const devices = yield* makeDeviceSignInsRepo
      const members = yield* makeMembersRepo
      const notices = yield* ResetNotices
      const passkeys = yield* makePasskeysRepo
      const recoveryCodes = yield* RecoveryCodes
      const repo = yield* makeOperatorsRepo
      const sessions = yield* StaffSessions
      const sql = yield* SqlClient.SqlClient
      const users = yield* makeUsersRepo

      return Operators.of({
        invite: Effect.fn("Operators.invite")(function* (operator) {
          const now = yield* DateTime.nowAsDate
          yield* repo.ensurePlatform(now)
          const added = yield* members
            .insert(platformId, UserId.make(randomUUID()), { ...operator, role: "OPERATOR" }, now)
            .pipe(Effect.catchTag("PhoneNumberTaken", Effect.die))
          yield* audit.changed({ organizationId: platformId, action: "MEMBER_ADDED", userId: added.id })
          return added
        }, inTransaction(sql)),
        list: Effect.fn("Operators.list")(function* ({ cursor = oldest, limit }) {
          return pageFrom(yield* members.page(platformId, true, cursor, limit + 1), limit)
        }),
        remove: Effect.fn("Operators.remove")(function* (userId) {
          const now = yield* DateTime.nowAsDate
          yield* repo.lockPlatform
          const active = yield* repo.twoActive(userId)
          if (active.every(({ id }) => id !== userId)) return yield* new UserNotFound({ userId })
          if (active.length === 1) return yield* new LastOperator()
          yield* members.deleteOperator(platformId, userId, now)
          yield* devices.denyApproved(platformId, userId)
          yield* sessions.endAll(platformId, userId)
          yield* audit.changed({ organizationId: platformId, action: "MEMBER_REMOVED", userId })
        }, inTransaction(sql)),
        resetSignIn: Effect.fn("Operators.resetSignIn")(function* (userId) {
          const owner = Option.filter(
            yield* users.findOwner(userId, yield* organizationScope),
            ({ role }) => role !== "USER"
          )
          const { organizationId } = yield* Effect.fromOption(owner, () => new UserNotFound({ userId }))
          yield* members.lock(organizationId, userId)
          yield* passkeys.deleteAll(organizationId, userId)
          yield* recoveryCodes.removeAll(organizationId, userId)
          yield* codes.removeAll(organizationId, userId)
          yield* devices.denyApproved(organizationId, userId)
          yield* sessions.endAll(organizationId, userId)
          yield* audit.changed({ organizationId, action: "SECOND_FACTOR_RESET", userId })
          yield* notices.offer({ organizationId, userId })
        }, inTransaction(sql))
      })
    })
  ).pipe(Layer.provide([OneTimeCodes.layer, RecoveryCodes.layer, ResetNotices.layer]))
}
