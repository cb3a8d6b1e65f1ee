import { contractOf } from "../callOperation.ts"
import { type Field, fieldsOf } from "./fieldsOf.ts"
import type { Operation } from "./Operation.ts"
import { nameOf } from "./parameters.ts"

/** A field with the name of its flag or argument, and that of the flag that removes it. */
export type NamedField = Field & {
  readonly flag: string
  readonly isArgument: boolean
  readonly removal: string | undefined
}

/** An operation with what its contract says: the ids of its path, and its fields. */
export interface DescribedOperation extends Operation {
  readonly params: ReadonlyArray<string>
  readonly fields: ReadonlyArray<NamedField>
  readonly takesBody: boolean
  readonly isChange: boolean
}

// The content of a file to attach is no flag.
const attachmentFields = ["fileName", "content"]

export const describeOperation = (operation: Operation): DescribedOperation => {
  const { arguments: names = [], file, fixed = {}, flags = {}, only } = operation
  const contract = contractOf(operation.id)
  const { method, path, payload } = contract.endpoint
  const isOffered = ({ name }: Field): boolean =>
    file !== "body" &&
    !(name in fixed) &&
    !(file === "attachment" && attachmentFields.includes(name)) &&
    (only === undefined || only.includes(name))
  const fields = fieldsOf(contract).filter(isOffered)
  return {
    ...operation,
    params: Array.from(path.matchAll(/:(\w+)/g), ([, name = ""]) => name),
    // Arguments are in the order of the operation.
    fields: [
      ...names.flatMap((argument) => fields.filter(({ name }) => name === argument)),
      ...fields.filter(({ name }) => !names.includes(name))
    ].map((field) => {
      const flag = nameOf(operation, field.name)
      const removal = field.isRemovable ? (flags[`-${field.name}`] ?? `remove-${flag}`) : undefined
      return { ...field, flag, isArgument: names.includes(field.name), removal }
    }),
    takesBody: file !== "body" && only === undefined && payload.size > 0,
    isChange: method === "PATCH"
  }
}
