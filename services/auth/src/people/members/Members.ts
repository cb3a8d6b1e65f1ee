import { randomUUID } from "node:crypto"
import { Audit } from "@care/audit"
import {
  type EmailTaken,
  type Member,
  type MemberChange,
  type MembersQuery,
  type NewMember,
  type OrganizationNotFound,
  type PhoneNumberTaken,
  UserNotFound
} from "@care/domain/auth"
import { type OrganizationId, UserId } from "@care/domain/ids"
import { inTransaction, oldest, organizationScope, type Page, pageFrom, Time } from "@care/service-kit"
import { Context, Effect, Layer } from "effect"
import { SqlClient } from "effect/sql"
import { Organizations } from "../../organizations/index.ts"
import { PersonReplication } from "../PersonReplication.ts"
import { makeUsersRepo } from "../users/UsersRepo.ts"
import { makeMembersRepo } from "./MembersRepo.ts"

/** The staff of organizations. A person who works for two organizations has an account at each. */
export class Members extends Context.Service<
  Members,
  {
    readonly add: (
      organizationId: OrganizationId,
      member: NewMember
    ) => Effect.Effect<Member, OrganizationNotFound | EmailTaken | PhoneNumberTaken>
    readonly list: (
      organizationId: OrganizationId,
      query: MembersQuery
    ) => Effect.Effect<Page<Member>, OrganizationNotFound>
    readonly change: (userId: UserId, change: MemberChange) => Effect.Effect<Member, UserNotFound>
    readonly removeUser: (userId: UserId) => Effect.Effect<void, UserNotFound>
  }
>()("@care/auth/members/Members") {
  static readonly layer = Layer.effect(
    Members,
    Effect.gen(function* () {
      const audit = yield* Audit
      const repo = yield* makeMembersRepo
      const organizations = yield* Organizations
      const replication = yield* PersonReplication
      const sql = yield* SqlClient.SqlClient
      const users = yield* makeUsersRepo

      const ownerOf = Effect.fnUntraced(function* (userId: UserId) {
        const owner = yield* users.findOwner(userId, yield* organizationScope)
        return yield* Effect.fromOption(owner, () => new UserNotFound({ userId }))
      })

      return Members.of({
        add: Effect.fn("Members.add")(function* (organizationId, member) {
          yield* organizations.get(organizationId)
          const added = yield* repo.insert(organizationId, UserId.make(randomUUID()), member, yield* Time.nowAsDate)
          yield* audit.changed({ organizationId, action: "MEMBER_ADDED", userId: added.id })
          yield* replication.changed(organizationId, [added.id])
          return added
        }, inTransaction(sql)),
        list: Effect.fn("Members.list")(function* (organizationId, { cursor = oldest, isActive, limit }) {
          yield* organizations.get(organizationId)
          return pageFrom(yield* repo.page(organizationId, isActive === "true", cursor, limit + 1), limit)
        }),
        change: Effect.fn("Members.change")(function* (userId, change) {
          const { organizationId } = yield* ownerOf(userId)
          const changed = yield* repo.change(organizationId, userId, change, yield* Time.nowAsDate)
          const member = yield* Effect.fromOption(changed, () => new UserNotFound({ userId }))
          yield* audit.changed({ organizationId, action: "MEMBER_CHANGED", userId })
          yield* replication.changed(organizationId, [userId])
          return member
        }, inTransaction(sql)),
        removeUser: Effect.fn("Members.removeUser")(function* (userId) {
          const { organizationId, role } = yield* ownerOf(userId)
          const isDeleted = yield* repo.deleteUser(organizationId, userId, yield* Time.nowAsDate)
          if (!isDeleted) return yield* new UserNotFound({ userId })
          yield* audit.changed({
            organizationId,
            action: role === "USER" ? "PATIENT_REMOVED" : "MEMBER_REMOVED",
            userId
          })
          yield* replication.changed(organizationId, [userId])
        }, inTransaction(sql))
      })
    })
  ).pipe(Layer.provide(Organizations.layer))
}
