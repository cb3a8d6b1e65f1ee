import { Data, Runtime } from "effect"

/** Why a process cannot start, as one sentence that says how to mend it. */
export class BootError extends Data.TaggedError("BootError")<{
  readonly message: string
  readonly exitCode?: number
}> {
  override readonly [Runtime.errorExitCode] = this.exitCode ?? 1
}

/** What the line begins with in which a process says why it cannot start; whoever started it finds the sentence by it. */
export const bootErrorPrefix = (name: string): string => `care ${name}: `

/** The exit code of a process whose database was made by another version of it; whoever started it may know more. */
export const otherVersionExitCode = 65
