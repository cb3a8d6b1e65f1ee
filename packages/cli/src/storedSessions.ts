import { chmodSync, existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from "node:fs"
import { homedir } from "node:os"
import { dirname, isAbsolute, join } from "node:path"
import { optionalSetting, textSetting } from "@care/service-kit/boot"
import { Effect, Schema } from "effect"
import { CommandFailed } from "./CommandFailed.ts"
import { commandSettings } from "./gateway.ts"

export const configHomeSetting = optionalSetting(
  (name) => textSetting(name, "an absolute path", isAbsolute),
  "XDG_CONFIG_HOME",
  "the folder in which `care login` keeps the token of your session, in `care/sessions.json`",
  "`~/.config`"
)

// The tokens by the URLs of gateways: each is only for the gateway that gave it.
const Sessions = Schema.Record(Schema.String, Schema.String)
const decode = Schema.decodeUnknownSync(Schema.fromJsonString(Sessions))

const sessionsFile = Effect.map(commandSettings(configHomeSetting), (home) =>
  join(home ?? join(homedir(), ".config"), "care", "sessions.json")
)

const attempt = <A>(file: string, what: string, work: () => A) =>
  Effect.try({
    try: work,
    catch: () => new CommandFailed({ message: `${file} cannot be ${what}: mend or remove it, and run care login.` })
  })

const readAll = (file: string) =>
  attempt(file, "read", () => (existsSync(file) ? decode(readFileSync(file, "utf8")) : {}))

const change = (make: (sessions: Readonly<Record<string, string>>) => Readonly<Record<string, string>>) =>
  Effect.gen(function* () {
    const file = yield* sessionsFile
    const sessions = make(yield* readAll(file))
    yield* attempt(file, "written", () => {
      mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
      const part = `${file}.${process.pid}`
      writeFileSync(part, `${JSON.stringify(sessions, null, 2)}\n`, { mode: 0o600 })
      chmodSync(part, 0o600)
      renameSync(part, file)
    })
  })

/** Returns the token of the session at a gateway, or undefined. */
export const readSession = (baseUrl: string) =>
  Effect.map(Effect.flatMap(sessionsFile, readAll), (sessions): string | undefined => sessions[baseUrl])

/** Stores the token of a session in a file that only its owner can read. */
export const storeSession = (baseUrl: string, token: string) =>
  change((sessions) => ({ ...sessions, [baseUrl]: token }))

export const forgetSession = (baseUrl: string) =>
  change((sessions) => Object.fromEntries(Object.entries(sessions).filter(([url]) => url !== baseUrl)))
