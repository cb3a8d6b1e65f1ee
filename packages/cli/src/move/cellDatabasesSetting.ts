import { peers, type ServiceName } from "@care/domain/peers"
import { isUrl, optionalSecret, secretText } from "@care/service-kit/boot"
import { Config, ConfigProvider, Effect, Record, Redacted, Schema } from "effect"

/** The URLs of the databases of a cell's services. Their role owns the schemas. */
export type CellUrls = Readonly<Record<ServiceName, Redacted.Redacted>>

const example =
  '{"c1":"postgresql://owner:password@host/database","c2":{"auth":"postgresql://...","cases":"...","payments":"...","scheduling":"..."}}'

const decode = Schema.decodeUnknownOption(
  Schema.fromJsonString(
    Schema.Record(Schema.String, Schema.Union([Schema.String, Schema.Record(Schema.String, Schema.String)]))
  )
)

const refusal = (name: string) =>
  new Config.ConfigError(
    new ConfigProvider.SourceError({
      message: `${name} has to be JSON with a URL of PostgreSQL for each service: ${example}`
    })
  )

const parse = (name: string, text: string): Effect.Effect<ReadonlyMap<string, CellUrls>, Config.ConfigError> =>
  Effect.gen(function* () {
    const cells = yield* Effect.mapError(Effect.fromOption(decode(text)), () => refusal(name))
    const urls = Object.entries(cells).map(([cell, described]) => {
      const urlOf = (service: ServiceName) => (typeof described === "string" ? described : (described[service] ?? ""))
      return [cell, Record.map(peers, (_, service: ServiceName) => Redacted.make(urlOf(service)))] as const
    })
    const areUrls = urls.every(([, ofCell]) =>
      Object.values(ofCell).every((url) => isUrl(Redacted.value(url), /^postgres(ql)?:$/))
    )
    return areUrls ? new Map(urls) : yield* Effect.fail(refusal(name))
  })

export const cellDatabasesSetting = optionalSecret(
  (name) => Config.mapEffect(secretText(name), (text) => parse(name, Redacted.value(text))),
  "CELL_DATABASES",
  "the databases of the cells for `care org move`, as JSON: for each cell a URL with a password, or one for each service ([role](cells.md#move-an-organization))"
)
