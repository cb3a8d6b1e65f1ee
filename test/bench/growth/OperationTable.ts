import { contracts } from "../../operations/contracts.ts"
import type { Fixtures } from "../../operations/Fixtures.ts"
import type { MakeRequest } from "../../operations/Operation.ts"
import { textAt } from "../../operations/textAt.ts"
import type { World } from "./World.ts"

/** Does one measured call. */
type Timed = () => Promise<unknown>

/** The measured operations. Each makes what one call needs, which is not measured, and returns the call. */
export type OperationTable = Readonly<Record<string, (world: World) => Promise<Timed>>>

/** Every request of every operation, named by the method and path of its endpoint, with the name of the variant after a colon. */
export const measured: OperationTable = Object.fromEntries(
  contracts.flatMap(({ id, entry: { variants = {}, measured = {}, pages = {}, request }, name }) => {
    const timedCall =
      (makeRequest: MakeRequest, until?: (fixtures: Fixtures) => Promise<void>) =>
      async ({ fixtures }: World) => {
        const prepared = await makeRequest(fixtures)
        return async () => {
          await fixtures.send(id, prepared)
          await until?.(fixtures)
        }
      }
    const nextPage =
      (makeListRequest: MakeRequest): MakeRequest =>
      async (fixtures) => {
        const { query, ...prepared } = await makeListRequest(fixtures)
        const first = await fixtures.send(id, { ...prepared, query: { ...query, limit: "5" } })
        return { ...prepared, query: { ...query, limit: "20", cursor: textAt(first, "nextCursor") } }
      }
    return [
      [name, timedCall(request)] as const,
      ...Object.entries(variants).map(
        ([variant, makeRequest]) => [`${name}: ${variant}`, timedCall(makeRequest)] as const
      ),
      ...Object.entries(pages).map(
        ([variant, makeListRequest]) => [`${name}: ${variant}`, timedCall(nextPage(makeListRequest))] as const
      ),
      ...Object.entries(measured).map(
        ([variant, { request, until }]) => [`${name}: ${variant}`, timedCall(request, until)] as const
      )
    ]
  })
)
