import { Record, Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { Action, answerLimits, rateWindowSeconds } from "../http/annotations.ts"
import { callers } from "../http/callers.ts"
import { broken, idempotencyConflictAs, keyRefused, keysAs, rateLimited } from "../http/commonErrors.ts"
import { Email } from "../http/Email.ts"
import { invalidRequest, message, messageOf, unauthorized } from "../http/errorForms.ts"
import { idempotencyHeader } from "../http/idempotencyHeader.ts"
import { DocumentedErrors, PatientAccess } from "../http/middleware.ts"
import { mistakesAs } from "../http/mistakesAs.ts"
import { constant, ok } from "../http/ok.ts"
import { queryEmail, queryPhoneNumber } from "../http/queryParameters.ts"
import { AccessTokenRejected } from "../http/RequestErrors.ts"
import { requestExample } from "../http/requestExample.ts"
import { showing, shownMoment } from "../http/shownAnswers.ts"
import { Timestamp } from "../http/Timestamp.ts"
import { describeUserOperations } from "./describeUserOperations.ts"
import {
  Contact,
  contactExample,
  EmailUnknown,
  IdentifierMissing,
  NewEmailTaken,
  NotAPatient,
  Profile,
  ProfileChange,
  ProfileLocked,
  profileExample,
  UserOutside
} from "./Profile.ts"
import { PhoneNumberTaken } from "./User.ts"

const shownEmail = "maria.lopez@example.com"

const actionErrors = [
  ...keyRefused,
  mistakesAs(invalidRequest),
  idempotencyConflictAs(messageOf("Idempotency conflict", "IDEMPOTENCY_ERROR")),
  message(
    EmailUnknown,
    400,
    ({ email }) => `User ${email} does not exist`,
    "No user has the email",
    new EmailUnknown({ email: shownEmail })
  ),
  message(
    UserOutside,
    400,
    ({ email }) => `User ${email} does not exist in the organization`,
    "Only users of other organizations have the email",
    new UserOutside({ email: shownEmail })
  ),
  rateLimited,
  ...broken
] as const

const { requests } = answerLimits.userLookup

const limited = `Rate limit: in ${rateWindowSeconds} seconds an organization may send ${requests} requests to \`check-user\`, \`UPDATE_PROFILE\` and \`UPDATE_EMAIL\` together that name an email or phone number which no user of the organization has, the new email of \`UPDATE_EMAIL\` included. Further ones are refused with 429. Requests about the organization's own users do not count and are never refused.`

const newEmailTaken = {
  organization: (email: string) => `New Email ${email} already exists`,
  database: (email: string) => `User with email ${email} already exists in database`,
  authentication: (email: string) => `User with email ${email} already exists in authentication`
} as const

const updated = <S extends Schema.Top, const Message extends string>(identifier: string, user: S, message: Message) =>
  ok({ message: constant(message), data: Schema.Struct({ user }) }).annotate({ identifier, description: message })

const UserExists = Schema.Struct({
  success: Schema.Literal(true),
  message: Schema.Literals(["Email already exists", "Phone number already exists"]),
  data: Schema.Struct({
    createdAt: Timestamp,
    existsInCurrentOrganization: Schema.Boolean,
    code: Schema.Literals(["EMAIL_EXISTS", "PHONE_NUMBER_EXISTS"])
  })
}).annotate({ identifier: "UserExists" })

const UserAbsent = Schema.Struct({
  success: Schema.Literal(false),
  message: Schema.Literal("User does not exist"),
  data: Schema.Struct({ code: Schema.Literal("USER_NOT_FOUND") })
}).annotate({ identifier: "UserAbsent" })

const existing = { createdAt: shownMoment, existsInCurrentOrganization: true }

export const UserCheck = showing(
  Schema.Union([UserExists, UserAbsent]),
  { success: true, message: "Email already exists", data: { ...existing, code: "EMAIL_EXISTS" } },
  { success: true, message: "Phone number already exists", data: { ...existing, code: "PHONE_NUMBER_EXISTS" } },
  { success: false, message: "User does not exist", data: { code: "USER_NOT_FOUND" } }
)
export type UserCheck = typeof UserCheck.Type

export class UsersApi extends HttpApiGroup.make("users")
  .add(
    HttpApiEndpoint.get("checkUser", "/api/v1/check-user", {
      query: { email: queryEmail, "phone-number": queryPhoneNumber },
      success: UserCheck,
      error: [
        ...keysAs(unauthorized, 401, "Invalid request"),
        message(
          IdentifierMissing,
          400,
          "Email or phone number is required.",
          "The email and the phone number are both missing"
        ),
        mistakesAs(message, "A parameter is malformed"),
        rateLimited,
        ...broken
      ]
    })
      .annotate(OpenApi.Summary, "Check whether a user exists")
      .annotate(
        OpenApi.Description,
        `Checks whether a user of any organization has this email. The phone number is used if no email is sent. ${limited}`
      ),
    HttpApiEndpoint.get("me", "/api/v1/users/me", {
      success: ok({ data: Schema.Struct({ user: Profile }) }),
      error: [
        ...keyRefused,
        mistakesAs(invalidRequest, "The version in `care-version` is unknown"),
        unauthorized(
          AccessTokenRejected,
          401,
          "Invalid access token",
          "The access token is missing, invalid, expired, or of another organization"
        ),
        ...broken
      ]
    })
      .middleware(PatientAccess)
      .annotate(OpenApi.Summary, "Read the signed-in patient's profile")
      .annotate(OpenApi.Description, "Returns the profile of the patient whom the access token belongs to."),
    HttpApiEndpoint.post("updateProfile", "/api/v1/users/UPDATE_PROFILE", {
      headers: idempotencyHeader,
      payload: Schema.Struct({ action: Schema.Literal("UPDATE_PROFILE"), data: ProfileChange }).annotate({
        identifier: "UpdateProfile"
      }),
      success: showing(updated("ProfileUpdated", Profile, "Profile updated successfully"), {
        data: { user: profileExample }
      }),
      error: [
        ...actionErrors,
        message(NotAPatient, 400, "Not allowed to update the profile", "The user is not a patient"),
        message(
          ProfileLocked,
          400,
          "Cannot update user profile fields (firstName, lastName, dob, gender) for user with cases",
          "Name, date of birth and gender cannot be changed because a case of the patient has been assigned to a provider"
        ),
        message(
          PhoneNumberTaken,
          400,
          "Unable to use this phone number. Please use a different one",
          "Another user of the organization has the phone number"
        )
      ]
    })
      .annotate(Action, "UPDATE_PROFILE")
      .annotate(
        OpenApi.Transform,
        requestExample({
          action: "UPDATE_PROFILE",
          data: {
            email: "maria.lopez@example.com",
            address: "1200 Broadway",
            city: "Oakland",
            postalCode: "94612",
            communication: { smsNotificationsDisabled: true }
          }
        })
      )
      .annotate(OpenApi.Summary, "Change a profile")
      .annotate(
        OpenApi.Description,
        `Changes a patient's profile. Absent fields are not changed; \`address2: null\` removes the second line of the address. A phone number belongs to one patient, because patients sign in with it: the number of another user of the organization is refused, even if two patients share a telephone. ${limited}`
      ),
    HttpApiEndpoint.post("updateEmail", "/api/v1/users/UPDATE_EMAIL", {
      headers: idempotencyHeader,
      payload: Schema.Struct({
        action: Schema.Literal("UPDATE_EMAIL"),
        data: Schema.Struct({ currentEmail: Email, newEmail: Email })
      }).annotate({ identifier: "UpdateEmail" }),
      success: showing(updated("EmailUpdated", Contact, "Email updated successfully"), {
        data: { user: contactExample }
      }),
      error: [
        ...actionErrors,
        message(NotAPatient, 400, "Not allowed to update the email", "The user is not a patient"),
        message(
          NewEmailTaken,
          400,
          ({ by, email }) => newEmailTaken[by](email),
          "Another user has the new email",
          ...Record.keys(newEmailTaken).map((by) => new NewEmailTaken({ by, email: shownEmail }))
        )
      ]
    })
      .annotate(Action, "UPDATE_EMAIL")
      .annotate(OpenApi.Summary, "Change an email")
      .annotate(
        OpenApi.Transform,
        requestExample({
          action: "UPDATE_EMAIL",
          data: { currentEmail: "maria.lopez@example.com", newEmail: "maria@example.com" }
        })
      )
      .annotate(
        OpenApi.Description,
        `Changes a patient's email, even if the patient has active cases. It ends the patient's sign-ins and sends a notice to the old email. ${limited}`
      )
  )
  .annotateMerge(describeUserOperations)
  .middleware(DocumentedErrors)
  .middleware(callers.partner.Access) {}
