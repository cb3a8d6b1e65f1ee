import type { OwnProcess } from "../processes.ts"

/** The two sides of the comparison: the suite and its peer. */
export interface Side {
  readonly name: "suite" | "peer"
  readonly origin: string
  readonly processes: ReadonlyArray<OwnProcess>
}
