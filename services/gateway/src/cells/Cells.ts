import { firstCell } from "@care/domain/cells"
import { RequestInvalid } from "@care/domain/http"
import type { ServiceName } from "@care/domain/peers"
import { BootError, IdentityTokens, ServiceConfig } from "@care/service-kit"
import { Context, Effect, Layer, Option, Redacted } from "effect"
import type { CellSettings } from "../cellsSetting.ts"
import { GatewaySettings } from "../GatewaySettings.ts"

/** A cell: four services, and the tokens that they accept. */
export interface Cell {
  readonly name: string
  /** The URLs of its services. */
  readonly services: Readonly<Record<ServiceName, string>>
  readonly tokens: IdentityTokens["Service"]
}

/** The cell of the partner or of the service that calls; undefined for others. */
export const CallerCell = Context.Reference<Cell | undefined>("@care/gateway/cells/CallerCell", {
  defaultValue: () => undefined
})

// Returns what two cells have in common by mistake, so that the gateway could not tell them apart.
const sharingIn = (cells: ReadonlyArray<CellSettings>): string | undefined => {
  const seen = new Map<string, string>()
  for (const { internalSecrets, name, services } of cells) {
    const own: ReadonlyArray<readonly [what: string, value: string]> = [
      ...internalSecrets.map((secret) => ["an internalSecret", Redacted.value(secret)] as const),
      ...Object.entries(services).map(([service, url]) => [`the URL of ${service}`, `${service} ${url}`] as const)
    ]
    for (const [what, value] of own) {
      const other = seen.get(value)
      if (other !== undefined && other !== name)
        return `has ${what} of ${name} that ${other} has as well: give each its own`
      seen.set(value, name)
    }
  }
  return undefined
}

/** The cells behind the gateway (docs/decisions/0064-cells.md). */
export class Cells extends Context.Service<
  Cells,
  {
    /** All cells. The first one is `first`. */
    readonly all: ReadonlyArray<Cell>
    readonly first: Cell
    /** Returns the cell with a name, or undefined. */
    readonly find: (name: string) => Cell | undefined
    /** Returns the cell that a parameter of a request names, by default the first. */
    readonly named: (name: string | undefined, part: "query" | "payload") => Effect.Effect<Cell, RequestInvalid>
  }
>()("@care/gateway/cells/Cells") {
  static readonly layer = Layer.effect(
    Cells,
    Effect.gen(function* () {
      const { otherCells, services } = yield* GatewaySettings
      const { internalSecrets } = yield* ServiceConfig
      const sharing = sharingIn([{ name: firstCell, services, internalSecrets }, ...otherCells])
      if (sharing !== undefined) return yield* new BootError({ message: `CELLS ${sharing}.` })
      // The name of the only cell does not matter.
      const hasSeveral = otherCells.length > 0
      const cellOf = ({ internalSecrets, name, services }: CellSettings): Cell => ({
        name,
        services,
        tokens: IdentityTokens.make(internalSecrets, hasSeveral ? name : undefined)
      })
      const first = cellOf({ name: firstCell, services, internalSecrets })
      const all = [first, ...otherCells.map(cellOf)]
      const byName = new Map(all.map((cell) => [cell.name, cell]))
      const refusal = `must be ${all.map(({ name }) => name).join(" or ")}`
      return Cells.of({
        all,
        first,
        find: (name) => byName.get(name),
        named: (name = firstCell, part) =>
          Effect.fromOption(
            Option.fromUndefinedOr(byName.get(name)),
            () => new RequestInvalid({ part, path: "cell", reason: refusal })
          )
      })
    })
  )
}
