/**
 * The base64 of the next piece of some bytes, and what of it waits for the piece after it: base64 writes three bytes
 * together, and pieces end anywhere.
 */
export const encodePiece = (
  waiting: Buffer,
  piece: Uint8Array,
  isLast: boolean
): { readonly text: string; readonly waiting: Buffer } => {
  const bytes = Buffer.concat([waiting, piece])
  const end = isLast ? bytes.length : bytes.length - (bytes.length % 3)
  return { text: bytes.toString("base64", 0, end), waiting: Buffer.from(bytes.subarray(end)) }
}

/** How many characters the base64 of so many bytes has. */
export const base64Length = (bytes: number): number => 4 * Math.ceil(bytes / 3)
