import { Predicate } from "effect"
import { KeyInvalid, NetworkRefused, ScopeMissing, shownKeyHash, TestKeyNeeded } from "./RequestErrors.ts"

const status = 403

const sample = new KeyInvalid({ keyHash: shownKeyHash, isDisabled: false })

/**
 * Returns the 403 of a valid key that may not make the request: the endpoint's answer to an invalid key, with this status and the text of the
 * refusal, and without a code. `encode` encodes an error as the contract of the endpoint documents it. Returns undefined for other errors,
 * and for endpoints that need no key.
 */
export const encodeKeyRefusal = (
  error: unknown,
  encode: (error: unknown) => { readonly contentType: string; readonly body: unknown } | undefined
) => {
  if (!(error instanceof ScopeMissing || error instanceof NetworkRefused || error instanceof TestKeyNeeded))
    return undefined
  const invalid = encode(sample)
  if (invalid === undefined || !Predicate.isObject(invalid.body)) return undefined
  const { code: _, ...body } = { code: undefined, ...invalid.body }
  return {
    status,
    contentType: invalid.contentType,
    body: {
      ...body,
      ...("status" in body && { status }),
      ...("error" in body ? { error: error.text } : { message: error.text })
    }
  }
}
