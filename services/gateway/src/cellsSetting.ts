import { cellNameForm, firstCell, isCellName } from "@care/domain/cells"
import { peers, type ServiceName } from "@care/domain/peers"
import {
  isProductionSetting,
  isUrl,
  minSecretLength,
  optionalSecret,
  readSettings,
  type SecretList,
  secretsIn,
  secretText
} from "@care/service-kit"
import { Config, ConfigProvider, Effect, Option, Record, Redacted, Schema } from "effect"

/** How the gateway reaches a cell. */
export interface CellSettings {
  readonly name: string
  /** The URLs of its services. */
  readonly services: Readonly<Record<ServiceName, string>>
  /** Its `INTERNAL_SECRET`. */
  readonly internalSecrets: SecretList
}

const example =
  '{"c2":{"auth":"http://10.0.2.1:8081","cases":"http://10.0.2.1:8082","payments":"http://10.0.2.1:8083","scheduling":"http://10.0.2.1:8084","internalSecret":"a long random text"}}'

const decode = Schema.decodeUnknownOption(
  Schema.fromJsonString(Schema.Record(Schema.String, Schema.Record(Schema.String, Schema.String)))
)

const members = [...Record.keys(peers), "internalSecret"]

type Described = readonly [name: string, description: Readonly<Record<string, string>>]

// Returns what is wrong with a description, without its values, which have secrets.
const mistakeIn = ([name, description]: Described, isProduction: boolean): string | undefined => {
  if (!isCellName(name)) return `has a cell whose name is not ${cellNameForm}`
  if (name === firstCell) return `has ${firstCell}, whose services AUTH_URL and so on name: remove it`
  const unknown = Record.keys(description).find((member) => !members.includes(member))
  if (unknown !== undefined) return `has a member of ${name} that is none of ${members.join(", ")}`
  const missing = members.find((member) => description[member] === undefined)
  if (missing !== undefined) return `lacks ${missing} of ${name}`
  const wrongUrl = Record.keys(peers).find((service) => !isUrl(description[service] ?? "", /^https?:$/))
  if (wrongUrl !== undefined) return `has no URL such as http://127.0.0.1:8080 as ${wrongUrl} of ${name}`
  const secrets = secretsIn(description["internalSecret"] ?? "")
  const length = isProduction ? minSecretLength : 1
  return secrets.every((secret) => /^\S+$/.test(Redacted.value(secret)) && Redacted.value(secret).length >= length)
    ? undefined
    : `has an internalSecret of ${name} that is not one or more texts without white space, each of at least ${length} characters`
}

const refusal = (message: string) => new Config.ConfigError(new ConfigProvider.SourceError({ message }))

const parse = Effect.fnUntraced(function* (name: string, text: string, isProduction: boolean) {
  const cells = yield* Effect.mapError(Effect.fromOption(decode(text)), () =>
    refusal(`${name} has to be JSON such as ${example}`)
  )
  const described: ReadonlyArray<Described> = Object.entries(cells)
  const mistake = described.map((cell) => mistakeIn(cell, isProduction)).find((found) => found !== undefined)
  if (mistake !== undefined) return yield* Effect.fail(refusal(`${name} ${mistake}`))
  return described.map(
    ([name, description]): CellSettings => ({
      name,
      services: Record.map(peers, (_, service) => description[service] ?? ""),
      internalSecrets: secretsIn(description["internalSecret"] ?? "")
    })
  )
})

const cells = (isProduction: boolean) => (name: string) =>
  Config.mapEffect(secretText(name), (text) => parse(name, Redacted.value(text), isProduction))

const cellsSettingIn = (isProduction: boolean) =>
  optionalSecret(
    cells(isProduction),
    "CELLS",
    'the other cells than `c1`, as JSON: for each name the URLs of its services and its `INTERNAL_SECRET`, such as `{ "c2": { "auth": "http://...", "cases": ..., "payments": ..., "scheduling": ..., "internalSecret": ... } }`'
  )

export const cellsSetting = cellsSettingIn(true)

/** Reads the cells other than the first. */
export const otherCells = Effect.flatMap(readSettings(isProductionSetting), (isProduction) =>
  Effect.map(readSettings(cellsSettingIn(isProduction)), (found) =>
    Option.getOrElse(Option.fromUndefinedOr(found), () => [])
  )
)
