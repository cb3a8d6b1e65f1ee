import * as HttpApiEndpoint from "effect/http-api/HttpApiEndpoint"
import * as HttpApiGroup from "effect/http-api/HttpApiGroup"
import * as OpenApi from "effect/http-api/OpenApi"
import { callers } from "../http/callers.ts"
import { broken } from "../http/commonErrors.ts"
import { coded } from "../http/errorForms.ts"
import { DocumentedErrors } from "../http/middleware.ts"
import { ok, saying } from "../http/ok.ts"
import { KeyInvalid, KeyMissing, RequestInvalid } from "../http/RequestErrors.ts"
import {
  CodeMismatch,
  CodeUnavailable,
  CodeUsed,
  CredentialsInvalid,
  PresentToken,
  RefreshLifetimeExceeded,
  RefreshTokenExpired,
  RefreshTokenForeign,
  RefreshTokenReused,
  RefreshTokenUnknown,
  SendCode,
  SignedIn,
  SignedInUserGone,
  VerifyCode
} from "./SignIn.ts"

const invalid = coded("VALIDATION_ERROR")
const refreshInvalid = coded("REFRESH_INVALID")

const requestErrors = [
  invalid(KeyMissing, 400, "Validation failed", "The key is missing or the body is not valid"),
  invalid(RequestInvalid, 400, "Validation failed", "The key is missing or the body is not valid"),
  coded("NOT_FOUND")(KeyInvalid, 404, "Organization not found", "The key belongs to no organization"),
  ...broken
] as const

export class SignInApi extends HttpApiGroup.make("signIn")
  .add(
    HttpApiEndpoint.post("sendCode", "/api/v1/users/auth/send-otp", {
      payload: SendCode,
      success: ok({ message: saying("If the account exists, a verification code is on its way.") }),
      error: requestErrors
    })
      .annotate(OpenApi.Summary, "Send a one-time code")
      .annotate(
        OpenApi.Description,
        "Sends a 6-digit code to a patient of the organization, by email or SMS. Send exactly one of `email` and `phoneNumber`. The response is the same whether or not the patient exists, and whether or not a code is sent. A new code invalidates older ones. By default a patient gets at most one code in 30 seconds, 10 in an hour and 30 in a day, and has to wait longer after wrong attempts."
      ),
    HttpApiEndpoint.post("verifyCode", "/api/v1/users/auth/verify-otp", {
      payload: VerifyCode,
      success: SignedIn,
      error: [
        ...requestErrors,
        invalid(CredentialsInvalid, 401, "Invalid credentials"),
        invalid(CodeUnavailable, 401, "Invalid or expired verification code"),
        invalid(CodeMismatch, 401, "Invalid verification code"),
        invalid(CodeUsed, 401, "Verification code already used")
      ]
    })
      .annotate(OpenApi.Summary, "Exchange a code for tokens")
      .annotate(
        OpenApi.Description,
        "Exchanges a one-time code for an access token, which is valid for 15 minutes, and a refresh token. Send exactly one of `email` and `phoneNumber`: the one that the code was sent to. After too many wrong codes in a day, the correct code is refused like a wrong one."
      ),
    HttpApiEndpoint.post("refresh", "/api/v1/users/auth/refresh-token", {
      payload: PresentToken,
      success: SignedIn,
      error: [
        ...requestErrors,
        refreshInvalid(RefreshTokenUnknown, 401, "Refresh token not recognized"),
        refreshInvalid(RefreshTokenForeign, 401, "Refresh token does not belong to this organization"),
        refreshInvalid(SignedInUserGone, 401, "User no longer exists"),
        coded("REFRESH_REUSED")(RefreshTokenReused, 401, "Refresh token has already been used"),
        coded("REFRESH_EXPIRED")(RefreshTokenExpired, 401, "Refresh token has expired"),
        coded("REFRESH_ABSOLUTE_EXPIRED")(RefreshLifetimeExceeded, 401, "Refresh token absolute lifetime exceeded")
      ]
    })
      .annotate(OpenApi.Summary, "Refresh the tokens")
      .annotate(
        OpenApi.Description,
        "Exchanges a refresh token for new tokens. A refresh token can be used once. Its second use revokes all tokens of the sign-in (`REFRESH_REUSED`): the patient has to sign in with a new code, and a retry does not help."
      ),
    HttpApiEndpoint.post("signOut", "/api/v1/users/auth/logout", {
      payload: PresentToken,
      success: ok({ message: saying("Signed out.") }),
      error: requestErrors
    })
      .annotate(OpenApi.Summary, "Sign out")
      .annotate(
        OpenApi.Description,
        "Revokes the sign-in of a refresh token. An unknown token is also answered with 200."
      )
  )
  .annotate(OpenApi.Title, "Patient portal: sign-in")
  .annotate(
    OpenApi.Description,
    "Patients sign in to your portal with a one-time code. They get an access token for their own requests, and a refresh token, which is exchanged for new tokens."
  )
  .middleware(DocumentedErrors)
  .middleware(callers.partner.Access) {}
