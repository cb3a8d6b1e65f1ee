import { IdentifierMissing, type UserCheck } from "@care/domain/auth"
import type { OrganizationId } from "@care/domain/ids"
import { Context, Effect, Layer, Option } from "effect"
import { type FoundUser, makeUsersRepo } from "./UsersRepo.ts"

const found = (
  { createdAt, isOwn }: FoundUser,
  message: Extract<UserCheck, { success: true }>["message"],
  code: Extract<UserCheck, { success: true }>["data"]["code"]
): UserCheck => ({ success: true, message, data: { createdAt, existsInCurrentOrganization: isOwn, code } })

const absent: UserCheck = { success: false, message: "User does not exist", data: { code: "USER_NOT_FOUND" } }

/** Whether somebody is a user already, in any organization. */
export class UserLookup extends Context.Service<
  UserLookup,
  {
    /** Asks about an email or, for lack of it, a phone number. */
    readonly check: (
      organizationId: OrganizationId,
      query: { readonly email?: string | undefined; readonly "phone-number"?: string | undefined }
    ) => Effect.Effect<UserCheck, IdentifierMissing>
  }
>()("@care/auth/users/UserLookup") {
  static readonly layer = Layer.effect(
    UserLookup,
    Effect.gen(function* () {
      const repo = yield* makeUsersRepo
      return UserLookup.of({
        check: Effect.fn("UserLookup.check")(function* (organizationId, { email, "phone-number": phoneNumber }) {
          if (email !== undefined) {
            const user = yield* repo.checkEmail(organizationId, email)
            return Option.isSome(user) ? found(user.value, "Email already exists", "EMAIL_EXISTS") : absent
          }
          if (phoneNumber === undefined) return yield* new IdentifierMissing()
          const user = yield* repo.checkPhoneNumber(organizationId, phoneNumber)
          return Option.isSome(user) ? found(user.value, "Phone number already exists", "PHONE_NUMBER_EXISTS") : absent
        })
      })
    })
  )
}
