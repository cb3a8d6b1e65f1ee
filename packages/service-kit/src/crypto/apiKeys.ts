import { randomInt } from "node:crypto"
import { crc32 } from "node:zlib"
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

/** Makes an API key of a cell: `cv_live_<cell>_<secret><checksum>`. Scanners for leaked secrets know a key by its checksum. */
export const makeApiKey = (cell: string): string => {
  const secret = Array.from({ length: secretLength }, () => digits[randomInt(digits.length)]).join("")
  const unchecked = `cv_live_${cell}_${secret}`
  return `${unchecked}${checksumOf(unchecked)}`
}

/** Returns the first characters of a key, which are shown to tell keys apart: 8 of its secret, and all before it. */
export const shownPartOf = (key: string): string => key.slice(0, shownLength - secretLength - checksumLength)

const form = /^cv_live_([a-z0-9]{2,8})_[0-9A-Za-z]{38}$/

/** Returns the cell of an API key, or undefined if its checksum is wrong. A key of another form belongs to the first cell. */
export const cellOfKey = (key: string): string | undefined => {
  const cell = form.exec(key)?.[1]
  if (cell === undefined) return firstCell
  return key.endsWith(checksumOf(key.slice(0, -checksumLength))) ? cell : undefined
}
