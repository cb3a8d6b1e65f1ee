import { gatewayPort } from "@care/domain/peers"
import {
  countSetting,
  durationSetting,
  optionalSecret,
  publicUrlSetting,
  readSettings,
  secretUrl,
  setting,
  waitSetting
} from "@care/service-kit"
import { Config, Context, Duration, Effect, Layer, type Redacted } from "effect"

const defaultPublicUrl = `http://localhost:${gatewayPort}`

// A cap is bounded, because the times that count against it are stored in one row.
const capSetting = (name: string) => countSetting(name, 1000)

export const authSettings = {
  codeLifetime: setting(
    durationSetting,
    "OTP_TTL",
    Duration.minutes(5),
    "how long a one-time code works (a number is seconds)"
  ),
  codeMaxAttempts: setting(capSetting, "OTP_MAX_ATTEMPTS", 5, "the most attempts at one code (1 to 1000)"),
  codeResendInterval: setting(
    waitSetting,
    "OTP_RESEND_INTERVAL",
    Duration.seconds(30),
    "the wait before a patient gets another code; `0 seconds` is none. It grows to 2, 4, 10 and 30 times after each `OTP_MAX_ATTEMPTS` wrong attempts in a row"
  ),
  codeMaxPerHour: setting(
    capSetting,
    "OTP_MAX_PER_HOUR",
    10,
    "the most codes that a patient gets in any hour (1 to 1000)"
  ),
  codeMaxPerDay: setting(
    capSetting,
    "OTP_MAX_PER_DAY",
    30,
    "the most codes that a patient gets in any 24 hours (1 to 1000)"
  ),
  codeMaxWrongPerDay: setting(
    capSetting,
    "OTP_MAX_WRONG_PER_DAY",
    20,
    "the number of wrong attempts in any 24 hours that locks a patient: no code is sent, and a correct code is refused like a wrong one (1 to 1000)"
  ),
  noticesPerDay: setting(
    capSetting,
    "NOTICES_PER_DAY",
    30,
    "the most notices of one kind that an address gets from an organization in a day (1 to 1000). Others are not sent, but logged and counted in `notices_left_out_total`"
  ),
  staffSessionLifetime: setting(
    durationSetting,
    "STAFF_SESSION_LIFETIME",
    Duration.hours(12),
    "how long a session of staff lasts"
  ),
  staffIdleTime: setting(
    durationSetting,
    "STAFF_IDLE_TIME",
    Duration.minutes(30),
    "how long a session of staff lasts without use"
  ),
  smtpUrl: optionalSecret(
    secretUrl(/^smtps?:$/, "smtp://user:password@host:port?from=address"),
    "SMTP_URL",
    "the SMTP server that sends email: `smtp://user:password@host:port?from=address`, or `smtps:` for implicit TLS"
  ),
  smsApiUrl: optionalSecret(
    secretUrl(/^https?:$/, "https://user:password@host/path"),
    "SMS_API_URL",
    'the API that sends SMS: `https://user:password@host/path`. It receives `POST { "to", "text" }` with an `Idempotency-Key`'
  )
}

export class AuthSettings extends Context.Service<
  AuthSettings,
  {
    /** How long a one-time code may be used. */
    readonly codeLifetime: Duration.Duration
    readonly codeMaxAttempts: number
    /** The time that has to pass before a patient gets another code. */
    readonly codeResendInterval: Duration.Duration
    /** How many codes a patient gets at most in any hour, and in any day. */
    readonly codeMaxPerHour: number
    readonly codeMaxPerDay: number
    /** After how many wrong attempts in a day a patient is locked. */
    readonly codeMaxWrongPerDay: number
    /** How many notices of a kind an address gets of an organization within a day. */
    readonly noticesPerDay: number
    /** How long a session of staff lasts, and how long without a request. */
    readonly staffSessionLifetime: Duration.Duration
    readonly staffIdleTime: Duration.Duration
    /** The URL at which people reach the gateway, and with it the console. */
    readonly publicUrl: string
    /** Where email and SMS are really sent, if they are. The URLs carry credentials. */
    readonly smtpUrl: Redacted.Redacted | undefined
    readonly smsApiUrl: Redacted.Redacted | undefined
  }
>()("@care/auth/AuthSettings") {
  static readonly layer = Layer.effect(
    AuthSettings,
    Effect.map(
      readSettings(Config.all({ settings: Config.all(authSettings), publicUrl: publicUrlSetting })),
      ({ publicUrl, settings }) => ({ ...settings, publicUrl: publicUrl ?? defaultPublicUrl })
    )
  )
}
