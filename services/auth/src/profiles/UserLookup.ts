import { Audit } from "@care/audit"
import { IdentifierMissing, type UserCheck, type UserIdentifier } from "@care/domain/auth"
import { answerLimits, type RateLimited } from "@care/domain/http"
import type { OrganizationId } from "@care/domain/ids"
import { makeAnswerLimit } from "@care/service-kit"
import { Context, Effect, Layer, Option } from "effect"
import { type FoundUser, makeUsersRepo } from "../people/index.ts"
import { UsersElsewhere } from "./UsersElsewhere.ts"

type UserExists = Extract<UserCheck, { success: true }>
type Match = readonly [message: UserExists["message"], code: UserExists["data"]["code"]]

const absent: UserCheck = { success: false, message: "User does not exist", data: { code: "USER_NOT_FOUND" } }

/**
 * Answers whether an email or phone number belongs to a user of any organization, in any cell. A user of a cell that does not answer is not
 * found: this answer is about the organization's own users, whom its own cell knows, before all others.
 */
export class UserLookup extends Context.Service<
  UserLookup,
  {
    /** Looks for the email, or for the phone number if there is no email. */
    readonly check: (
      organizationId: OrganizationId,
      query: { readonly email?: string | undefined; readonly "phone-number"?: string | undefined }
    ) => Effect.Effect<UserCheck, IdentifierMissing | RateLimited>
  }
>()("@care/auth/users/UserLookup") {
  static readonly layer = Layer.effect(
    UserLookup,
    Effect.gen(function* () {
      const audit = yield* Audit
      const limit = yield* makeAnswerLimit(answerLimits.userLookup)
      const repo = yield* makeUsersRepo
      const elsewhere = yield* UsersElsewhere

      // A user of another organization is not audited: that organization must not learn who else asks.
      const answer = Effect.fnUntraced(function* (
        organizationId: OrganizationId,
        identifier: UserIdentifier,
        user: Option.Option<FoundUser>,
        ...[message, code]: Match
      ) {
        const exists = (createdAt: Date, isOwn: boolean): UserCheck => ({
          success: true,
          message,
          data: { createdAt, existsInCurrentOrganization: isOwn, code }
        })
        if (Option.isSome(user) && user.value.isOwn) {
          yield* audit.read({ organizationId, action: "PATIENT_FOUND", userId: user.value.id })
          return exists(user.value.createdAt, true)
        }
        yield* limit.count(organizationId)
        if (Option.isSome(user)) return exists(user.value.createdAt, false)
        const { createdAt } = yield* elsewhere.find(identifier)
        return Option.isSome(createdAt) ? exists(createdAt.value, false) : absent
      })

      return UserLookup.of({
        check: Effect.fn("UserLookup.check")(function* (organizationId, { email, "phone-number": phoneNumber }) {
          if (email !== undefined) {
            const user = yield* repo.checkEmail(organizationId, email)
            return yield* answer(organizationId, { email }, user, "Email already exists", "EMAIL_EXISTS")
          }
          if (phoneNumber === undefined) return yield* new IdentifierMissing()
          const user = yield* repo.checkPhoneNumber(organizationId, phoneNumber)
          return yield* answer(
            organizationId,
            { phoneNumber },
            user,
            "Phone number already exists",
            "PHONE_NUMBER_EXISTS"
          )
        })
      })
    })
  )
}
