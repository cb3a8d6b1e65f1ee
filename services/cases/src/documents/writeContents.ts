import { Stream } from "effect"
import type { OpenedPiece } from "./DocumentStore.ts"
import { encodePiece } from "./encodePiece.ts"

const nothing: Buffer = Buffer.alloc(0)

/** The bytes of a text that has the base64 of a document between each of its parts and the next, as the pieces come. */
export const writeContents = (
  [start = "", ...parts]: ReadonlyArray<string>,
  pieces: Stream.Stream<OpenedPiece>
): Stream.Stream<Uint8Array> =>
  Stream.concat(
    Stream.succeed(Buffer.from(start)),
    Stream.mapAccum(
      pieces,
      () => ({ waiting: nothing, written: 0 }),
      ({ waiting, written }, { bytes, count, index }) => {
        const isLast = index === count - 1
        const encoded = encodePiece(waiting, bytes, isLast)
        const base64 = Buffer.from(encoded.text, "latin1")
        return isLast
          ? [{ waiting: nothing, written: written + 1 }, [base64, Buffer.from(parts[written] ?? "")]]
          : [{ waiting: encoded.waiting, written }, [base64]]
      }
    )
  )
