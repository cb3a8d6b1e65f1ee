import type { Timed } from "./makeCaller.ts"
import type { World } from "./World.ts"

/**
 * Things that are done through the gateway, again and again. Each is named by the method and path of an endpoint, as the
 * contract has it, and behind a colon by what of it, where there are several. What one call needs and uses up is made
 * first and not measured; what is measured is answered.
 */
export type OperationTable = Readonly<Record<string, (world: World) => Timed | Promise<Timed>>>
