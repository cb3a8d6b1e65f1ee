import { Audit } from "@care/audit"
import {
  Contact,
  EmailUnknown,
  NewEmailTaken,
  NotAPatient,
  type PhoneNumberTaken,
  Profile,
  type ProfileChange,
  ProfileLocked,
  UserOutside
} from "@care/domain/auth"
import { caseLookupApi } from "@care/domain/cases"
import { answerLimits, type IdempotencyConflict, type RateLimited, type VerifiedClaims } from "@care/domain/http"
import type { OrganizationId } from "@care/domain/ids"
import { Once, onceOperation } from "@care/once"
import { makePatientKeys } from "@care/phi"
import { inTransaction, makeAnswerLimit, PeerUnavailable, peer, Time } from "@care/service-kit"
import { Context, Effect, Layer, Option } from "effect"
import { SqlClient } from "effect/sql"
import { EmailChangeNotices } from "../messages/index.ts"
import { type EmailMove, makeUsersRepo, PersonReplication, type UserRow } from "../people/index.ts"
import { CodeRequests, OneTimeCodes, RefreshTokens } from "../signIn/index.ts"
import { contactOf, profileOf } from "./profileOf.ts"
import { UsersElsewhere } from "./UsersElsewhere.ts"

type UserRefusal = EmailUnknown | UserOutside | NotAPatient | RateLimited

const profileUpdate = onceOperation({ name: "updateProfile", version: 1, ids: {}, answer: Profile })
const emailUpdate = onceOperation({ name: "updateEmail", version: 1, ids: {}, answer: Contact })

const lockedFields = ["firstName", "lastName", "dob", "gender"] as const

const changesLockedField = (user: UserRow, change: ProfileChange): boolean =>
  lockedFields.some((field) => change[field] !== undefined && change[field] !== user[field])

/** The profiles of patients, as partners and the patients themselves see and change them. */
export class Users extends Context.Service<
  Users,
  {
    /** Returns the profile of a signed-in patient, unless they are deleted or the session has ended. */
    readonly profile: (patient: VerifiedClaims) => Effect.Effect<Option.Option<Profile>>
    readonly updateProfile: (
      organizationId: OrganizationId,
      change: ProfileChange,
      idempotencyKey: string | undefined
    ) => Effect.Effect<Profile, UserRefusal | ProfileLocked | PhoneNumberTaken | IdempotencyConflict>
    /** Changes a patient's email, ends their codes and sessions, and sends a notice to the old address. */
    readonly updateEmail: (
      organizationId: OrganizationId,
      emails: EmailMove,
      idempotencyKey: string | undefined
    ) => Effect.Effect<Contact, UserRefusal | NewEmailTaken | IdempotencyConflict>
  }
>()("@care/auth/users/Users") {
  static readonly layer = Layer.effect(
    Users,
    Effect.gen(function* () {
      const audit = yield* Audit
      const repo = yield* makeUsersRepo
      const cases = yield* peer(caseLookupApi, "caseLookup")
      const codes = yield* OneTimeCodes
      const codeRequests = yield* CodeRequests
      const refreshTokens = yield* RefreshTokens
      const limit = yield* makeAnswerLimit(answerLimits.userLookup)
      const notices = yield* EmailChangeNotices
      const replication = yield* PersonReplication
      const once = yield* Once
      const patientKeys = yield* makePatientKeys
      const elsewhere = yield* UsersElsewhere
      const sql = yield* SqlClient.SqlClient

      const findPatient = Effect.fnUntraced(function* (organizationId: OrganizationId, email: string) {
        const found = yield* repo.findByEmail(organizationId, email)
        if (Option.isNone(found)) {
          yield* limit.count(organizationId)
          const isOutside =
            Option.isSome(yield* repo.checkEmail(organizationId, email)) ||
            Option.isSome((yield* elsewhere.find({ email })).createdAt)
          return yield* isOutside ? new UserOutside({ email }) : new EmailUnknown({ email })
        }
        return found.value.role === "USER" ? found.value : yield* new NotAPatient()
      })

      const columnsOf = ({ communication, email: _, ...change }: ProfileChange) => ({
        ...change,
        smsNotificationsDisabled: communication?.smsNotificationsDisabled,
        notificationsDisabled: communication?.notificationsDisabled
      })

      const profileChange = Effect.fnUntraced(function* (organizationId: OrganizationId, change: ProfileChange) {
        const user = yield* findPatient(organizationId, change.email)
        if (changesLockedField(user, change)) {
          const lock = yield* Effect.orDie(cases.profileLock({ params: { organizationId, userId: user.id } }))
          if (lock.isLocked) return yield* new ProfileLocked()
        }
        const now = yield* Time.nowAsDate
        const update = Effect.gen(function* () {
          const key = yield* patientKeys.of(organizationId, user.id)
          const updated = yield* repo.update(key, organizationId, user.id, columnsOf(change), now)
          yield* audit.changed({ organizationId, action: "PROFILE_CHANGED", userId: user.id })
          yield* replication.changed(organizationId, [user.id])
          return profileOf(yield* Effect.fromOption(updated, () => new EmailUnknown({ email: change.email })))
        })
        return inTransaction(sql)(update)
      })

      // No lock spans cells: two patients of two cells who change to one email at the same moment may both get it.
      const requireFreeElsewhere = Effect.fnUntraced(function* (email: string) {
        const { createdAt, isComplete } = yield* elsewhere.find({ email })
        if (Option.isSome(createdAt)) return yield* new NewEmailTaken({ email, by: "database" })
        if (!isComplete) return yield* Effect.die(new PeerUnavailable({ peer: "another cell" }))
      })

      const emailChange = Effect.fnUntraced(function* (organizationId: OrganizationId, emails: EmailMove) {
        const { currentEmail, newEmail } = emails
        const user = yield* findPatient(organizationId, currentEmail)
        const holder = yield* repo.checkEmail(organizationId, newEmail)
        if (Option.isSome(holder) && holder.value.isOwn) {
          return yield* new NewEmailTaken({ email: newEmail, by: "organization" })
        }
        yield* limit.count(organizationId)
        if (Option.isNone(holder)) yield* requireFreeElsewhere(newEmail)
        const now = yield* Time.nowAsDate
        const move = Effect.gen(function* () {
          yield* patientKeys.of(organizationId, user.id)
          const moved = yield* repo.moveEmail(organizationId, user.id, emails, now)
          yield* codes.removeAll(organizationId, user.id)
          yield* codeRequests.forget(organizationId, [
            currentEmail,
            newEmail,
            ...(moved.phoneNumber === null ? [] : [moved.phoneNumber])
          ])
          yield* refreshTokens.revokeAll(organizationId, user.id)
          yield* notices.offer({ organizationId, userId: user.id, formerEmail: currentEmail })
          yield* audit.changed({ organizationId, action: "EMAIL_CHANGED", userId: user.id })
          yield* replication.changed(organizationId, [user.id])
          return contactOf(moved)
        })
        return inTransaction(sql)(move)
      })

      // Fails with who has the email. Another request may also have changed the patient meanwhile.
      const failEmailInUse = Effect.fnUntraced(function* (
        organizationId: OrganizationId,
        { currentEmail, newEmail: email }: EmailMove
      ) {
        const holder = yield* repo.checkEmail(organizationId, email)
        if (Option.isSome(holder)) {
          return yield* new NewEmailTaken({ email, by: holder.value.isOwn ? "organization" : "database" })
        }
        yield* findPatient(organizationId, currentEmail)
        return yield* new NewEmailTaken({ email, by: "authentication" })
      })

      return Users.of({
        profile: Effect.fn("Users.profile")(function* ({ organizationId, sessionId, userId }) {
          if (!(yield* refreshTokens.isLiving(organizationId, sessionId))) return Option.none()
          const user = yield* repo.findById(organizationId, userId)
          if (Option.isSome(user)) yield* audit.read({ organizationId, action: "PROFILE_READ", userId })
          return Option.map(user, profileOf)
        }),
        updateProfile: Effect.fn("Users.updateProfile")((organizationId, change, key) =>
          once.run(profileUpdate, { organizationId, key, body: change }, () => profileChange(organizationId, change))
        ),
        updateEmail: Effect.fn("Users.updateEmail")((organizationId, emails, key) =>
          once
            .run(emailUpdate, { organizationId, key, body: emails }, () => emailChange(organizationId, emails))
            .pipe(Effect.catchTag("EmailInUse", () => failEmailInUse(organizationId, emails)))
        )
      })
    })
  ).pipe(Layer.provide([CodeRequests.layer, EmailChangeNotices.layer, OneTimeCodes.layer, RefreshTokens.layer]))
}
