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
        "Sends a code of 6 digits to a patient of the organization, by email or SMS: exactly one of `email` and `phoneNumber` says to whom. The answer is the same whether or not the patient exists. A newer code makes older ones invalid. Within 30 seconds no second one is sent, in an hour and a day no more than a few, and after wrong attempts later ones; the answer stays the same."
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
        "Exchanges a one-time code for an access token of 15 minutes and a refresh token. Exactly one of `email` and `phoneNumber` is given, the one that the code was sent to. After too many wrong codes in a day every code is answered as a wrong one."
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
        "Exchanges a refresh token for new tokens, once. A token that comes a second time ends the whole sign-in: on `REFRESH_REUSED` the patient needs a new code, and trying again does not help."
      ),
    HttpApiEndpoint.post("signOut", "/api/v1/users/auth/logout", {
      payload: PresentToken,
      success: ok({ message: saying("Signed out.") }),
      error: requestErrors
    })
      .annotate(OpenApi.Summary, "Sign out")
      .annotate(OpenApi.Description, "Ends the sign-in that a refresh token belongs to. 200 for an unknown token, too.")
  )
  .annotate(OpenApi.Title, "Patient portal: sign-in")
  .annotate(
    OpenApi.Description,
    "Patients sign in to your portal with a one-time code. They get an access token for requests of their own, and a refresh token that is exchanged for new ones."
  )
  .middleware(DocumentedErrors)
  .middleware(callers.partner.Access) {}
