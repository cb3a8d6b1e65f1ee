import { Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import { RateLimit, rateLimits } from "../http/annotations.ts"
import { lengths } from "../http/bounds.ts"
import { callers } from "../http/callers.ts"
import { DocumentedErrors } from "../http/middleware.ts"
import { created } from "../http/ok.ts"
import { problem, secondFactorProblem, stepUpProblem } from "../http/Problem.ts"
import { codeLike, nameUpTo } from "../http/Text.ts"
import { PasskeyId, StaffSessionId, UserId } from "../Ids.ts"
import { CreatedCredential, LastPasskey, Passkey, PasskeyCreation, PasskeyNotFound, PasskeysFull } from "./Passkey.ts"
import { StaffAccess } from "./StaffAccess.ts"
import { OwnStaffSession, RecoveryCodeRejected, StaffSession, StaffSessionNotFound } from "./StaffSession.ts"
import { deviceCodeUnknown } from "./StaffSignInApi.ts"
import { passkeyRejected, sessionErrors, tooManySignIns } from "./staffErrors.ts"
import { UserNotFound } from "./User.ts"

const done = HttpApiSchema.NoContent.annotate({ description: "Done" })

const passkeyNotFound = problem(
  PasskeyNotFound,
  404,
  "Passkey not found",
  ({ passkeyId }) => `You have no passkey with the id ${passkeyId}.`
)

const passkeysFull = problem(
  PasskeysFull,
  409,
  "Too many passkeys",
  ({ limit }) => `You have ${limit} passkeys, which is the most. Delete one first.`
)

const passkeyName = nameUpTo(lengths.name)

export class StaffSessionApi extends HttpApiGroup.make("staffSession")
  .add(
    HttpApiEndpoint.get("whoAmI", "/admin/v1/session", { success: OwnStaffSession, error: sessionErrors })
      .annotate(OpenApi.Summary, "Get your session")
      .annotate(OpenApi.Description, "Returns who is signed in, and until when."),
    HttpApiEndpoint.delete("signOut", "/admin/v1/session", { success: done, error: sessionErrors })
      .annotate(OpenApi.Summary, "End your session")
      .annotate(OpenApi.Description, "Ends the session, and removes its cookie."),
    HttpApiEndpoint.get("sessions", "/admin/v1/sessions", {
      query: { userId: Schema.optionalKey(UserId) },
      success: Schema.Struct({ data: Schema.Array(StaffSession) }),
      error: [
        ...sessionErrors,
        secondFactorProblem,
        problem(UserNotFound, 404, "User not found", ({ userId }) => `No user has the id ${userId}.`)
      ]
    })
      .annotate(OpenApi.Summary, "List sessions of staff")
      .annotate(
        OpenApi.Description,
        "Lists your sessions, newest first, at most 100. With `userId` those of a member, for an administrator of their organization or an operator."
      ),
    HttpApiEndpoint.delete("endOtherSessions", "/admin/v1/sessions", {
      success: done,
      error: [...sessionErrors, secondFactorProblem]
    })
      .annotate(OpenApi.Summary, "End your other sessions")
      .annotate(
        OpenApi.Description,
        "Ends all your sessions except this one, and denies devices that you approved and that have no token yet. The sessions stop working within 5 seconds."
      ),
    HttpApiEndpoint.delete("endSession", "/admin/v1/sessions/:sessionId", {
      params: { sessionId: StaffSessionId },
      success: done,
      error: [
        ...sessionErrors,
        secondFactorProblem,
        problem(
          StaffSessionNotFound,
          404,
          "Session not found",
          ({ sessionId }) => `No session that you may end has the id ${sessionId}.`
        )
      ]
    })
      .annotate(OpenApi.Summary, "End a session of staff")
      .annotate(OpenApi.Description, "Ends one of the sessions that you may list. It stops working within 5 seconds."),
    HttpApiEndpoint.get("passkeys", "/admin/v1/session/passkeys", {
      success: Schema.Struct({ data: Schema.Array(Passkey) }),
      error: [...sessionErrors, secondFactorProblem]
    })
      .annotate(OpenApi.Summary, "List your passkeys")
      .annotate(OpenApi.Description, "Lists your passkeys, oldest first."),
    HttpApiEndpoint.post("creationOptions", "/admin/v1/session/passkeys/registration", {
      success: PasskeyCreation,
      error: [...sessionErrors, secondFactorProblem, stepUpProblem, passkeysFull]
    })
      .annotate(OpenApi.Summary, "Ask for a challenge to a new passkey")
      .annotate(
        OpenApi.Description,
        "Returns the options of `navigator.credentials.create`. The challenge is valid for 5 minutes, once, and only for this session. In a `PENDING` session, or within 5 minutes of a single sign-on, only a person without passkeys may enrol one, and later ones need a step-up."
      ),
    HttpApiEndpoint.post("register", "/admin/v1/session/passkeys", {
      payload: Schema.Struct({ name: passkeyName, credential: CreatedCredential }),
      success: created(
        Schema.Struct({
          passkey: Passkey,
          recoveryCodes: Schema.Array(Schema.String).annotate({
            description: "Ten codes with the first passkey, and none with others. They are shown only here."
          }),
          session: OwnStaffSession
        })
      ),
      error: [...sessionErrors, secondFactorProblem, stepUpProblem, passkeyRejected, passkeysFull]
    })
      .annotate(OpenApi.Summary, "Enrol a passkey")
      .annotate(
        OpenApi.Description,
        "Stores a new passkey. The first one makes the session `ACTIVE`, with another id and cookie, and returns the recovery codes."
      ),
    HttpApiEndpoint.patch("renamePasskey", "/admin/v1/session/passkeys/:passkeyId", {
      params: { passkeyId: PasskeyId },
      payload: Schema.Struct({ name: passkeyName }),
      success: Passkey,
      error: [...sessionErrors, secondFactorProblem, passkeyNotFound]
    })
      .annotate(OpenApi.Summary, "Rename a passkey")
      .annotate(OpenApi.Description, "Gives one of your passkeys another name."),
    HttpApiEndpoint.delete("deletePasskey", "/admin/v1/session/passkeys/:passkeyId", {
      params: { passkeyId: PasskeyId },
      success: done,
      error: [
        ...sessionErrors,
        secondFactorProblem,
        stepUpProblem,
        passkeyNotFound,
        problem(LastPasskey, 409, "Last passkey", "It is your only passkey. Enrol another one first.")
      ]
    })
      .annotate(OpenApi.Summary, "Delete a passkey")
      .annotate(OpenApi.Description, "Deletes one of your passkeys, but not the last one. It needs a step-up."),
    HttpApiEndpoint.post("renewRecoveryCodes", "/admin/v1/session/recovery-codes", {
      success: created(
        Schema.Struct({
          data: Schema.Array(Schema.String).annotate({ description: "Ten codes. They are shown only here." })
        })
      ),
      error: [...sessionErrors, secondFactorProblem, stepUpProblem]
    })
      .annotate(OpenApi.Summary, "Make new recovery codes")
      .annotate(OpenApi.Description, "Returns ten new recovery codes, and voids the older ones. It needs a step-up."),
    HttpApiEndpoint.post("recover", "/admin/v1/session/recovery", {
      payload: Schema.Struct({
        code: codeLike(/^\s*[0-9A-Za-z]{5}-?[0-9A-Za-z]{5}\s*$/u, "must be a recovery code, such as 4F7QM-2Z9KD")
      }),
      success: OwnStaffSession,
      error: [
        ...sessionErrors,
        problem(RecoveryCodeRejected, 401, "Recovery code refused", "The code is wrong, or was used before."),
        tooManySignIns
      ]
    })
      .annotate(RateLimit, rateLimits.staffSignIn)
      .annotate(OpenApi.Summary, "Use a recovery code")
      .annotate(
        OpenApi.Description,
        "Makes the session `ACTIVE`, with another id and cookie, in the place of a passkey. Each code works once."
      ),
    HttpApiEndpoint.post("approveDevice", "/admin/v1/session/device/approve", {
      payload: Schema.Struct({
        userCode: codeLike(/^\s*[A-Za-z]{4}-?[A-Za-z]{4}\s*$/u, "must be the code of the device, such as BCDF-GHJK"),
        isApproved: Schema.Boolean
      }),
      success: done,
      error: [...sessionErrors, secondFactorProblem, stepUpProblem, deviceCodeUnknown, tooManySignIns]
    })
      .annotate(RateLimit, rateLimits.staffSignIn)
      .annotate(OpenApi.Summary, "Approve or deny the sign-in of a device")
      .annotate(
        OpenApi.Description,
        "Gives the device that shows the code a session of yours. Approve only a device in front of you: it needs a step-up. The session is stepped up as long as this one is."
      )
  )
  .annotate(OpenApi.Title, "Admin: session of staff")
  .annotate(
    OpenApi.Description,
    "The session of the person who is signed in, by the cookie that the sign-in set, or with `Authorization: Bearer <token>`."
  )
  .middleware(DocumentedErrors)
  .middleware(StaffAccess)
  .middleware(callers.session.Access) {}
