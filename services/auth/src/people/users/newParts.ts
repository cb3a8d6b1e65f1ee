import { Schema, Struct } from "effect"
import { addressColumns } from "../addressColumns.ts"

/** The name and the address that are stored for a patient. */
export const StoredParts = Schema.Struct({
  firstName: Schema.String,
  lastName: Schema.String,
  ...addressColumns
})
type StoredParts = typeof StoredParts.Type

type Change = { readonly [Part in keyof StoredParts]?: StoredParts[Part] | undefined }

/** Returns whether a change brings a new name or a new address. Parts of an address without its street are not a new one. */
export const newParts = (stored: StoredParts, change: Change) => {
  const differs = (part: keyof StoredParts) => change[part] !== undefined && change[part] !== stored[part]
  return {
    hasNewName: differs("firstName") || differs("lastName"),
    hasNewAddress: change.address !== undefined && Struct.keys(addressColumns).some(differs)
  }
}
