import {
  countSetting,
  durationSetting,
  optionalSetting,
  readSettings,
  secretUrlSetting,
  setting,
  waitSetting
} from "@care/service-kit"
import { Config, Context, Duration, Layer, type Redacted } from "effect"

// A cap is bounded, because the times that count against it are stored in one row.
const capSetting = (name: string) => countSetting(name, 1000)

export const authSettings = {
  codeLifetime: setting(
    durationSetting,
    "OTP_TTL",
    Duration.minutes(5),
    "how long a one-time code works (a number is seconds)"
  ),
  codeMaxAttempts: setting(capSetting, "OTP_MAX_ATTEMPTS", 5, "attempts at one code (1 to 1000)"),
  codeResendInterval: setting(
    waitSetting,
    "OTP_RESEND_INTERVAL",
    Duration.seconds(30),
    "before a patient gets another code, `0 seconds` for no wait; 1, 2, 4, 10, 30 times as long after each `OTP_MAX_ATTEMPTS` wrong attempts in a row"
  ),
  codeMaxPerHour: setting(capSetting, "OTP_MAX_PER_HOUR", 10, "codes that a patient gets in any hour (1 to 1000)"),
  codeMaxPerDay: setting(capSetting, "OTP_MAX_PER_DAY", 30, "codes that a patient gets in any day (1 to 1000)"),
  codeMaxWrongPerDay: setting(
    capSetting,
    "OTP_MAX_WRONG_PER_DAY",
    20,
    "wrong attempts in any day after which a patient is locked: no code is sent, and the right one is answered as a wrong one (1 to 1000)"
  ),
  noticesPerDay: setting(
    capSetting,
    "NOTICES_PER_DAY",
    30,
    "notices of a kind that an address gets of an organization within a day; the others are left out, logged, and counted in `notices_left_out_total` (1 to 1000)"
  ),
  smtpUrl: optionalSetting(
    (name) => secretUrlSetting(name, /^smtps?:$/, "smtp://user:password@host:port?from=address"),
    "SMTP_URL",
    "`smtp://user:password@host:port?from=address`, `smtps:` for TLS from the start: email is really sent"
  ),
  smsApiUrl: optionalSetting(
    (name) => secretUrlSetting(name, /^https?:$/, "https://user:password@host/path"),
    "SMS_API_URL",
    '`https://user:password@host/path`: SMS are really sent, as `POST { "to", "text" }` with an `Idempotency-Key`'
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
    /** Where email and SMS are really sent, if they are. The URLs carry credentials. */
    readonly smtpUrl: Redacted.Redacted | undefined
    readonly smsApiUrl: Redacted.Redacted | undefined
  }
>()("@care/auth/AuthSettings") {
  static readonly layer = Layer.effect(AuthSettings, readSettings(Config.all(authSettings)))
}
