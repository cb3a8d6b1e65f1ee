import type { call } from "../call.ts"
import type { Clinic } from "../fixtures.ts"
import type { Target } from "./Target.ts"

/**
 * A partner operation as another organization tries it, and the statuses that say how it is refused, or that what it answers is
 * its own.
 */
export type Attempt = readonly [
  statuses: ReadonlyArray<number>,
  make: (attacker: Clinic, target: Target) => ReturnType<typeof call>
]
