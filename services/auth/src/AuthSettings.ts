import { countSetting, durationSetting, readSettings, secretUrlSetting, waitSetting } from "@care/service-kit"
import { Config, Context, Duration, Layer, Option, type Redacted } from "effect"

const optional = <A>(setting: Config.Config<A>) => Config.map(Config.option(setting), Option.getOrUndefined)

// The times of what is counted against a cap are kept in one row.
const capSetting = (name: string) => countSetting(name, 1000)

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
  static readonly layer = Layer.effect(
    AuthSettings,
    readSettings(
      Config.all({
        codeLifetime: durationSetting("OTP_TTL").pipe(Config.withDefault(Duration.minutes(5))),
        codeMaxAttempts: capSetting("OTP_MAX_ATTEMPTS").pipe(Config.withDefault(5)),
        codeResendInterval: waitSetting("OTP_RESEND_INTERVAL").pipe(Config.withDefault(Duration.seconds(30))),
        codeMaxPerHour: capSetting("OTP_MAX_PER_HOUR").pipe(Config.withDefault(10)),
        codeMaxPerDay: capSetting("OTP_MAX_PER_DAY").pipe(Config.withDefault(30)),
        codeMaxWrongPerDay: capSetting("OTP_MAX_WRONG_PER_DAY").pipe(Config.withDefault(20)),
        noticesPerDay: capSetting("NOTICES_PER_DAY").pipe(Config.withDefault(30)),
        smtpUrl: optional(secretUrlSetting("SMTP_URL", /^smtps?:$/, "smtp://user:password@host:port?from=address")),
        smsApiUrl: optional(secretUrlSetting("SMS_API_URL", /^https?:$/, "https://user:password@host/path"))
      })
    )
  )
}
