import type { CallOptions } from "../CallOptions.ts"
import type { Transport } from "../Transport.ts"
import type { AnswerOf, BodyOf } from "./operationTypes.ts"

/** Patients: sign-in, profiles and payment methods. */
export class Patients {
  readonly #transport: Transport

  constructor(transport: Transport) {
    this.#transport = transport
  }

  /**
   * Sends a one-time code to a patient.
   *
   * @example
   * ```ts
   * await care.patients.sendCode({ email: patientEmail })
   * ```
   */
  sendCode(body: BodyOf<"signIn.sendCode">, options?: CallOptions): Promise<AnswerOf<"signIn.sendCode">> {
    return this.#transport.send("signIn.sendCode", { body }, options)
  }

  /**
   * Exchanges a one-time code for tokens.
   *
   * @example
   * ```ts
   * const { accessToken, refreshToken } = await care.patients.verifyCode({ email: codeEmail, code })
   * console.log(accessToken !== refreshToken)
   * ```
   */
  verifyCode(body: BodyOf<"signIn.verifyCode">, options?: CallOptions): Promise<AnswerOf<"signIn.verifyCode">> {
    return this.#transport.send("signIn.verifyCode", { body }, options)
  }

  /**
   * Exchanges a refresh token, which works once, for new tokens.
   *
   * @example
   * ```ts
   * const tokens = await care.patients.refreshTokens(refreshToken)
   * console.log(tokens.expiresIn)
   * ```
   */
  refreshTokens(refreshToken: string, options?: CallOptions): Promise<AnswerOf<"signIn.refresh">> {
    return this.#transport.send("signIn.refresh", { body: { refresh_token: refreshToken } }, options)
  }

  /**
   * Ends a patient's session.
   *
   * @example
   * ```ts
   * await care.patients.signOut(refreshToken)
   * ```
   */
  signOut(refreshToken: string, options?: CallOptions): Promise<AnswerOf<"signIn.signOut">> {
    return this.#transport.send("signIn.signOut", { body: { refresh_token: refreshToken } }, options)
  }

  /**
   * Says whether a patient with an email or a phone number exists.
   *
   * @example
   * ```ts
   * const { data } = await care.patients.check({ email: patientEmail })
   * console.log(data.code)
   * ```
   */
  check(
    { email, phoneNumber }: { readonly email?: string | undefined; readonly phoneNumber?: string | undefined },
    options?: CallOptions
  ): Promise<AnswerOf<"users.checkUser">> {
    return this.#transport.send("users.checkUser", { query: { email, "phone-number": phoneNumber } }, options)
  }

  /**
   * Returns the profile of a signed-in patient.
   *
   * @example
   * ```ts
   * const { data } = await care.patients.me(accessToken)
   * console.log(data.user.email)
   * ```
   */
  me(accessToken: string, options?: CallOptions): Promise<AnswerOf<"users.me">> {
    return this.#transport.send(
      "users.me",
      {},
      { ...options, headers: { ...options?.headers, authorization: `Bearer ${accessToken}` } }
    )
  }

  /**
   * Changes a patient's profile.
   *
   * @example
   * ```ts
   * await care.patients.updateProfile({ data: { email: patientEmail, city: "Oakland" } })
   * ```
   */
  updateProfile(
    body: BodyOf<"userActions.UPDATE_PROFILE">,
    options?: CallOptions
  ): Promise<AnswerOf<"userActions.UPDATE_PROFILE">> {
    return this.#transport.send("userActions.UPDATE_PROFILE", { body }, options)
  }

  /**
   * Changes a patient's email.
   *
   * @example
   * ```ts
   * await care.patients.updateEmail({ data: { currentEmail: patientEmail, newEmail } })
   * ```
   */
  updateEmail(
    body: BodyOf<"userActions.UPDATE_EMAIL">,
    options?: CallOptions
  ): Promise<AnswerOf<"userActions.UPDATE_EMAIL">> {
    return this.#transport.send("userActions.UPDATE_EMAIL", { body }, options)
  }

  /**
   * Changes a patient's payment method.
   *
   * @example
   * ```ts
   * await care.patients.updatePaymentInfo({
   *   email: attendeeEmail,
   *   data: {
   *     gatewaySetupId: setupId,
   *     gatewayPaymentToken: "pm_card_mastercard",
   *     shippingAddress: {
   *       addressLine1: "500 Howard Street",
   *       addressLine2: "",
   *       city: "San Francisco",
   *       state: "CA",
   *       country: "US",
   *       postalCode: "94105"
   *     }
   *   }
   * })
   * ```
   */
  updatePaymentInfo(
    body: BodyOf<"userActions.UPDATE_PAYMENT_INFO">,
    options?: CallOptions
  ): Promise<AnswerOf<"userActions.UPDATE_PAYMENT_INFO">> {
    return this.#transport.send("userActions.UPDATE_PAYMENT_INFO", { body }, options)
  }
}
