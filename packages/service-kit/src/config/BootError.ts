import { Data } from "effect"

/** Says in one sentence why a process cannot start, and how to mend that. */
export class BootError extends Data.TaggedError("BootError")<{
  readonly message: string
}> {}

/** Returns the prefix of the line with which a process says why it cannot start. The process that started it finds the line by it. */
export const bootErrorPrefix = (name: string): string => `care ${name}: `
