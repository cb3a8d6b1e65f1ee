import { Stream } from "effect"
import type { OpenedPiece } from "./DocumentStore.ts"

const empty: Buffer = Buffer.alloc(0)

/** Returns the length of the base64 of a number of bytes. */
export const base64Length = (bytes: number): number => 4 * Math.ceil(bytes / 3)

/**
 * Returns the base64 of the next piece of some bytes, and the bytes that wait for the piece after it: base64 encodes three bytes together,
 * and a piece may end anywhere.
 */
const encodePiece = (
  waiting: Buffer,
  piece: Uint8Array,
  isLast: boolean
): { readonly text: string; readonly waiting: Buffer } => {
  const bytes = Buffer.concat([waiting, piece])
  const end = isLast ? bytes.length : bytes.length - (bytes.length % 3)
  return { text: bytes.toString("base64", 0, end), waiting: Buffer.from(bytes.subarray(end)) }
}

/** Returns the bytes of the parts of a text, with the base64 of a document between each part and the next. */
export const writeContents = (
  [start = "", ...parts]: ReadonlyArray<string>,
  pieces: Stream.Stream<OpenedPiece>
): Stream.Stream<Uint8Array> =>
  Stream.concat(
    Stream.succeed(Buffer.from(start)),
    Stream.mapAccum(
      pieces,
      () => ({ waiting: empty, documentIndex: 0 }),
      ({ waiting, documentIndex }, { bytes, count, index }) => {
        const isLast = index === count - 1
        const encoded = encodePiece(waiting, bytes, isLast)
        const base64 = Buffer.from(encoded.text, "latin1")
        return isLast
          ? [{ waiting: empty, documentIndex: documentIndex + 1 }, [base64, Buffer.from(parts[documentIndex] ?? "")]]
          : [{ waiting: encoded.waiting, documentIndex }, [base64]]
      }
    )
  )
