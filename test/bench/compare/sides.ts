import type { OwnProcess } from "../processes.ts"

/** What is compared: the suite, and its peer. */
export interface Side {
  readonly name: "suite" | "peer"
  readonly origin: string
  readonly processes: ReadonlyArray<OwnProcess>
}
