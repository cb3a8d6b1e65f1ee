import type { AdminOperationId } from "@care/domain/permissions"
import type { Resource } from "../AdminClient.ts"

/**
 * A command that calls one operation. Its arguments are the ids of the path, then those named here; its flags are the other fields of the
 * contract.
 */
export interface Operation {
  readonly id: AdminOperationId | `staffSession.${"whoAmI" | "sessions" | "endSession" | "endOtherSessions"}`
  /** The name of the command: `case list`. */
  readonly command: string
  /** What the command does, if the contract's summary does not fit. */
  readonly says?: string
  /** The parameters of the example. */
  readonly example?: string
  /** The fields that are arguments. */
  readonly arguments?: ReadonlyArray<string>
  /** The names of flags for fields, and for the removal of fields: `-expiresAt`. */
  readonly flags?: Readonly<Record<string, string>>
  /** The fields that flags can give, if not all. */
  readonly only?: ReadonlyArray<string>
  /** Fields with one value. */
  readonly fixed?: Readonly<Record<string, unknown>>
  /** An argument that is a file: the JSON of the body, or the file to attach. */
  readonly file?: "body" | "attachment"
  /** The columns of a list, for `printPage`. */
  readonly columns?: string
  /** Whether the list is read to its end. */
  readonly isWhole?: boolean
  /** Whether the answer is a file, which `--output` names. */
  readonly isFile?: boolean
  /** Whether the answer is always printed as JSON. */
  readonly isJson?: boolean
  /** The question before what cannot be undone, and the failure without a confirmation. */
  readonly confirmation?: readonly [question: string, otherwise: string]
  /** A note below the answer. */
  readonly note?: (answer: Resource) => string
  /** A sentence in place of an answer without content. */
  readonly done?: string
}
