import { contracts } from "../../operations/contracts.ts"
import type { Fixtures } from "../../operations/Fixtures.ts"
import type { MakeRequest } from "../../operations/Operation.ts"
import { textAt } from "../../operations/textAt.ts"
import type { World } from "./World.ts"

/** Does what is measured. */
type Timed = () => Promise<unknown>

/** What is done through the gateway, again and again: what one call needs and uses up is made first and not measured. */
export type OperationTable = Readonly<Record<string, (world: World) => Promise<Timed>>>

/**
 * Every request of every operation. Each is named by the method and path of its endpoint, as the contract has it, and behind a
 * colon by what it is, where it is a further one.
 */
export const measured: OperationTable = Object.fromEntries(
  contracts.flatMap(({ id, entry: { variants = {}, measured = {}, pages = {}, request }, name }) => {
    const timed =
      (recipe: MakeRequest, until?: (of: Fixtures) => Promise<void>) =>
      async ({ of }: World) => {
        const made = await recipe(of)
        return async () => {
          await of.send(id, made)
          await until?.(of)
        }
      }
    const nextPage =
      (list: MakeRequest): MakeRequest =>
      async (of) => {
        const { query, ...made } = await list(of)
        const first = await of.send(id, { ...made, query: { ...query, limit: "5" } })
        return { ...made, query: { ...query, limit: "20", cursor: textAt(first, "nextCursor") } }
      }
    return [
      [name, timed(request)] as const,
      ...Object.entries(variants).map(([what, recipe]) => [`${name}: ${what}`, timed(recipe)] as const),
      ...Object.entries(pages).map(([what, list]) => [`${name}: ${what}`, timed(nextPage(list))] as const),
      ...Object.entries(measured).map(
        ([what, { request, until }]) => [`${name}: ${what}`, timed(request, until)] as const
      )
    ]
  })
)
