import { Schema } from "effect"
import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as HttpApiSchema from "effect/http-api/HttpApiSchema"
import * as OpenApi from "effect/http-api/OpenApi"
import { RateLimit, rateLimits } from "../http/annotations.ts"
import { lengths } from "../http/bounds.ts"
import { CellName } from "../http/CellName.ts"
import { callers } from "../http/callers.ts"
import { Email } from "../http/Email.ts"
import { DocumentedErrors } from "../http/middleware.ts"
import { created } from "../http/ok.ts"
import { operationUnknown, problem } from "../http/Problem.ts"
import { nonBlankUpTo, textUpTo } from "../http/Text.ts"
import { Timestamp } from "../http/Timestamp.ts"
import { ConsolePath } from "./ConsolePath.ts"
import { DeviceCodeUnknown, DeviceDenied, DevicePending, DeviceSignIn, DeviceTooFast } from "./DeviceSignIn.ts"
import { MailboxAbsent } from "./Message.ts"
import { PasskeyRequest, UsedCredential } from "./Passkey.ts"
import { DomainWithoutSignOn, ProviderUnusable, SignOnsFull } from "./SingleSignOn.ts"
import { SixDigits } from "./SixDigits.ts"
import { OwnStaffSession, SentCode, StaffCodeRejected } from "./StaffSession.ts"
import { passkeyRejected, signInErrors, tooManySignIns } from "./staffErrors.ts"

// The token of a session names its cell, so only the first requests of a sign-in need it.
const query = { cell: Schema.optionalKey(CellName) }

const errors = [...signInErrors, tooManySignIns] as const

export const deviceCodeUnknown = problem(
  DeviceCodeUnknown,
  404,
  "Code unknown",
  "The code is unknown, expired, or was used. Begin the sign-in of the device again."
)

export class StaffSignInApi extends HttpApiGroup.make("staffSignIn")
  .add(
    HttpApiEndpoint.post("sendCode", "/admin/v1/session/code", {
      query,
      payload: Schema.Struct({ email: Email }),
      success: HttpApiSchema.NoContent.annotate({ description: "Done" }),
      error: errors
    })
      .annotate(OpenApi.Summary, "Send a one-time code to a member of staff")
      .annotate(
        OpenApi.Description,
        "Sends a 6-digit code to each member of staff with this email: one message for each of at most 5 organizations. The response is the same, after the same time, if there is none. A new code invalidates the older one of the member. The limits of patients' codes apply."
      ),
    HttpApiEndpoint.post("mailbox", "/admin/v1/session/mailbox", {
      query,
      payload: Schema.Struct({ email: Email }),
      success: Schema.Struct({ data: Schema.NullOr(SentCode) }),
      error: [...errors, problem(MailboxAbsent, 404, operationUnknown.title, operationUnknown.detail)]
    })
      .annotate(OpenApi.Summary, "Read the newest code in the mailbox of development")
      .annotate(
        OpenApi.Description,
        "Returns the newest one-time code that was sent to a member of staff with this email, or null. There is such an operation in development only, at a `PUBLIC_URL` of the same machine, while messages are not really delivered."
      ),
    HttpApiEndpoint.post("verifyCode", "/admin/v1/session", {
      query,
      payload: Schema.Struct({ email: Email, code: SixDigits }),
      success: created(OwnStaffSession),
      error: [...errors, problem(StaffCodeRejected, 401, "Code refused", "The code is wrong, or not valid any more.")]
    })
      .annotate(OpenApi.Summary, "Sign in with a one-time code")
      .annotate(
        OpenApi.Description,
        "Signs in the member of staff whose code it is, and sets the cookie of the session. The session is `PENDING`: with it a person enrols their first passkey, uses one, uses a recovery code, or signs out, and nothing else."
      ),
    HttpApiEndpoint.post("assertionOptions", "/admin/v1/session/passkeys/assertion", {
      query,
      success: PasskeyRequest,
      error: errors
    })
      .annotate(OpenApi.Summary, "Ask for a challenge to a passkey")
      .annotate(
        OpenApi.Description,
        "Returns the options of `navigator.credentials.get`. The challenge is valid for 5 minutes, once, and only for the session that asked for it."
      ),
    HttpApiEndpoint.post("assert", "/admin/v1/session/passkeys/assert", {
      query,
      payload: UsedCredential,
      success: OwnStaffSession,
      error: [...errors, passkeyRejected]
    })
      .annotate(OpenApi.Summary, "Sign in with a passkey, or step up")
      .annotate(
        OpenApi.Description,
        "Without a session, signs in the person whose passkey it is. With one, the passkey has to be of its person: a `PENDING` session becomes `ACTIVE`, and an `ACTIVE` one is stepped up for 5 minutes. The session gets another id and cookie."
      ),
    HttpApiEndpoint.post("startDevice", "/admin/v1/session/device", {
      query,
      success: created(DeviceSignIn),
      error: errors
    })
      .annotate(OpenApi.Summary, "Begin the sign-in of a device")
      .annotate(
        OpenApi.Description,
        "Returns the code that a person approves in the console, within 10 minutes, and the one with which the device asks for its token (RFC 8628)."
      ),
    HttpApiEndpoint.post("deviceToken", "/admin/v1/session/device/token", {
      query,
      payload: Schema.Struct({ deviceCode: nonBlankUpTo(lengths.reference) }),
      success: Schema.Struct({ token: Schema.String, expiresAt: Timestamp }),
      error: [
        ...errors,
        problem(
          DevicePending,
          409,
          "Not approved yet",
          "Nobody has approved the code yet. Ask again after the interval."
        ),
        problem(DeviceTooFast, 429, "Too fast", ({ retryAfter }) => `Ask every ${retryAfter} seconds.`),
        problem(DeviceDenied, 403, "Denied", "The person denied the sign-in."),
        deviceCodeUnknown
      ]
    })
      .annotate(OpenApi.Summary, "Ask for the token of a device")
      .annotate(
        OpenApi.Description,
        "Returns the bearer token of the device's session, once, after a person has approved it."
      ),
    HttpApiEndpoint.post("startSingleSignOn", "/admin/v1/session/oidc/start", {
      query,
      payload: Schema.Struct({ email: Email, next: Schema.optionalKey(Schema.NullOr(ConsolePath)) }),
      success: Schema.Struct({ data: Schema.Struct({ redirectTo: Schema.String }) }),
      error: [
        ...errors,
        problem(DomainWithoutSignOn, 404, "No single sign-on", "There is no single sign-on for this domain."),
        problem(SignOnsFull, 429, "Too many sign-ins", "Too many sign-ins of the organization are in progress."),
        problem(ProviderUnusable, 502, "Provider unavailable", "The provider of the organization does not answer.")
      ]
    })
      .annotate(OpenApi.Summary, "Begin a single sign-on")
      .annotate(
        OpenApi.Description,
        "Returns the URL of the OpenID provider for the domain of the email, to which the page sends the browser within 10 minutes, and sets a cookie that binds the sign-in to this browser. It says nothing of who is a member. `next` is the path of the console, without `/console`, to which the sign-in leads."
      ),
    HttpApiEndpoint.get("finishSingleSignOn", "/admin/v1/session/oidc/callback", {
      query: {
        state: Schema.optionalKey(textUpTo(lengths.reference)),
        code: Schema.optionalKey(textUpTo(lengths.paragraph)),
        iss: Schema.optionalKey(textUpTo(lengths.url)),
        error: Schema.optionalKey(textUpTo(lengths.reference))
      },
      success: HttpApiSchema.Empty(303).annotate({
        description:
          "To `/console` and the `next` of the start with a session, or to `/console/sign-in?error=<why>`, again with `next`: `expired`, `provider`, `email` or `member`"
      }),
      error: errors
    })
      .annotate(OpenApi.Summary, "End a single sign-on")
      .annotate(
        OpenApi.Description,
        "Where the OpenID provider sends the browser. It starts a session of the member of the organization with the verified email that the provider names. The session is `ACTIVE`, and not stepped up: that needs a passkey. Within 5 minutes of signing in, who has no passkey may enrol the first one."
      )
  )
  .annotate(OpenApi.Title, "Admin: sign-in of staff")
  .annotate(
    OpenApi.Description,
    "Staff sign in with a one-time code and a passkey, with a passkey alone, or at the OpenID provider of their organization. If there are several cells, `cell` names that of the organization."
  )
  .annotateEndpoints(RateLimit, rateLimits.staffSignIn)
  .middleware(DocumentedErrors)
  .middleware(callers.session.Access) {}
