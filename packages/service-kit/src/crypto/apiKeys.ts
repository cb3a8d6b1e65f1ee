import { randomInt } from "node:crypto"
import { crc32 } from "node:zlib"
import type { Mode } from "@care/domain/auth"
import { firstCell } from "@care/domain/cells"

const digits = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
const secretLength = 32
const checksumLength = 6
const shownLength = 8

// The CRC-32 of a text in base 62.
const checksumOf = (text: string): string => {
  let rest = crc32(text)
  let checksum = ""
  while (checksum.length < checksumLength) {
    checksum = `${digits[rest % digits.length]}${checksum}`
    rest = Math.floor(rest / digits.length)
  }
  return checksum
}

// Makes `<prefix>_<cell>_<secret><checksum>`. Scanners for leaked secrets know it by its checksum.
const makeToken = (prefix: string, cell: string): string => {
  const secret = Array.from({ length: secretLength }, () => digits[randomInt(digits.length)]).join("")
  const unchecked = `${prefix}_${cell}_${secret}`
  return `${unchecked}${checksumOf(unchecked)}`
}

const hasChecksum = (token: string): boolean => token.endsWith(checksumOf(token.slice(0, -checksumLength)))

/** Makes an API key of a cell: `cv_<mode>_<cell>_<secret><checksum>`. */
export const makeApiKey = (cell: string, mode: Mode = "live"): string => makeToken(`cv_${mode}`, cell)

/** Returns the first characters of a key, which are shown to tell keys apart: 8 of its secret, and all before it. */
export const shownPartOf = (key: string): string => key.slice(0, shownLength - secretLength - checksumLength)

const form = /^cv_(?:live|test)_([a-z0-9]{2,8})_[0-9A-Za-z]{38}$/

/** Returns the cell of an API key, or undefined if its checksum is wrong. A key of another form belongs to the first cell. */
export const cellOfKey = (key: string): string | undefined => {
  const cell = form.exec(key)?.[1]
  if (cell === undefined) return firstCell
  return hasChecksum(key) ? cell : undefined
}

const anyKey = new RegExp(form.source.slice(1, -1), "g")

/** Returns the API keys in a text, each with its position. Those of the older form are not found: they have no checksum. */
export const apiKeysIn = (text: string): ReadonlyArray<{ readonly key: string; readonly index: number }> =>
  [...text.matchAll(anyKey)].map(({ 0: key, index }) => ({ key, index })).filter(({ key }) => hasChecksum(key))

/** Makes the token of a session of staff: `cs_<cell>_<secret><checksum>`. */
export const makeStaffToken = (cell: string): string => makeToken("cs", cell)

const staffForm = /^cs_([a-z0-9]{2,8})_[0-9A-Za-z]{38}$/

/** Returns the cell of a session of staff, or undefined if the text is not its token. */
export const cellOfStaffToken = (token: string): string | undefined =>
  hasChecksum(token) ? staffForm.exec(token)?.[1] : undefined

/** Makes the state of a single sign-on, which the provider gives back: `co_<cell>_<secret><checksum>`. */
export const makeSignOnState = (cell: string): string => makeToken("co", cell)

const stateForm = /^co_([a-z0-9]{2,8})_[0-9A-Za-z]{38}$/

/** Returns the cell of a single sign-on, or undefined if the text is not its state. */
export const cellOfSignOnState = (state: string): string | undefined =>
  hasChecksum(state) ? stateForm.exec(state)?.[1] : undefined
