import { randomUUID } from "node:crypto"
import {
  EmailTaken,
  type Member,
  type NewMember,
  type OrganizationId,
  type OrganizationNotFound,
  PhoneNumberTaken,
  UserId,
  UserNotFound
} from "@care/domain"
import { Context, DateTime, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { Organizations } from "../organizations/Organizations.ts"
import { MembersRepo } from "./MembersRepo.ts"
import { ProviderAnnouncement } from "./ProviderAnnouncement.ts"

/** The staff of organizations. One account may work for several organizations in one role. */
export class Members extends Context.Service<
  Members,
  {
    readonly add: (
      organizationId: OrganizationId,
      member: NewMember
    ) => Effect.Effect<Member, OrganizationNotFound | EmailTaken | PhoneNumberTaken>
    readonly removeUser: (userId: UserId) => Effect.Effect<void, UserNotFound>
  }
>()("@care/auth/members/Members") {
  static readonly layer = Layer.effect(
    Members,
    Effect.gen(function* () {
      const repo = yield* MembersRepo
      const organizations = yield* Organizations
      const announcement = yield* ProviderAnnouncement
      const sql = yield* SqlClient.SqlClient

      const insertUser = Effect.fnUntraced(function* (member: NewMember, now: Date) {
        const id = UserId.make(randomUUID())
        yield* repo
          .insertUser(id, member, now)
          .pipe(
            Effect.mapError(({ field }) =>
              field === "email" ? new EmailTaken({ email: member.email }) : new PhoneNumberTaken()
            )
          )
        return id
      })

      const add = Effect.fn("Members.add")(function* (organizationId: OrganizationId, member: NewMember) {
        yield* organizations.get(organizationId)
        const now = yield* DateTime.nowAsDate
        const known = yield* repo.findStaff(member.email, member.role)
        const userId = Option.isSome(known) ? known.value : yield* insertUser(member, now)
        const isNew = yield* repo.insertAccess(organizationId, userId, member, now)
        if (!isNew) return yield* new EmailTaken({ email: member.email })
        if (member.role === "PROVIDER") yield* announcement.offer({ organizationId }).pipe(Effect.orDie)
        return yield* repo.find(organizationId, userId)
      })

      return Members.of({
        add: (organizationId, member) =>
          sql.withTransaction(add(organizationId, member)).pipe(Effect.catchTag("SqlError", Effect.die)),
        removeUser: Effect.fn("Members.removeUser")(function* (userId) {
          const isFound = yield* repo.deleteUser(userId, yield* DateTime.nowAsDate)
          if (!isFound) return yield* new UserNotFound({ userId })
        })
      })
    })
  ).pipe(Layer.provide(MembersRepo.layer))
}
